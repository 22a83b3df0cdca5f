"""Devices, launch configurations, pathfinder, and the names of the package."""

from __future__ import annotations

import pathlib
import pickle
import re
import sys

import cuprum
import cuprum.core
import pytest
from cuprum import _cuprum, pathfinder
from cuprum.core import Device, DeviceProperties

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "capi" / "generator"))

import description  # noqa: E402


def test_a_device_is_one_object() -> None:
    assert Device(0) is Device(0)
    assert Device() is Device(0)
    assert pickle.loads(pickle.dumps(Device(0))) is Device(0)
    assert int(Device(0)) == 0
    assert Device(0) in {Device(0)}
    assert Device(0) != 0
    assert Device.get_all_devices()[0] is Device(0)


def test_the_name_of_the_simulator_says_that_it_is_one(device: Device) -> None:
    assert device.is_simulator == ("simulator" in device.name.lower())


def test_a_device_describes_itself(device: Device) -> None:
    assert re.fullmatch(r"GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", device.uuid)
    assert re.fullmatch(r"[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.\d", device.pci_bus_id.lower())
    major, minor = device.compute_capability
    assert device.arch == f"{major}{minor}"
    assert device.compute_capability.major == major


def test_free_and_total_memory_are_of_one_moment(device: Device) -> None:
    memory = device.memory_info
    assert 0 < memory.free <= memory.total
    assert memory.total == device.total_memory
    with device.allocate(1 << 20):
        assert device.memory_info.free <= memory.free
    assert (memory.free, memory.total) == memory


def test_the_properties_show_themselves(device: Device) -> None:
    shown = repr(device.properties)
    assert "warp_size=32" in shown
    for name in ("max_threads_per_block", "unified_addressing", "compute_capability_major"):
        assert f"    {name}={getattr(device.properties, name)!r}" in shown
    # What this driver does not know is left out.
    assert shown.count("=") <= len(device.properties.names())


def test_the_properties_agree_with_the_librarys_own(device: Device) -> None:
    for name, value in _cuprum.cuprum_device_properties_get(0).items():
        if name != "is_simulator":
            assert getattr(device.properties, name) == value, name
    assert device.properties.warp_size == 32
    assert device.properties.unified_addressing is True


def test_every_property_can_be_read(device: Device) -> None:
    names = DeviceProperties.names()
    assert len(names) > 120
    for name in names:
        assert isinstance(getattr(device.properties, name), int), name


def test_pathfinder_finds_the_toolkit() -> None:
    path = pathfinder.find_cuda_library("nvrtc")
    assert pathlib.Path(path).name.startswith("libnvrtc.so")
    assert pathfinder.locate_nvidia_dynamic_lib("nvrtc").found_via
    folders = pathfinder.find_cuda_include_dirs()
    assert any((pathlib.Path(folder) / "cuda.h").exists() for folder in folders)
    assert any((pathlib.Path(folder) / "cub" / "cub.cuh").exists() for folder in folders)
    assert pathfinder.find_nvidia_header_directory("cudart") == folders[0]


def test_pathfinder_refuses_names_that_it_does_not_know() -> None:
    with pytest.raises(cuprum.InvalidArgument) as caught:
        pathfinder.find_cuda_library("cufoo")
    assert all(name in str(caught.value) for name in pathfinder.SUPPORTED_NVIDIA_LIBNAMES)
    assert isinstance(caught.value, pathfinder.DynamicLibUnknownError)


def test_the_whole_c_abi_is_there() -> None:
    # Those that take or give a struct of errors are used by the interface itself, those of the CUDA libraries by the
    # extension module of cuprum.bindings, launches are `launch` and a method, and memory resources of the program's and
    # what takes a kernel's arguments or a function are functions of the module's own.
    exports = {function.name for function in description.load().functions} - {
        "cuprum_communicator_create_process",
        "cuprum_error_last",
        "cuprum_graph_builder_callback",
        "cuprum_graph_definition_add_callback",
        "cuprum_graph_definition_add_kernel",
        "cuprum_graph_definition_update_callback",
        "cuprum_graph_definition_update_kernel",
        "cuprum_graph_update_callback",
        "cuprum_graph_update_kernel",
        "cuprum_launch",
        "cuprum_memory_resource_create_user",
        "cuprum_stream_launch_host_function",
    }
    here = {name for name in dir(_cuprum) if name.startswith("cuprum_")}
    assert {name for name in exports if not name.startswith("cuprum_bindings_")} == here


def test_the_stub_file_has_what_the_module_has() -> None:
    stub = pathlib.Path(cuprum.core.__file__).parents[1] / "_cuprum.pyi"
    declared = set(re.findall(r"^def (\w+)\(", stub.read_text(), re.MULTILINE))
    ours = "begin_ buffer_ create_ cuprum_ current_ destroy_ dlpack_ forget_ graph_ launch release_ run set_ sync_"
    assert declared == {name for name in dir(_cuprum) if name.startswith(tuple(ours.split()))}


def test_statuses_and_domains_have_the_numbers_of_the_c_abi() -> None:
    for status in cuprum.Status:
        name = "CUPRUM_SUCCESS" if status == 0 else f"CUPRUM_ERROR_{status.name}"
        assert getattr(_cuprum, name) == status
        assert _cuprum.cuprum_error_status_name(status) == name
    for domain in cuprum.ErrorDomain:
        assert getattr(_cuprum, f"CUPRUM_DOMAIN_{domain.name}") == domain


def test_all_public_names_exist_and_all_errors_have_one_root() -> None:
    for module in (cuprum, cuprum.core, pathfinder):
        for name in module.__all__:
            thing = getattr(module, name)
            if isinstance(thing, type) and issubclass(thing, Exception) and thing is not cuprum.CUDAWarning:
                assert issubclass(thing, cuprum.Error)


def test_an_error_carries_everything_and_survives_pickling() -> None:
    with pytest.raises(cuprum.InvalidHandle) as caught:
        _cuprum.cuprum_stream_sync(3)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert type(error) is cuprum.InvalidHandle
        assert error.status is cuprum.Status.INVALID_HANDLE
        assert error.domain is cuprum.ErrorDomain.CUPRUM
        assert error.operation
        assert str(error) == str(caught.value)
        assert isinstance(error.code, int)


def test_versions_are_those_of_the_library(device: Device) -> None:
    assert cuprum.__version__ == cuprum.core.__version__
    assert re.fullmatch(r"\d+\.\d+\.\d+", cuprum.__version__)
    declared = re.search(r"project\(Cuprum VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert declared is not None
    assert cuprum.__version__ == declared[1]
    assert _cuprum.cuprum_driver_version() >= 12000
    assert _cuprum.cuprum_nvrtc_version()[0] >= 12
