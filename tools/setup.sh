#!/bin/sh
# Makes .venv with everything that uv.lock names: `tools/setup.sh runtime` or `tools/setup.sh dev`.
# Needs a Python of 3.11 or later and nothing else; $PYTHON is tried first when it is set.
set -eu

# The certificates that this machine trusts, which may be more than those that uv brings along.
export UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1

cd "$(dirname "$0")/.."
groups=${1:-dev}
venv=${VENV:-.venv}

# A name on the PATH may be a shim for a version that is not there, or a Python without venv: run it to know.
fits() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}
makes_venvs() {
    "$1" -c 'import ensurepip, venv' >/dev/null 2>&1
}

find_python() {
    lacking=
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.13 python3.12 python3.11; do
        if fits "$candidate"; then
            if makes_venvs "$candidate"; then
                echo "$candidate"
                return
            fi
            lacking=${lacking:-$candidate}
        fi
    done
    if [ -n "$lacking" ]; then
        echo "perdure: $lacking cannot make virtual environments; install its venv module" \
            "(on Debian and Ubuntu: apt install python3-venv)." >&2
    else
        echo "perdure: no Python 3.11 or later was found; install one, or name one with PYTHON=/path/to/python3." >&2
    fi
    return 1
}

if ! fits "$venv/bin/python" || [ ! -x "$venv/bin/uv" ]; then
    python=$(find_python)
    echo "perdure: making $venv with $("$python" --version)"
    "$python" -m venv --clear "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check 'uv>=0.8,<1'
fi

# Without a home to write in there is no place for a cache that lasts.
if [ -z "${UV_CACHE_DIR:-}${XDG_CACHE_HOME:-}" ] && [ ! -w "${HOME:-/nonexistent}" ]; then
    export UV_NO_CACHE=1
fi
export UV_PROJECT_ENVIRONMENT="$venv" UV_PYTHON="$venv/bin/python" UV_PYTHON_DOWNLOADS=never
unset VIRTUAL_ENV CONDA_PREFIX

case $groups in
runtime) "$venv/bin/uv" sync --quiet --frozen --no-dev --inexact ;;
dev) "$venv/bin/uv" sync --quiet --frozen --group dev ;;
*)
    echo "usage: tools/setup.sh runtime|dev" >&2
    exit 2
    ;;
esac

touch "$venv/.runtime"
if [ "$groups" = dev ]; then
    touch "$venv/.dev"
fi
