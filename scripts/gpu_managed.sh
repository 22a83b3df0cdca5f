#!/usr/bin/env bash
# For a machine without Java and Mono: the Java and C# test suites (bindings, core and parallel) with what
# scripts/pack_managed.sh packed. CUPRUM_DRIVER chooses the driver: gpu where it is not set.
# usage: gpu_managed.sh OUTPUT_FOLDER COMMIT CARRIED_FOLDER [SECONDS] [PROGRAMS_FOLDER]
# CARRIED_FOLDER: has managed.txz. SECONDS: how long each suite may take (400); 0: they do not run.
# PROGRAMS_FOLDER: a build tree, or what pack_gpu.sh packed, whose programs in C++, C and Python are measured beside those in
# Java and C# (benchmarks/built_calls.py).
# Leaves OUTPUT_FOLDER/{java.log,csharp.log,managed.md}. Non-zero exit if anything failed.
set -uo pipefail
mkdir -p "$1"
output=$(cd "$1" && pwd)
carried=$(cd "$3" && pwd)
limit=${4:-400}
programs=${5:-}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
tar -C "$place" -xJf "$carried/managed.txz" || exit 1
export CUPRUM_DRIVER=${CUPRUM_DRIVER:-gpu} CUPRUM_CACHE_DIR=$place/cache
export CUPRUM_TEST_HIDE_PATHS=$place/libcuprum_test_hide_paths.so
failed=0

# As the build lays the tests out: beside the content of the package.
package=$place/csharp-package folder=$place/csharp
mkdir -p "$package"
python3 -m zipfile -e "$folder/Cuprum.nupkg" "$package" || exit 1
cp "$package/lib/netstandard2.0/Cuprum.dll" "$folder/"
cp -r "$package/runtimes" "$folder/"
cp -r "$package/simulator/linux-x64" "$folder/runtimes/linux-x64/native/simulator"
chmod +x "$folder/runtimes/linux-x64/native/simulator/cuprum-simulate" 2>/dev/null
cp "$place/mono/nunit/"* "$folder/"
# For the tests' child processes as well.
cat >"$place/mono/run" <<'RUN'
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export MONO_PATH="$here/lib/mono/4.5:$here/nunit" MONO_CFG_DIR="$here/etc" LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
exec "$here/bin/mono" "$@"
RUN
chmod +x "$place/mono/run"
ln -s ../Cuprum.dll ../runtimes "$folder/benchmarks/"

run_suites() {
    # Beside those of C#: both are long and neither measures anything.
    classpath=$place/java/cuprum.jar:$place/java/classes:$(printf '%s:' "$place"/junit/*.jar)
    CUPRUM_TEST_SHOWN=$output/shown-java.txt CUPRUM_TEST_CLASSPATH=$classpath timeout "$limit" "$place/jre/bin/java" -Xcheck:jni -cp "$classpath" \
        org.junit.platform.console.ConsoleLauncher --disable-banner --details=tree --disable-ansi-colors \
        --fail-if-no-tests "--scan-classpath=$place/java/classes" >"$output/java.log" 2>&1 &
    java=$!

    (
        cd "$folder" || exit 1
        export CUPRUM_TEST_SHOWN=$output/shown-csharp.txt
        CUPRUM_TEST_RUNTIME=$place/mono/run CUPRUM_TEST_PACKAGE=$package timeout "$limit" "$place/mono/run" \
            "$folder/nunit-console.exe" -nologo -noshadow -nothread -labels "-work=$folder" "$folder/CuprumTests.dll"
    ) >"$output/csharp.log" 2>&1
    csharp_status=$?
    [ $csharp_status -eq 0 ] || failed=1
    wait $java
    java_status=$?
    ! grep -qE '(WARNING|FATAL ERROR) in native method' "$output/java.log" || java_status=1
    [ $java_status -eq 0 ] || failed=1

    python3 "$root/tests/conformance/bindings/check_most_used.py" "java=$output/shown-java.txt" \
        "csharp=$output/shown-csharp.txt" >"$output/most_used.log"
    most_used_status=$?
    [ $most_used_status -eq 0 ] || failed=1
}

{
    echo "# Java and C# with CUPRUM_DRIVER=$CUPRUM_DRIVER, $(date -u +%F)"
    echo
    echo "- commit: $2"
    echo "- device: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || echo none)"
    # Before the suites: nothing may run beside it.
    if [ -n "$programs" ]; then
        printf '\n```\n'
        CUPRUM_JAVA=$place/jre/bin/java CUPRUM_MONO=$place/mono/run timeout 240 \
            python3 "$root/benchmarks/built_calls.py" "$programs" "$place" || failed=1
        printf '```\n\n'
    fi
    if [ "$limit" -gt 0 ]; then
        run_suites
        echo "- Java: exit status $java_status, $(grep -E 'tests (successful|failed|skipped)' "$output/java.log" | tr -s ' \n[]' ' ')"
        echo "- each of the most used functions shown: exit status $most_used_status, $(grep -c '^ ' "$output/most_used.log") missing"
        echo "- C#: exit status $csharp_status, $(grep -E '^Tests run' "$output/csharp.log")"
    fi
} >"$output/managed.md" 2>&1
cat "$output/managed.md"
exit $failed
