"""What Python itself asks of every public object: iteration, membership, missing attributes, copies, pickles."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Iterator
from typing import Any

import cuprum
import cuprum.core
import cuprum.core.utils
import cuprum.pathfinder
import pytest
from cuprum import _cuprum
from cuprum.core import Device, DeviceMemoryResource, LaunchConfig, ObjectCode, Program, ProgramOptions

SOURCE = 'extern "C" __global__ void first(int* p) {} extern "C" __global__ void second(float a) {}'


@pytest.fixture(scope="module")
def program() -> Iterator[Program]:
    with Program(SOURCE) as program:
        program.compile("ptx")
        yield program


@pytest.fixture(scope="module")
def objects(program: Program) -> dict[str, Any]:
    device = Device(0)
    stream = device.create_stream()
    code = program.compile("ptx")
    kernel = code.get_kernel("first")
    return {
        "device": device,
        "properties": device.properties,
        "stream": stream,
        "default stream": device.default_stream,
        "event": stream.record(),
        "buffer": device.allocate(16),
        "program": program,
        "new program": Program(SOURCE),
        "options": ProgramOptions(),
        "code": code,
        "kernel": kernel,
        "attributes": kernel.attributes,
        "occupancy": kernel.occupancy,
        "parameter": kernel.arguments_info[0],
        "config": LaunchConfig(1, block=1),
        "view": cuprum.core.utils.StridedMemoryView(device.allocate(16), stream.handle),
        "error": cuprum.InvalidArgument("no"),
    }


NAMES = ["device", "properties", "stream", "default stream", "event", "buffer", "program", "new program", "options"] + [
    "code",
    "kernel",
    "attributes",
    "occupancy",
    "parameter",
    "config",
    "view",
    "error",
]
#: Those that are sequences.
ITERABLE = {"parameter"}
#: Those that stand for nothing but what they say.
VALUES = {"device", "options", "config", "code", "parameter", "error"}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_sequence_is_not_iterated(objects: dict[str, Any], name: str) -> None:
    if name in ITERABLE:
        assert len(tuple(objects[name])) == 2
        return
    with pytest.raises(TypeError):
        iter(objects[name])
    with pytest.raises(TypeError):
        print(1 in objects[name])


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_attribute_is_an_attribute_error(objects: dict[str, Any], name: str) -> None:
    assert not hasattr(objects[name], "nope")
    assert not hasattr(objects[name], "__nope__")
    assert getattr(objects[name], "nope", 7) == 7


@pytest.mark.parametrize("name", NAMES)
def test_inspect_looks_at_everything(objects: dict[str, Any], name: str, device: Device) -> None:
    # An event or a buffer that is not shared has no descriptor, and says so.
    if name == "event":
        assert inspect.getmembers(device.create_event({"ipc_enabled": True}))
    elif name == "buffer":
        pool = DeviceMemoryResource(device, {"ipc_enabled": True})
        assert inspect.getmembers(pool.allocate(16, stream=device.default_stream))
    else:
        assert inspect.getmembers(objects[name])
    assert inspect.unwrap(objects[name]) is objects[name]
    assert not inspect.isgenerator(objects[name])
    assert repr(objects[name])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_a_copy_is_whole_or_a_type_error(objects: dict[str, Any], name: str, how: Any) -> None:
    try:
        copied = how(objects[name])
    except TypeError:
        assert name not in VALUES
        return
    assert type(copied) is type(objects[name])
    if name in VALUES:
        assert repr(copied) == repr(objects[name])


def test_what_owns_a_resource_says_why_it_is_not_copied(objects: dict[str, Any]) -> None:
    for name in ("stream", "event", "buffer", "program", "kernel"):
        with pytest.raises(TypeError, match=f"cannot copy or pickle a {type(objects[name]).__name__}: "):
            copy.copy(objects[name])


def test_a_name_that_is_no_kernel_lists_those_there_are(program: Program) -> None:
    assert not hasattr(program, "nope")
    with pytest.raises(AttributeError, match=r"(?s)'Program' object has no attribute 'nope'.*first.*second") as caught:
        _ = program.nope
    assert caught.value.name == "nope"
    assert program.first.name == "first"


def test_a_program_that_is_not_compiled_says_so() -> None:
    with Program(SOURCE) as program:
        assert not hasattr(program, "first")
        with pytest.raises(AttributeError, match=r"no attribute 'first'.*call compile\(\) first"):
            _ = program.first


def test_a_program_whose_code_cannot_be_loaded_has_no_attributes_of_its_kernels() -> None:
    with Program(SOURCE) as program:
        program.compile("ltoir")
        assert not hasattr(program, "first")
        with pytest.raises(AttributeError, match="LTO-IR"):
            _ = program.first
        program.compile("ptx").close()
        with pytest.raises(AttributeError, match="closed"):
            _ = program.first


@pytest.mark.parametrize("module", [cuprum, cuprum.core, cuprum.pathfinder])
def test_no_public_class_is_iterated_by_its_items_alone(module: Any) -> None:
    """`__getitem__` without `__iter__` makes Python try 0, 1, 2 and so on, until an IndexError that may never come."""
    for name in module.__all__:
        each = getattr(module, name)
        if inspect.isclass(each) and hasattr(each, "__getitem__"):
            assert hasattr(each, "__iter__"), name


def test_the_code_of_a_pickle_is_the_same(program: Program) -> None:
    code = program.compile("ptx")
    again: ObjectCode = pickle.loads(pickle.dumps(code))
    assert again.code == code.code
    assert again.get_kernel("first").arguments_info[0].size == 8


@pytest.mark.parametrize(
    ("cls", "base", "names"),
    [
        (
            cuprum.core.Stream,
            _cuprum.StreamHandle,
            ("handle", "is_nonblocking", "priority", "is_done", "sync", "synchronize", "record", "wait"),
        ),
        (cuprum.core.Event, _cuprum.EventHandle, ("handle", "is_done", "sync", "synchronize")),
        (cuprum.core.Buffer, _cuprum.BufferHandle, ("handle", "size", "device_id", "fill", "copy_from")),
    ],
)
def test_a_method_in_c_is_one_of_the_type_that_it_is_written_for(cls: type, base: type, names: tuple[str, ...]) -> None:
    assert base in cls.__bases__
    for name in names:
        written = vars(base)[name]
        assert written.__objclass__ is base
        # The class has it too, so that Python calls it without asking what the object's class derives from.
        own = vars(cls)[name]
        assert (own.__objclass__, own.__doc__) == (cls, written.__doc__)


def test_a_class_of_the_users_inherits_what_its_own_base_says() -> None:
    class Named(cuprum.core.Stream):
        def sync(self) -> None:
            """Another one."""

    class Further(Named):
        pass

    assert Further.sync is Named.sync
    assert "record" not in vars(Named)
    assert Further.record is cuprum.core.Stream.record
