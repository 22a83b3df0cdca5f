"""The jar and the NuGet package as they are shipped, and the example projects that take them."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import xml.etree.ElementTree
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROJECTS = ROOT / "examples" / "projects"
JAR = os.environ.get("CUPRUM_TEST_JAR")
NUPKG = os.environ.get("CUPRUM_TEST_NUPKG")
PACKAGES = [package for package in (JAR, NUPKG) if package]
#: Libraries in the packages that are Cuprum's own.
OWN = re.compile(
    r"libcuprum(_java|_csharp|_host)?\.so(\.0)?|simulator/(linux-x64/)?(libcuda\.so\.1|companions/lib((nvrtc|nvJitLink|cudart)\.so\.1[23]|nvidia-ml\.so\.1))"
)


def run(*command: object, **variables: str) -> str:
    unset = ("CUPRUM_SIMULATOR_PATH", "CUPRUM_LIBRARY_PATH", "LD_LIBRARY_PATH")
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    words = [str(word) for word in command]
    result = subprocess.run(
        words, capture_output=True, text=True, check=False, env={**environment, **variables}, cwd="/"
    )
    assert result.returncode == 0, f"{words}\n{result.stdout}{result.stderr}"
    return result.stdout


@pytest.mark.parametrize("package", PACKAGES)
def test_what_is_bundled_comes_with_its_licence(package: str) -> None:
    with zipfile.ZipFile(package) as archive:
        names = archive.namelist()
        folder = "META-INF/" if package == JAR else ""
        notices = archive.read(f"{folder}THIRD_PARTY_NOTICES").decode()
        assert archive.read(f"{folder}LICENSE") == (ROOT / "LICENSE").read_bytes()
    assert notices == (ROOT / "THIRD_PARTY_NOTICES").read_text()
    libraries = [name for name in names if re.search(r"\.so(\.|$)", name)]
    bundled = [pathlib.PurePath(name).name for name in libraries if not OWN.search(name)]
    assert len(bundled) == 1, bundled
    for name in bundled:
        assert f"\n{name}" in notices, name


def test_the_notices_have_the_licences_in_full() -> None:
    notices = (ROOT / "THIRD_PARTY_NOTICES").read_text()
    assert "oneTBB" in notices
    assert (ROOT / "LICENSE").read_text().strip() in notices
    for end in ("END OF TERMS AND CONDITIONS", "consistent with the licensing of the Independent Modules."):
        assert end in notices


@pytest.mark.skipif(NUPKG is None, reason="the C# package is not built")
def test_the_nuget_package_says_what_each_of_its_files_is() -> None:
    with zipfile.ZipFile(NUPKG or "") as archive:
        types = xml.etree.ElementTree.fromstring(archive.read("[Content_Types].xml"))
        names = [name for name in archive.namelist() if not name.endswith("/") and name != "[Content_Types].xml"]
    extensions = {each.get("Extension") for each in types if each.tag.endswith("Default")}
    parts = {each.get("PartName") for each in types if each.tag.endswith("Override")}
    for name in names:
        assert name.rpartition(".")[2] in extensions or f"/{name}" in parts, name


@pytest.fixture
def unpacked(tmp_path: pathlib.Path) -> pathlib.Path:
    zipfile.ZipFile(NUPKG or "").extractall(tmp_path / "package")
    return tmp_path / "package"


@pytest.mark.skipif(NUPKG is None, reason="the C# package is not built")
def test_a_program_with_the_unpacked_package_finds_its_simulator(
    unpacked: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """The example project's program, which the .NET SDK is not there to build, with Mono."""
    assembly = unpacked / "lib" / "netstandard2.0"
    program = tmp_path / "Program.exe"
    source = PROJECTS / "dotnet" / "Program.cs"
    run(os.environ["CUPRUM_TEST_MCS"], f"-r:{assembly / 'Cuprum.dll'}", f"-out:{program}", source)
    text = run(os.environ["CUPRUM_TEST_MONO"], program, MONO_PATH=str(assembly))
    assert text == "Cuprum simulator (no GPU): y[0] = 5\n"


def version() -> str:
    found = re.search(r"project\(Cuprum VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert found is not None
    return found[1]


def test_the_dotnet_project_takes_the_package_of_this_version() -> None:
    # Well-formed, and no more: there is no .NET SDK here to build it with.
    project = xml.etree.ElementTree.parse(PROJECTS / "dotnet" / "Saxpy.csproj").getroot()
    reference = project.find("ItemGroup/PackageReference")
    assert reference is not None
    assert (reference.get("Include"), reference.get("Version")) == ("Cuprum", version())


def test_the_maven_project_takes_the_jar_of_this_version() -> None:
    # Well-formed, and no more: Maven would fetch its plugins, and there is no network here.
    namespace = {"m": "http://maven.apache.org/POM/4.0.0"}
    text = (PROJECTS / "maven" / "pom.xml").read_text()
    project = xml.etree.ElementTree.fromstring(text)
    (dependency,) = project.findall("m:dependencies/m:dependency", namespace)
    assert [element.text for element in dependency] == ["io.cuprum", "cuprum", version()]
    assert f"-Dversion={version()}" in text
    main = project.findtext("m:properties/m:exec.mainClass", namespaces=namespace)
    assert (PROJECTS / "maven" / "src" / "main" / "java" / f"{main}.java").exists()


@pytest.mark.skipif(JAR is None, reason="the Java package is not built")
def test_the_maven_projects_program_runs_with_the_jar(tmp_path: pathlib.Path) -> None:
    source = PROJECTS / "maven" / "src" / "main" / "java" / "Saxpy.java"
    run(os.environ["CUPRUM_TEST_JAVAC"], "--release", "17", "-cp", JAR, "-d", tmp_path, source)
    assert run(os.environ["CUPRUM_TEST_JAVA"], "-cp", f"{JAR}:{tmp_path}", "Saxpy").endswith("y[0] = 5.0\n")
