"""What Cuprum says to every mistake of mistakes.py. `python mistakes.py` prints all of it, to be read."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator

import mistakes
import pytest
from conftest import RunPython

#: What no message may have, and why.
FORBIDDEN = {
    r"in method '": "SWIG's own words",
    r"argument \d+ of type": "SWIG's own words",
    r"\bu?int(32|64)_t\b": "a C type",
    r"\bcuprum_\w+": "a function of the C ABI",
    r"\bCUPRUM_[A-Z]+_[A-Z]+\b": "a constant of the C ABI",
    r"[A-Za-z]::[A-Za-z~]": "a C++ name",
    r"\b_[a-z]\w*\(\)": "a private function",
    r"\b(invalid_argument|invalid_state|kernel_not_found|library_not_found)\b": "the status in place of a reason",
    r"object has no attribute '(lower|copy_from|_open_native)'": "an accident inside Cuprum",
    r"cannot be interpreted as an integer": "a value without the name of its argument",
    r"\bslicing\b": "not what was asked for",
    r"[ \t]\n": "trailing white space",
}
#: Environment variables that messages name on purpose.
VARIABLES = re.compile(r"\bCUPRUM_(DRIVER|SIM|CACHE|CACHE_DIR|CACHE_SIZE|SIMULATOR_PATH|CCCL_PATH|TOOLKIT)\b")


def faults_of(message: str) -> Iterator[str]:
    text = VARIABLES.sub("", message)
    # What a compiler says about C++ is not ours.
    text = "\n".join(line for line in text.splitlines() if not re.match(r"^(\S+\(\d+\): |    |options: )", line))
    for pattern, why in FORBIDDEN.items():
        found = re.search(pattern, text + "\n")
        if found:
            yield f"{why}: {found[0]!r}"
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    said = [re.sub(r"^(\w+: )*", "", line) for line in lines]
    for position, line in enumerate(said):
        others = lines[:position] + lines[position + 1 :]
        # A compiler repeats the source line.
        if len(line) > 20 and "^" not in message and any(line in other for other in others):
            yield f"said twice: {line!r}"
    if len(message) < 10:
        yield "too short to tell anything"
    if message and (message[0].isupper() and not re.match(r"[A-Z]\w*[A-Z(.]|[A-Z]\w+ |\[Errno", message)):
        yield "begins as no other message does"


@pytest.fixture(scope="module")
def names() -> Iterator[mistakes.Names]:
    found = mistakes.Names()
    yield found
    # A test that has failed keeps its names for a while: no test after it could wait for the device meanwhile.
    found["building"].close()


#: Mistakes that are attributes which are not there.
ATTRIBUTES = {"Program(SOURCE).saxpy"}


@pytest.mark.parametrize("subject", mistakes.MISTAKES)
def test_every_mistake_is_answered_in_words_that_help(subject: str, names: mistakes.Names) -> None:
    wrong = []
    for mistake in mistakes.MISTAKES[subject]:
        class_name, message = mistakes.provoke(mistake, names)
        problems = list(faults_of(message)) if class_name else ["no error"]
        # What Python itself asks for with hasattr() is an AttributeError; anywhere else that is a slip of ours.
        if class_name == "builtins.AttributeError" and mistake not in ATTRIBUTES and "no_such_property" not in mistake:
            problems.append("an AttributeError")
        wrong += [f"{mistake}\n  {class_name}: {message}\n  -> {problem}" for problem in problems]
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("fault", mistakes.FAULTS)
def test_a_fault_is_described_once(fault: str, run_python: RunPython) -> None:
    folder = str(pathlib.Path(__file__).parent)
    program = (
        f"import sys; sys.path.insert(0, {folder!r}); import mistakes; sys.argv[1:] = [{fault!r}]; mistakes.main()"
    )
    shown = run_python(program).stdout
    lines = shown.splitlines()[2:]
    assert "DeviceFault" in shown
    message = "\n".join(line.removeprefix("    ") for line in lines)
    assert not list(faults_of(message)), shown
    assert "the context is lost" in message


def test_bad_messages_would_be_found() -> None:
    assert list(faults_of("in method 'cuprum_buffer_allocate', argument 3 of type 'uint64_t'"))
    assert list(faults_of("create both with EventOptions::timing_enabled"))
    assert list(faults_of("waiting: X\nCUDA_ERROR: kernel 'k' wrote to 0x0\nsync: CUDA_ERROR: kernel 'k' wrote to 0x0"))
    assert not list(faults_of("grid must be an int or a tuple of ints, not '1'"))


def test_errors_name_the_call_that_was_made_and_the_object(names: mistakes.Names) -> None:
    said = {mistake: mistakes.provoke(mistake, names)[1] for some in mistakes.MISTAKES.values() for mistake in some}
    assert said["device.allocate(-1)"] == "size must be an int from 0 to 18446744073709551615, not -1"
    assert said["device.allocate(1.5)"] == "size must be an int, not float"
    copy = said["small.copy_from_host(bytes(800))"]
    assert re.match(
        r"copying 800 bytes from host memory \(Buffer 0x\w+ \(16 bytes\) on device 0\): the buffer has only", copy
    )
    assert "only 8 bytes of the buffer follow offset 8" in said["small.copy_from_host(bytes(16), offset=8)"]
    assert "timing option" in said["event - timed"]
    assert "fill()" in said["small.fill(1)"]
    assert "launch()" in said["launch()"]
    assert said["Program(SOURCE, 'c++', {'archs': 'sm_90'})"].endswith("did you mean arch?")
