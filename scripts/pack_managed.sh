#!/usr/bin/env bash
# What a GPU machine without Java and Mono needs for the Java and C# tests, packed on a machine that has both: a small
# JRE, Mono with the assemblies that NUnit loads, JUnit, and the packages and tests of a finished build.
# usage: pack_managed.sh BUILD_FOLDER OUTPUT_FOLDER
# BUILD_FOLDER: configured with CUPRUM_BUILD_TESTS, _JAVA and _CSHARP, its targets cuprum_java_tests, cuprum_csharp_tests
# and cuprum_test_hide_paths built, and with CUPRUM_BUILD_BENCHMARKS what benchmarks/ has in
# Java and C#. Leaves OUTPUT_FOLDER/managed.txz for scripts/gpu_managed.sh.
set -euo pipefail
build=$(cd "$1" && pwd)
mkdir -p "$2"
output=$(cd "$2" && pwd)
packed=$(mktemp -d)
trap 'rm -rf "$packed"' EXIT

# Java: the modules are those that jdeps finds in JUnit's console, and jdk.unsupported for sun.misc.Unsafe in it.
jlink --add-modules java.base,java.logging,java.xml,jdk.unsupported,jdk.localedata --include-locales=en,tr \
    --strip-debug --compress=0 --no-header-files --no-man-pages --output "$packed/jre"
mkdir -p "$packed/junit" "$packed/java"
for name in junit-jupiter-api junit-jupiter-engine junit-platform-commons junit-platform-console \
    junit-platform-engine junit-platform-launcher junit-platform-reporting opentest4j opentest4j-reporting-events \
    opentest4j-reporting-schema open-test-reporting-events open-test-reporting-schema apiguardian-api picocli \
    univocity-parsers; do
    [ ! -e "/usr/share/java/$name.jar" ] || cp -L "/usr/share/java/$name.jar" "$packed/junit/"
done
cp "$build/java/cuprum.jar" "$packed/java/"
cp -r "$build/tests/languages/java/classes" "$packed/java/"
[ ! -d "$build/java/benchmarks" ] || cp -r "$build/java/benchmarks" "$packed/java/"

# Mono finds its assemblies from the place of its own binary: <prefix>/bin and <prefix>/lib/mono.
mono=$packed/mono
mkdir -p "$mono/bin" "$mono/lib/mono/4.5" "$mono/etc/mono/4.5" "$mono/nunit"
cp -L "$(command -v mono-sgen)" "$mono/bin/mono"
cp -L /usr/lib/libmono-native.so "$mono/lib/"
cp -rL /etc/mono/config "$mono/etc/mono/"
cp -rL /etc/mono/4.5/machine.config "$mono/etc/mono/4.5/"
for assembly in mscorlib System System.Core System.Xml System.Configuration System.Security System.Runtime.Remoting \
    System.Runtime.Serialization System.Numerics System.Drawing Mono.Posix Mono.Security System.Data \
    System.Xml.Linq System.Runtime.CompilerServices.Unsafe; do
    [ ! -e "/usr/lib/mono/4.5/$assembly.dll" ] || cp -L "/usr/lib/mono/4.5/$assembly.dll" "$mono/lib/mono/4.5/"
done
[ ! -d /usr/lib/mono/4.5/Facades ] || cp -rL /usr/lib/mono/4.5/Facades "$mono/lib/mono/4.5/"
# Beside the runner, where its application domains look first: they see no global assembly cache.
cp -L /usr/lib/nunit/nunit-console.exe* "$mono/nunit/"
find -L /usr/lib/cli -path '*nunit*' -name '*.dll' -exec cp -L {} "$mono/nunit/" \;

mkdir -p "$packed/csharp"
cp "$build"/csharp/*.nupkg "$packed/csharp/Cuprum.nupkg"
cp "$build/tests/languages/csharp/csharp/CuprumTests.dll" "$build/tests/languages/csharp/csharp/Child.exe" \
    "$packed/csharp/"
mkdir -p "$packed/csharp/benchmarks"
[ ! -d "$build/csharp/benchmarks" ] || cp "$build"/csharp/benchmarks/*.exe "$packed/csharp/benchmarks/"
hide_paths=$(find "$build" -name 'libcuprum_test_hide_paths.so' -print -quit)
[ -n "$hide_paths" ] || { echo "pack_managed.sh: build the target cuprum_test_hide_paths first" >&2; exit 1; }
cp "$hide_paths" "$packed/"

# Neither the JRE nor the two packages are compressed by themselves, which is then smaller: the packages have the same libraries.
python3 - "$packed/java/cuprum.jar" "$packed/csharp/Cuprum.nupkg" <<'PROGRAM'
import os
import sys
import zipfile

for path in sys.argv[1:]:
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(path + ".stored", "w", zipfile.ZIP_STORED) as new:
        for entry in old.infolist():
            content = old.read(entry)
            entry.compress_type = zipfile.ZIP_STORED
            new.writestr(entry, content)
    os.replace(path + ".stored", path)
PROGRAM
XZ_OPT=${XZ_OPT:--3 -T2} tar -C "$packed" -cJf "$output/managed.txz" .
du -h "$output/managed.txz"
