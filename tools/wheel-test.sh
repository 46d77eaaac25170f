#!/bin/sh
# Builds the wheel, installs it alone into a new environment with the libraries that the tests
# import, at the versions of uv.lock, and runs the tests against it. Arguments go to pytest.
set -eu

cd "$(dirname "$0")/.."
uv=.venv/bin/uv
room=build/wheel
unset VIRTUAL_ENV CONDA_PREFIX PERDURE_TEST_ALL
if [ -z "${UV_CACHE_DIR:-}${XDG_CACHE_HOME:-}" ] && [ ! -w "${HOME:-/nonexistent}" ]; then
    export UV_NO_CACHE=1
fi
export UV_PYTHON_DOWNLOADS=never

rm -rf "$room"
mkdir -p "$room"
"$uv" build --quiet --wheel --python .venv/bin/python --out-dir "$room"
.venv/bin/python -m tools.wheel "$room"/*.whl

"$uv" export --quiet --frozen --no-emit-project --no-default-groups --group test --output-file "$room/requirements.txt"
"$uv" venv --quiet --python .venv/bin/python "$room/venv"
"$uv" pip install --quiet --python "$room/venv/bin/python" --require-hashes -r "$room/requirements.txt"
"$uv" pip install --quiet --python "$room/venv/bin/python" --no-deps "$room"/*.whl

PERDURE_TEST_WHEEL=1 "$room/venv/bin/python" -m pytest -p no:cacheprovider "$@"
