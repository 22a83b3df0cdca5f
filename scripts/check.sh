#!/usr/bin/env bash
# Checks that need no build: formatting, layering, Python lint and types.
# usage: check.sh [--format]   (--format rewrites the files instead of complaining)
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH="$PWD/.venv/bin:$PATH"
failed=0
step() {
    local name=$1
    shift
    if ! "$@"; then
        printf 'check: %s failed\n' "$name" >&2
        failed=1
    fi
}

# Hand-written C++ and C: generated files keep the generator's layout.
sources() {
    git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' '*.c' '*.h' | while read -r file; do
        [ -f "$file" ] || continue
        head -n 1 "$file" | grep -qi 'generated' || echo "$file"
    done
}

check_formatting() {
    local files
    files=$(sources | xargs clang-format --dry-run --Werror --ferror-limit=1 2>&1 | grep -oE '^[^ :]+' | sort -u)
    [ -z "$files" ] || { printf 'not formatted (./run format fixes it):\n%s\n' "$files" >&2; return 1; }
}

if [ "${1:-}" = --format ]; then
    sources | xargs clang-format -i
    ruff format --quiet .
    exit
fi

step formatting check_formatting
step layering python3 scripts/check_layers.py
step 'names in unnamed namespaces' python3 scripts/check_unnamed.py
step 'entries of the simulated driver' python3 scripts/check_entries.py
step 'ruff check' ruff check --quiet .
step 'ruff format' ruff format --check --quiet .
# Generated, and not committed: mypy looks for them beside the package.
step 'type stubs' python3 -B swig/python/generator/generate.py --stubs swig/python/cuprum/bindings
step 'generated modules' python3 -B swig/generator/generate_interface.py --python swig/python/cuprum
step mypy mypy
step 'mypy of the third-party tests' mypy tests/languages/third_party/*.py
step 'mypy of the tests of neighbours' mypy tests/languages/neighbours/*.py
step 'mypy of the tests of PyCUDA' mypy tests/languages/pycuda/*.py
exit $failed
