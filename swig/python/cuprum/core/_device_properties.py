"""A device's abilities and limits."""

from __future__ import annotations

from typing import overload

from cuprum._errors import CUDAError
from cuprum._native import _cuprum


def _attribute_name(name: str) -> str:
    return f"``CU_DEVICE_ATTRIBUTE_{name.upper()}``"


class _Number:
    # A CUdevice_attribute that is a number; read at first use, then kept by the instance. No docstring: it would be
    # that of the instances, which have their own.

    __slots__ = ("__doc__", "_attribute", "_name")

    def __init__(self, attribute: int) -> None:
        self._attribute = attribute
        self._name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        self.__doc__ = f"{_attribute_name(name)}, a number."

    @overload
    def __get__(self, instance: None, owner: type) -> _Number: ...
    @overload
    def __get__(self, instance: DeviceProperties, owner: type) -> int: ...
    def __get__(self, instance: DeviceProperties | None, owner: type) -> int | _Number:
        if instance is None:
            return self
        return instance._read(self._name, self._attribute)


class _Flag:
    # A CUdevice_attribute that says yes or no.

    __slots__ = ("__doc__", "_attribute", "_name")

    def __init__(self, attribute: int) -> None:
        self._attribute = attribute
        self._name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        self.__doc__ = f"{_attribute_name(name)}, true or false."

    @overload
    def __get__(self, instance: None, owner: type) -> _Flag: ...
    @overload
    def __get__(self, instance: DeviceProperties, owner: type) -> bool: ...
    def __get__(self, instance: DeviceProperties | None, owner: type) -> bool | _Flag:
        if instance is None:
            return self
        return bool(instance._read(self._name, self._attribute))


class DeviceProperties:
    """The attributes of a device, as ``cuda.h`` names them. Sizes are bytes, clock rates kHz.

    Each is read from the driver at its first use. One that the driver does not know raises CUDAError. ``repr()`` shows
    all that it knows.
    """

    __slots__ = ("_device_id", "_values")

    def __init__(self, device_id: int) -> None:
        """The properties of the device with that ordinal, like ``Device.properties``."""
        self._device_id = device_id
        self._values: dict[str, int] = {}

    def _read(self, name: str, attribute: int) -> int:
        value = self._values.get(name)
        if value is None:
            value = self._values[name] = _cuprum.cuprum_device_attribute(self._device_id, attribute)
        return value

    @classmethod
    def names(cls) -> list[str]:
        """The names of all properties."""
        return [name for name, value in vars(cls).items() if isinstance(value, _Number | _Flag)]

    def __repr__(self) -> str:
        known = []
        for name in self.names():
            try:
                known.append(f"    {name}={getattr(self, name)!r}")
            except CUDAError:
                continue  # newer than this driver
        return f"<DeviceProperties of device {self._device_id}:\n" + ",\n".join(known) + ">"

    max_threads_per_block = _Number(1)
    max_block_dim_x = _Number(2)
    max_block_dim_y = _Number(3)
    max_block_dim_z = _Number(4)
    max_grid_dim_x = _Number(5)
    max_grid_dim_y = _Number(6)
    max_grid_dim_z = _Number(7)
    max_shared_memory_per_block = _Number(8)
    total_constant_memory = _Number(9)
    warp_size = _Number(10)
    max_pitch = _Number(11)
    max_registers_per_block = _Number(12)
    clock_rate = _Number(13)
    texture_alignment = _Number(14)
    gpu_overlap = _Flag(15)
    multiprocessor_count = _Number(16)
    kernel_exec_timeout = _Flag(17)
    integrated = _Flag(18)
    can_map_host_memory = _Flag(19)
    compute_mode = _Number(20)
    maximum_texture1d_width = _Number(21)
    maximum_texture2d_width = _Number(22)
    maximum_texture2d_height = _Number(23)
    maximum_texture3d_width = _Number(24)
    maximum_texture3d_height = _Number(25)
    maximum_texture3d_depth = _Number(26)
    maximum_texture2d_layered_width = _Number(27)
    maximum_texture2d_layered_height = _Number(28)
    maximum_texture2d_layered_layers = _Number(29)
    surface_alignment = _Number(30)
    concurrent_kernels = _Flag(31)
    ecc_enabled = _Flag(32)
    pci_bus_id = _Number(33)
    pci_device_id = _Number(34)
    tcc_driver = _Flag(35)
    memory_clock_rate = _Number(36)
    global_memory_bus_width = _Number(37)
    l2_cache_size = _Number(38)
    max_threads_per_multiprocessor = _Number(39)
    async_engine_count = _Number(40)
    unified_addressing = _Flag(41)
    maximum_texture1d_layered_width = _Number(42)
    maximum_texture1d_layered_layers = _Number(43)
    can_tex2d_gather = _Flag(44)
    maximum_texture2d_gather_width = _Number(45)
    maximum_texture2d_gather_height = _Number(46)
    maximum_texture3d_width_alternate = _Number(47)
    maximum_texture3d_height_alternate = _Number(48)
    maximum_texture3d_depth_alternate = _Number(49)
    pci_domain_id = _Number(50)
    texture_pitch_alignment = _Number(51)
    maximum_texturecubemap_width = _Number(52)
    maximum_texturecubemap_layered_width = _Number(53)
    maximum_texturecubemap_layered_layers = _Number(54)
    maximum_surface1d_width = _Number(55)
    maximum_surface2d_width = _Number(56)
    maximum_surface2d_height = _Number(57)
    maximum_surface3d_width = _Number(58)
    maximum_surface3d_height = _Number(59)
    maximum_surface3d_depth = _Number(60)
    maximum_surface1d_layered_width = _Number(61)
    maximum_surface1d_layered_layers = _Number(62)
    maximum_surface2d_layered_width = _Number(63)
    maximum_surface2d_layered_height = _Number(64)
    maximum_surface2d_layered_layers = _Number(65)
    maximum_surfacecubemap_width = _Number(66)
    maximum_surfacecubemap_layered_width = _Number(67)
    maximum_surfacecubemap_layered_layers = _Number(68)
    maximum_texture1d_linear_width = _Number(69)
    maximum_texture2d_linear_width = _Number(70)
    maximum_texture2d_linear_height = _Number(71)
    maximum_texture2d_linear_pitch = _Number(72)
    maximum_texture2d_mipmapped_width = _Number(73)
    maximum_texture2d_mipmapped_height = _Number(74)
    compute_capability_major = _Number(75)
    compute_capability_minor = _Number(76)
    maximum_texture1d_mipmapped_width = _Number(77)
    stream_priorities_supported = _Flag(78)
    global_l1_cache_supported = _Flag(79)
    local_l1_cache_supported = _Flag(80)
    max_shared_memory_per_multiprocessor = _Number(81)
    max_registers_per_multiprocessor = _Number(82)
    managed_memory = _Flag(83)
    multi_gpu_board = _Flag(84)
    multi_gpu_board_group_id = _Number(85)
    host_native_atomic_supported = _Flag(86)
    single_to_double_precision_perf_ratio = _Number(87)
    pageable_memory_access = _Flag(88)
    concurrent_managed_access = _Flag(89)
    compute_preemption_supported = _Flag(90)
    can_use_host_pointer_for_registered_mem = _Flag(91)
    cooperative_launch = _Flag(95)
    max_shared_memory_per_block_optin = _Number(97)
    can_flush_remote_writes = _Flag(98)
    host_register_supported = _Flag(99)
    pageable_memory_access_uses_host_page_tables = _Flag(100)
    direct_managed_mem_access_from_host = _Flag(101)
    virtual_memory_management_supported = _Flag(102)
    handle_type_posix_file_descriptor_supported = _Flag(103)
    handle_type_win32_handle_supported = _Flag(104)
    handle_type_win32_kmt_handle_supported = _Flag(105)
    max_blocks_per_multiprocessor = _Number(106)
    generic_compression_supported = _Flag(107)
    max_persisting_l2_cache_size = _Number(108)
    max_access_policy_window_size = _Number(109)
    gpu_direct_rdma_with_cuda_vmm_supported = _Flag(110)
    reserved_shared_memory_per_block = _Number(111)
    sparse_cuda_array_supported = _Flag(112)
    read_only_host_register_supported = _Flag(113)
    timeline_semaphore_interop_supported = _Flag(114)
    memory_pools_supported = _Flag(115)
    gpu_direct_rdma_supported = _Flag(116)
    gpu_direct_rdma_flush_writes_options = _Number(117)
    gpu_direct_rdma_writes_ordering = _Number(118)
    mempool_supported_handle_types = _Number(119)
    cluster_launch = _Flag(120)
    deferred_mapping_cuda_array_supported = _Flag(121)
    can_use_64_bit_stream_mem_ops = _Flag(122)
    can_use_stream_wait_value_nor = _Flag(123)
    dma_buf_supported = _Flag(124)
    ipc_event_supported = _Flag(125)
    mem_sync_domain_count = _Number(126)
    tensor_map_access_supported = _Flag(127)
    handle_type_fabric_supported = _Flag(128)
    unified_function_pointers = _Flag(129)
    numa_config = _Number(130)
    numa_id = _Number(131)
    multicast_supported = _Flag(132)
    mps_enabled = _Flag(133)
    host_numa_id = _Number(134)
    d3d12_cig_supported = _Flag(135)
    mem_decompress_algorithm_mask = _Number(136)
    mem_decompress_maximum_length = _Number(137)
    vulkan_cig_supported = _Flag(138)
    gpu_pci_device_id = _Number(139)
    gpu_pci_subsystem_id = _Number(140)
    host_numa_virtual_memory_management_supported = _Flag(141)
    host_numa_memory_pools_supported = _Flag(142)
    host_numa_multinode_ipc_supported = _Flag(143)
    host_memory_pools_supported = _Flag(144)
    host_virtual_memory_management_supported = _Flag(145)
    host_alloc_dma_buf_supported = _Flag(146)
    only_partial_host_native_atomic_supported = _Flag(147)
