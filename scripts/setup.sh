#!/usr/bin/env bash
# Installs what the machine lacks and leaves a project-local Python environment in .venv. Sourced by ./run.
#
# Three steps, each skipped when there is nothing to do: system packages (apt), Python packages (pip, into .venv), and
# the CUDA toolkit's parts (wheels into .venv, only where no toolkit is installed).

say() { printf '\033[1m==> %s\033[0m\n' "$*" >&2; }
fail() { printf 'run: %s\n' "$*" >&2; exit 1; }

# One line per thing that must be there: a shell test, then the package that brings it.
system_needs() {
    cat <<'NEEDS'
command -v g++ && command -v make|g++ make
command -v cmake|cmake
command -v ninja|ninja-build
command -v git|git
"$base_python" -c 'import ctypes; ctypes.CDLL("liblz4.so.1"), ctypes.CDLL("libzstd.so.1")'|liblz4-1 libzstd1
"$base_python" -c 'import venv, ensurepip'|python3-venv
"$base_python" -c 'import sysconfig, os, sys; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'|python3-dev
test -e /usr/include/gtest/gtest.h|libgtest-dev
test -e /usr/include/gmock/gmock.h|libgmock-dev
test -e /usr/include/tbb/parallel_for.h|libtbb-dev
command -v javac && command -v jar|default-jdk-headless
test -e /usr/share/java/junit-platform-console-standalone.jar || test -e /usr/share/java/junit-platform-console.jar|junit5
command -v mcs|mono-mcs
command -v mono|mono-runtime
test -e /usr/lib/mono/4.5/System.Core.dll|libmono-system-core4.0-cil
test -e /usr/lib/cli/nunit.framework-2.6.3/nunit.framework.dll|libnunit-cil-dev
command -v nunit-console|nunit-console
command -v mpirun|openmpi-bin
NEEDS
}

find_python() {
    local candidate
    for candidate in python3 /usr/bin/python3 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            command -v "$candidate"
            return
        fi
    done
    echo python3
}

install_system_packages() {
    base_python=$(find_python)
    local missing="" probe packages
    while IFS='|' read -r probe packages; do
        # A probe may itself contain ||; the package list is what follows the last bar.
        while [[ $packages == *"|"* ]]; do
            probe="$probe|${packages%%|*}"
            packages=${packages#*|}
        done
        eval "$probe" >/dev/null 2>&1 || missing="$missing $packages"
    done < <(system_needs)
    [ -z "$missing" ] && return
    local command="apt-get install -y --no-install-recommends$missing"
    command -v apt-get >/dev/null || fail "these Debian packages (or their like) are missing:$missing"
    local become=""
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
            become="sudo"
        else
            fail "some system packages are missing; install them with:  sudo $command"
        fi
    fi
    say "installing system packages:$missing"
    $become apt-get update -q || fail "'apt-get update' failed"
    $become env DEBIAN_FRONTEND=noninteractive $command || fail "'$command' failed"
    base_python=$(find_python)
}

# A folder's stamp holds the digest of what it was made from.
stamp_is() { [ "$(cat "$1" 2>/dev/null)" = "$2" ]; }

# install_python_environment [PACKAGE...]: these of scripts/requirements.txt alone; all of them where none is named.
install_python_environment() {
    "$base_python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "Python 3.11 or newer is needed"
    local digest requirements=$root/scripts/requirements.txt
    digest=$({ "$base_python" --version; cat "$requirements"; } | sha256sum | cut -d' ' -f1)
    if ! stamp_is "$root/.venv/.requirements" "$digest" &&
        { [ $# -eq 0 ] || ! stamp_is "$root/.venv/.some_requirements" "$digest $*"; }; then
        # --clear below would empty what the link leads to, which others may be using.
        [ ! -L "$root/.venv" ] || fail ".venv is a link to an environment that was made for another Python or from another
scripts/requirements.txt: run ./run setup where it belongs, or remove the link"
        say "installing Python packages into .venv"
        [[ $(cat "$root/.venv/.some_requirements" 2>/dev/null) == "$digest "* ]] ||
            "$base_python" -m venv --clear "$root/.venv" || fail "'$base_python -m venv' failed"
        local wanted=(--requirement "$requirements")
        [ $# -eq 0 ] || wanted=(--constraint "$requirements" "$@")
        "$root/.venv/bin/python" -m pip install --disable-pip-version-check --no-compile "${wanted[@]}" ||
            fail "pip could not install scripts/requirements.txt"
        if [ $# -eq 0 ]; then
            echo "$digest" >"$root/.venv/.requirements"
        else
            echo "$digest $*" >"$root/.venv/.some_requirements"
        fi
    fi
    export VIRTUAL_ENV="$root/.venv"
    export PATH="$root/.venv/bin:$PATH"
}

# A toolkit is usable when it has the headers to build with and the NVRTC to compile with.
toolkit_is_installed() {
    local folder
    for folder in "${CUDA_PATH:-}" "${CUDA_HOME:-}" /usr/local/cuda; do
        [ -n "$folder" ] && [ -e "$folder/include/cuda.h" ] && [ -e "$folder/include/nvrtc.h" ] &&
            ls "$folder"/lib*/libnvrtc.so* >/dev/null 2>&1 && return 0
    done
    return 1
}

# What CI runs the whole suite on.
suite_toolkit=13.0
newest_toolkit() { sed -n '$s/ .*//p' "$root/scripts/toolkits.txt"; }

# install_toolkit VERSION: that of scripts/toolkits.txt, where there is none.
install_toolkit() {
    toolkit_is_installed && return
    local version=$1 wheels
    wheels=$(sed -n "s/^${version//./\\.} //p" "$root/scripts/toolkits.txt")
    stamp_is "$root/.venv/.toolkit" "$wheels" && return
    say "no CUDA toolkit found: installing the parts of CUDA $version from their wheels into .venv"
    # shellcheck disable=SC2086  # one word a wheel
    "$root/.venv/bin/python" -m pip install --disable-pip-version-check --no-compile $wheels ||
        fail "pip could not install CUDA $version"
    echo "$wheels" >"$root/.venv/.toolkit"
}

# Packages of others that the tests run on the simulator, in an environment of their own: nothing else sees them.
install_third_party_packages() {
    local environment="$root/.venv-third-party" requirements="$root/tests/languages/third_party/requirements.txt" digest
    digest=$({ "$base_python" --version; cat "$requirements"; } | sha256sum | cut -d' ' -f1)
    stamp_is "$environment/.requirements" "$digest" && return
    say "installing the packages that the tests run on the simulator into .venv-third-party"
    "$base_python" -m venv --clear "$environment" || fail "'$base_python -m venv' failed"
    "$environment/bin/python" -m pip install --disable-pip-version-check --no-compile --no-deps \
        --requirement "$requirements" || fail "pip could not install $requirements"
    echo "$digest" >"$environment/.requirements"
}

# As tests/languages/nvcc/CMakeLists.txt looks for it.
find_nvcc() {
    command -v nvcc "${CUDA_PATH:-}/bin/nvcc" "${CUDA_HOME:-}/bin/nvcc" /usr/local/cuda/bin/nvcc | sed -n 1p
}
nvcc_is_installed() {
    [ -n "$(find_nvcc)" ]
}

# PyCUDA, which has no wheels, built from its source as it comes into a folder of its own: about 100 seconds of one core.
# Needs nvcc and .venv-third-party. It is linked with a libcuda.so that has nothing in it, since there is no driver here (and
# so with --no-as-needed); without cuRAND, which the packages of nvcc do not have. Where it cannot be built its test says so.
install_pycuda() {
    local folder=$build/pycuda requirements=$root/scripts/pycuda-requirements.txt python=$root/.venv-third-party/bin/python
    local nvcc cuda stamp work
    nvcc=$(find_nvcc) || true
    nvcc=${nvcc:-$build/nvcc/nvidia/cu13/bin/nvcc}
    [ -x "$nvcc" ] || return 0
    stamp=$({ "$python" --version; cat "$requirements"; } | sha256sum | cut -d' ' -f1)
    stamp_is "$folder/.requirements" "$stamp" && return
    say "building PyCUDA for the tests"
    rm -rf "$folder"
    work=$folder/work
    cuda=$("$nvcc" --dryrun -c -x cu /dev/null -o /dev/null 2>&1 | sed -n 's/^#\$ TOP=//p') || return
    mkdir -p "$work/home"
    echo 'void nothing(void) {}' | cc -shared -fPIC -Wl,-soname,libcuda.so.1 -x c -o "$work/libcuda.so" - || return
    printf "CUDA_ROOT = '%s'\nCUDA_INC_DIR = ['%s/include']\nCUDADRV_LIB_DIR = ['%s']\nCUDA_ENABLE_CURAND = False\n" \
        "$cuda" "$cuda" "$work" >"$work/home/.aksetup-defaults.py"
    "$python" -m pip install --disable-pip-version-check --no-compile --no-deps --quiet --target "$folder/packages" \
        --requirement "$requirements" || return
    # Not from pip's cache, which may have one that was built with other settings.
    HOME=$work/home PATH=$(dirname "$nvcc"):$PATH LDFLAGS=-Wl,--no-as-needed PYTHONPATH=$folder/packages \
        "$python" -m pip install --disable-pip-version-check --no-cache-dir --no-compile --no-deps --quiet \
        --no-build-isolation --no-binary pycuda --target "$folder/packages" \
        "$(sed -n 's/^# built: //p' "$requirements")" || return
    rm -rf "$work"
    echo "$stamp" >"$folder/.requirements"
}

# install_for_tests FOLDER REQUIREMENTS: wheels in a folder of their own, for the tests alone: a CUDA 12 beside the toolkit
# in use, nvcc, a .NET runtime, and OpenCL.
install_for_tests() {
    local digest
    digest=$(sha256sum <"$root/scripts/$2" | cut -d' ' -f1)
    install_wheels "$1" "$digest" "scripts/$2" --requirement "$root/scripts/$2"
}

# The versions of CCCL that scripts/cccl-versions.txt lists, each in a folder of BUILD/cccl.
install_cccl_versions() {
    local version requirement
    while read -r version requirement; do
        install_wheels "$build/cccl/$version" "$requirement" "$requirement" "$requirement"
    done < <(grep -v '^#' "$root/scripts/cccl-versions.txt")
}

# install_wheels FOLDER STAMP WHAT PIP-ARGUMENT...: unless that is there.
install_wheels() {
    local folder=$1 stamp=$2 what=$3
    shift 3
    stamp_is "$folder/.toolkit" "$stamp" && return
    say "installing $what for the tests"
    rm -rf "$folder"
    "$root/.venv/bin/python" -m pip install --disable-pip-version-check --no-compile --no-deps --quiet \
        --target "$folder" "$@" ||
        fail "pip could not install $what"
    echo "$stamp" >"$folder/.toolkit"
}

# setup [PACKAGE...]: with these Python packages alone, and any toolkit; the newest where there is none.
setup() {
    install_system_packages
    install_python_environment "$@"
    if [ $# -eq 0 ]; then
        install_toolkit "$suite_toolkit"
    elif [ ! -e "$root/.venv/.toolkit" ]; then
        install_toolkit "$(newest_toolkit)"
    fi
}
