"""Members of the objects of the C ABI are made from its headers for Java, C# and Python."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("CUPRUM_TEST_BUILD", ROOT / "build"))
GENERATOR = ROOT / "swig" / "generator" / "generate_interface.py"
sys.path[:0] = [str(ROOT / folder / "generator") for folder in ("capi", "swig", "bindings")]

import csharp_members  # noqa: E402
import description  # noqa: E402
import java_members  # noqa: E402
import operations  # noqa: E402
import python_members  # noqa: E402

PROPERTY = """
/* Whether it is `warm`. CUPRUM_ERROR_DEVICE_FAULT when a kernel failed.
 * @does asking whether a stream is warm
 * @truth warm_out
 * @property */
CUPRUM_API cuprum_status cuprum_stream_is_warm(int32_t* warm_out, cuprum_stream stream);
"""
METHOD = """
/* How many bytes are left.
 * @does asking for what is left
 * @method bytes_left
 * @group occupancy
 * @param device on which
 * @param event after which
 * @param count of blocks, < 8
 * @default count 1 */
CUPRUM_API cuprum_status cuprum_kernel_left(uint64_t* bytes_out, cuprum_kernel kernel, int32_t device,
                                            cuprum_event event, uint32_t count);
"""


def described(folder: pathlib.Path, declarations: str) -> description.Description:
    """The headers as they are, with more at the end of one."""
    shutil.copytree(description.FOLDER, folder, dirs_exist_ok=True)
    with (folder / "program.h").open("a") as header:
        header.write(declarations)
    return description.load(folder)


def test_a_property(tmp_path: pathlib.Path) -> None:
    abi = described(tmp_path, PROPERTY)
    java = java_members.files(abi)["StreamMembers.java"]
    assert "{@return whether it is {@code warm}}" in java
    assert "@throws DeviceFaultException when a kernel failed" in java
    assert "public boolean isWarm() {" in java
    assert "CuprumNative.cuprum_stream_is_warm(result, open(Operations.STREAM_IS_WARM));" in java
    csharp = csharp_members.text(abi)
    assert "/// <summary>Whether it is <c>warm</c>.</summary>" in csharp
    assert '/// <exception cref="DeviceFaultException">A kernel failed.</exception>' in csharp
    assert "public bool IsWarm {" in csharp
    assert "CuprumNative.cuprum_stream_is_warm(out result, Use(Operations.StreamIsWarm));" in csharp
    python = python_members.text(abi)
    assert "    @property\n    def is_warm(self) -> bool:" in python
    assert '"""Whether it is ``warm``. DeviceFault when a kernel failed."""' in python
    assert 'bool(_cuprum.cuprum_stream_is_warm(self._open_native("asking whether a stream is warm")))' in python


def test_a_method_with_inputs(tmp_path: pathlib.Path) -> None:
    abi = described(tmp_path, METHOD)
    java = java_members.files(abi)["KernelMembers.java"]
    assert "public long bytesLeft(Device device, Event event, int count) {" in java
    assert "@param count of blocks, &lt; 8" in java
    assert 'Objects.requireNonNull(event, "event must not be null");' in java
    assert "device.deviceId(), event.open(Operations.KERNEL_LEFT), Integer.toUnsignedLong(count));" in java
    assert "Reference.reachabilityFence(event);" in java
    csharp = csharp_members.text(abi)
    assert "public ulong BytesLeft(Device device, Event @event, uint count = 1) {" in csharp
    assert '<param name="count">Of blocks, &lt; 8.</param>' in csharp
    python = python_members.text(abi)
    # In Python the group's device is the current one.
    occupancy = python.split("class KernelOccupancyMembers")[1]
    assert "def bytes_left(self, event: Event, count: int = 1) -> int:" in occupancy
    assert "_current.device_id(), event._open_native(" in occupancy


@pytest.mark.parametrize("status", [name for name in description.load().constants if name.startswith("CUPRUM_ERROR_")])
def test_the_exceptions_that_are_named_exist(tmp_path: pathlib.Path, status: str) -> None:
    abi = described(tmp_path, PROPERTY.replace("CUPRUM_ERROR_DEVICE_FAULT", status))
    java = re.search(
        r"@throws (\w+)", java_members.files(abi)["StreamMembers.java"].split("isWarm")[0].split("/**")[-1]
    )
    csharp = re.search(r'<exception cref="(\w+)"', csharp_members.text(abi).split("IsWarm")[0].split("<summary>")[-1])
    python = re.search(r"(\w+) when a kernel failed", python_members.text(abi).split("def is_warm")[1])
    assert java
    assert csharp
    assert python
    swig = ROOT / "swig"
    assert (swig / "java" / "src" / "io" / "cuprum" / f"{java[1]}.java").exists()
    assert f"class {csharp[1]} " in (swig / "csharp" / "src" / "CuprumException.cs").read_text()
    assert f"class {python[1]}(" in (swig / "python" / "cuprum" / "_errors.py").read_text()


def test_what_a_language_writes_by_hand_is_left_to_it(tmp_path: pathlib.Path) -> None:
    abi = described(tmp_path, PROPERTY.replace("@property", "@property\n * @by_hand java csharp"))
    assert "isWarm" not in java_members.files(abi)["StreamMembers.java"]
    assert "IsWarm" not in csharp_members.text(abi)
    assert "def is_warm(" in python_members.text(abi)


@pytest.mark.parametrize(
    ("declaration", "complaint"),
    [
        (PROPERTY.replace("@truth warm_out", "@truth stream"), "@truth stream is not an int32_t"),
        (PROPERTY.replace("@property", "@property\n * @method"), "a @property or a @method, not both"),
        (PROPERTY.replace("@property", "@by_hand java"), "@by_hand is for members"),
        (PROPERTY.replace("@property", "@property\n * @by_hand cobol"), "@by_hand cobol is not a language"),
        (PROPERTY.replace("_stream_is_warm", "_streams_warm"), "is called cuprum_stream_<member>"),
        (
            PROPERTY.replace("int32_t* warm_out, ", "").replace("@truth warm_out", "@blocks"),
            "a property has one output",
        ),
        (PROPERTY.replace("int32_t* warm_out", "double* warm_out").replace("@truth warm_out", "@blocks"), "double"),
        (
            PROPERTY.replace("Whether it is `warm`. CUPRUM_ERROR_DEVICE_FAULT when a kernel failed.", ""),
            "needs a comment",
        ),
        (METHOD.replace("@param count", "@param county"), "no '@param count TEXT'"),
        (METHOD.replace("@default count", "@default county"), "county is not an input"),
    ],
)
def test_what_makes_no_member_is_refused(tmp_path: pathlib.Path, declaration: str, complaint: str) -> None:
    with pytest.raises(description.DescriptionError, match=re.escape(complaint)):
        described(tmp_path, declaration)


@pytest.mark.parametrize(
    ("language", "folder"),
    [("java", "java/generated"), ("csharp", "csharp/generated/interface"), ("python", "python/modules")],
)
def test_the_build_uses_what_the_headers_give(tmp_path: pathlib.Path, language: str, folder: str) -> None:
    subprocess.run([sys.executable, "-B", GENERATOR, f"--{language}", tmp_path], check=True)
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert len(made) >= 2
    for path in made:
        assert (BUILD / "swig" / folder / path).read_text() == (tmp_path / path).read_text(), path


def test_every_language_says_the_same_words() -> None:
    abi = description.load()
    expected = [function.does for function in abi.functions if function.does]
    for text in (operations.java(abi), operations.csharp(abi), operations.python(abi)):
        assert re.findall(r' = "(.*)"', text) == expected


def test_what_is_written_by_hand_takes_its_words_from_the_headers() -> None:
    # An algorithm of any kind: no function of the C ABI calls one.
    words = {"calling an algorithm", *(function.does for function in description.load().functions)}
    call = r'\b(?:with|open|Use|UseOptional|_open_native|native_stream)\((?:\w+, )?"([a-z]+ing [^"]*)"'
    # In C++ they are also given to helpers.
    literals = dict.fromkeys((".java", ".cs", ".py"), call) | {
        ".hpp": r'"([a-z]+ing (?:a|an|for|from|to|whether) [^"]*)"'
    }
    own = [path for path in (ROOT / "swig").rglob("*") if path.suffix in literals]
    assert len(own) > 150
    found = {
        (path.name, text)
        for path in own
        for text in re.findall(literals[path.suffix], path.read_text())
        if text not in words
    }
    assert not found
