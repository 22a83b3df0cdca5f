#!/usr/bin/env bash
# What a GPU machine without SWIG and GoogleTest needs for gpu_test.sh and gpu_sanitize.sh, packed on a machine that has a
# finished build: test programs and examples, stripped, the libraries with TBB, the simulator, the Python package.
# usage: pack_gpu.sh BUILD_FOLDER OUTPUT_FILE.txz [PROGRAM...]
# PROGRAM: of BUILD_FOLDER/bin; these alone, without the Python package (gpu_tune.sh says which ones it needs).
# There: tar xJf OUTPUT_FILE.txz -C FOLDER; LD_LIBRARY_PATH=FOLDER/lib scripts/gpu_test.sh FOLDER OUTPUT_FOLDER COMMIT
set -euo pipefail
build=$(cd "$1" && pwd)
packed=$(mktemp -d)
trap 'rm -rf "$packed"' EXIT
mkdir -p "$packed/bin" "$packed/lib/cuprum" "$packed/python" "$packed/tests/unit/bindings"

programs=("${@:3}")
if [ ${#programs[@]} -gt 0 ]; then
    cp -L "${programs[@]/#/$build/bin/}" "$packed/bin"
else
    # What gpu_test.sh runs.
    cp -L "$build"/bin/{test_core*,test_capi_objects,test_parallel,test_parallel_one_shot,test_parallel_several_devices,test_parallel_distributed,test_parallel_out_of_core,test_bindings,driver_conformance_tests} \
        "$build"/bin/{ptx_conformance,test_c,cuprum,compile_cache_client,benchmark_*} "$build"/bin/*_cpp "$build"/bin/*_c "$packed/bin" 2>/dev/null || true
    [ -e "$packed/bin/test_core" ] || { echo "pack_gpu: $build has no tests" >&2; exit 1; }
    cp -rL "$build/python/cuprum" "$packed/python"
fi
cp -P "$build"/lib/libcuprum*.so* "$packed/lib"
cp -r "$build/lib/cuprum/simulator" "$packed/lib/cuprum"
cp "$(find "$build" -name 'lib*hide_paths*.so' | head -n 1)" "$packed/lib"
cp -r "$build/tests/unit/bindings/driver_12" "$packed/tests/unit/bindings"
for library in libtbb libtbbmalloc libtbbbind libhwloc; do
    cp -P /usr/lib/x86_64-linux-gnu/$library*.so* "$packed/lib"
done
# Where the test programs look for their data.
sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt" >"$packed/source-folder"
find "$packed" -type f \( -path '*/bin/*' -o -name '*.so*' \) -exec strip --strip-unneeded {} + 2>/dev/null || true
# Programs that are linked with the same libraries are alike: a dictionary that reaches over many of them halves the size.
XZ_OPT=${XZ_OPT:---lzma2=preset=1,dict=320MiB} tar cJf "$2" -C "$packed" .
du -h "$2"
