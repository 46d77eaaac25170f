#!/bin/sh
# Builds the wheel, installs it alone into a new environment with the libraries that the tests
# import, and runs the tests against it. Arguments go to pytest. Versions are those of uv.lock, or
# with VERSIONS=lowest the lowest that pyproject.toml claims to work with.
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

"$uv" venv --quiet --python .venv/bin/python "$room/venv"
if [ "${VERSIONS:-locked}" = lowest ]; then
    "$uv" pip install --quiet --python "$room/venv/bin/python" --resolution lowest-direct \
        -r pyproject.toml --group test "$room"/*.whl
else
    "$uv" export --quiet --frozen --no-emit-project --no-default-groups --group test \
        --output-file "$room/requirements.txt"
    "$uv" pip install --quiet --python "$room/venv/bin/python" --require-hashes -r "$room/requirements.txt"
    "$uv" pip install --quiet --python "$room/venv/bin/python" --no-deps "$room"/*.whl
fi

PERDURE_TEST_WHEEL=1 "$room/venv/bin/python" -m pytest -p no:cacheprovider --inline-snapshot=disable "$@"
