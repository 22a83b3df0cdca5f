using System;
using System.Collections.Generic;
using Cuprum.Native;

namespace Cuprum {

/// <summary>The clocks of a GPU.</summary>
public enum ClockType {
    /// <summary>Of graphics.</summary>
    Graphics,
    /// <summary>Of the multiprocessors.</summary>
    Sm,
    /// <summary>Of the memory.</summary>
    Memory,
    /// <summary>Of the video units.</summary>
    Video,
}

/// <summary>Temperatures at which a GPU acts.</summary>
public enum TemperatureThreshold {
    /// <summary>It shuts down.</summary>
    Shutdown,
    /// <summary>It slows down.</summary>
    Slowdown,
    /// <summary>Its memory slows it down.</summary>
    MemoryMax,
    /// <summary>It leaves its base clock.</summary>
    GpuMax,
    /// <summary>The least that can be set.</summary>
    AcousticMin,
    /// <summary>What is set.</summary>
    AcousticCurrent,
    /// <summary>The most that can be set.</summary>
    AcousticMax,
    /// <summary>What its board sets.</summary>
    GpsCurrent,
}

/// <summary>What two GPUs have in common on the way to each other, nearest first.</summary>
public enum TopologyLevel {
    /// <summary>One board.</summary>
    Internal = 0,
    /// <summary>One PCIe switch.</summary>
    Single = 10,
    /// <summary>Several PCIe switches.</summary>
    Multiple = 20,
    /// <summary>The host bridge.</summary>
    HostBridge = 30,
    /// <summary>The NUMA node.</summary>
    Node = 40,
    /// <summary>The system.</summary>
    System = 50,
}

/// <summary>Ways in which GPUs reach each other.</summary>
public enum P2PCapability {
    /// <summary>Reads.</summary>
    Read,
    /// <summary>Writes.</summary>
    Write,
    /// <summary>Over NVLink.</summary>
    NvLink,
    /// <summary>Atomics.</summary>
    Atomics,
    /// <summary>Over PCI.</summary>
    Pci,
}

/// <summary>How a GPU reaches another one.</summary>
public enum P2PStatus {
    /// <summary>It does.</summary>
    Ok,
    /// <summary>The chipset does not support it.</summary>
    ChipsetNotSupported,
    /// <summary>A GPU does not support it.</summary>
    GpuNotSupported,
    /// <summary>The topology does not support it.</summary>
    IohTopologyNotSupported,
    /// <summary>The administrator has disabled it.</summary>
    DisabledByRegkey,
    /// <summary>It is not supported.</summary>
    NotSupported,
    /// <summary>The driver does not know.</summary>
    Unknown,
}

/// <summary>Bytes of a GPU's memory, of all processes.</summary>
public struct SystemMemoryInfo {
    internal SystemMemoryInfo(ulong total, ulong free, ulong used, ulong reserved) {
        Total = total;
        Free = free;
        Used = used;
        Reserved = reserved;
    }

    /// <summary>All there are.</summary>
    public ulong Total { get; }

    /// <summary>That are free.</summary>
    public ulong Free { get; }

    /// <summary>That are used.</summary>
    public ulong Used { get; }

    /// <summary>That the driver has reserved, in neither of the others.</summary>
    public ulong Reserved { get; }
}

/// <summary>A process that computes on a GPU.</summary>
public struct SystemProcess {
    internal SystemProcess(uint pid, ulong? usedGpuMemory) {
        Pid = pid;
        UsedGpuMemory = usedGpuMemory;
    }

    /// <summary>Its number.</summary>
    public uint Pid { get; }

    /// <summary>Bytes of the GPU's memory; null where the driver does not tell.</summary>
    public ulong? UsedGpuMemory { get; }
}

/// <summary>
/// One GPU as NVIDIA's management library (NVML) sees it. A value: an index, in the order of PCI buses, which need not be
/// that of <see cref="Device"/>.
/// </summary>
/// <remarks>
/// NVML needs no CUDA context; without it, everything here throws a <see cref="NotFoundException"/>, and what a GPU does
/// not have an <see cref="UnsupportedException"/>.
/// </remarks>
public sealed partial class SystemDevice : IEquatable<SystemDevice> {
    static SystemDevice() {
        NativeLibraries.Load();
    }

    /// <summary>The GPU with this index.</summary>
    /// <param name="index">From 0 to <see cref="Count"/> - 1.</param>
    /// <exception cref="InvalidArgumentException">There is none.</exception>
    public SystemDevice(int index) {
        uint number;
        CuprumNative.cuprum_system_device_minor_number(out number, index);
        Index = index;
    }

    /// <summary>How many GPUs NVML sees, also those that CUDA_VISIBLE_DEVICES hides from CUDA.</summary>
    public static int Count {
        get {
            int count;
            CuprumNative.cuprum_system_device_count(out count);
            return count;
        }
    }

    /// <summary>All GPUs, in the order of their indices.</summary>
    public static IReadOnlyList<SystemDevice> GetAllDevices() {
        var devices = new SystemDevice[Count];
        for (int i = 0; i < devices.Length; ++i) {
            devices[i] = new SystemDevice(i);
        }
        return devices;
    }

    /// <summary>The GPU with that UUID.</summary>
    /// <param name="uuid">As <see cref="Device.Uuid"/> gives it.</param>
    /// <exception cref="InvalidArgumentException">There is none.</exception>
    public static SystemDevice OfUuid(string uuid) {
        int device;
        CuprumNative.cuprum_system_find_uuid(out device, Require.NotNull(uuid, nameof(uuid)));
        return new SystemDevice(device);
    }

    /// <summary>The GPU with that PCI bus id.</summary>
    /// <param name="pciBusId">As <see cref="Device.PciBusId"/> gives it.</param>
    /// <exception cref="InvalidArgumentException">There is none.</exception>
    public static SystemDevice OfPciBusId(string pciBusId) {
        int device;
        CuprumNative.cuprum_system_find_pci_bus_id(out device, Require.NotNull(pciBusId, nameof(pciBusId)));
        return new SystemDevice(device);
    }

    /// <summary>The index.</summary>
    public int Index { get; }

    /// <summary>Its memory at this moment.</summary>
    public SystemMemoryInfo MemoryInfo {
        get {
            ulong total, free, used, reserved;
            CuprumNative.cuprum_system_device_memory_info(out total, out free, out used, out reserved, Index);
            return new SystemMemoryInfo(total, free, used, reserved);
        }
    }

    /// <summary>The frequency of a clock now, in MHz.</summary>
    /// <param name="type">Which.</param>
    public int Clock(ClockType type) {
        uint clock;
        CuprumNative.cuprum_system_device_clock(out clock, Index, (int)type);
        return (int)clock;
    }

    /// <summary>The frequency of a clock at most, in MHz.</summary>
    /// <param name="type">Which.</param>
    public int MaxClock(ClockType type) {
        uint clock;
        CuprumNative.cuprum_system_device_max_clock(out clock, Index, (int)type);
        return (int)clock;
    }

    /// <summary>The temperature in degrees Celsius at which the GPU acts.</summary>
    /// <param name="threshold">How.</param>
    public int TemperatureThreshold(TemperatureThreshold threshold) {
        uint temperature;
        CuprumNative.cuprum_system_device_temperature_threshold(out temperature, Index, (int)threshold);
        return (int)temperature;
    }

    /// <summary>The processes that compute on it.</summary>
    public IReadOnlyList<SystemProcess> GetComputeRunningProcesses() {
        uint count;
        CuprumNative.cuprum_system_device_processes(out count, Index);
        var processes = new SystemProcess[count];
        for (uint i = 0; i < count; ++i) {
            uint pid;
            ulong used;
            CuprumNative.cuprum_system_process(out pid, out used, i);
            processes[i] = new SystemProcess(pid, used == ulong.MaxValue ? (ulong?)null : used);
        }
        return processes;
    }

    /// <summary>What it has in common with another GPU on the way to it.</summary>
    /// <param name="other">The other.</param>
    public TopologyLevel TopologyCommonAncestor(SystemDevice other) {
        int level;
        CuprumNative.cuprum_system_device_topology(out level, Index, Require.NotNull(other, nameof(other)).Index);
        return (TopologyLevel)level;
    }

    /// <summary>How it reaches another GPU.</summary>
    /// <param name="other">The other.</param>
    /// <param name="capability">In which way.</param>
    public P2PStatus P2PStatus(SystemDevice other, P2PCapability capability) {
        int status;
        CuprumNative.cuprum_system_device_p2p_status(
            out status, Index, Require.NotNull(other, nameof(other)).Index, (int)capability);
        return (P2PStatus)status;
    }

    /// <summary>Its events from now on; the caller disposes of them.</summary>
    /// <param name="eventTypes">Their kinds.</param>
    /// <exception cref="UnsupportedException">It does not tell such events.</exception>
    public SystemEvents RegisterEvents(SystemEventTypes eventTypes) {
        IntPtr events;
        CuprumNative.cuprum_system_events_create(out events, Index, (ulong)eventTypes);
        return new SystemEvents(events);
    }

    /// <summary>Whether both are the same GPU.</summary>
    public bool Equals(SystemDevice other) {
        return !ReferenceEquals(other, null) && other.Index == Index;
    }

    /// <summary>Whether both are the same GPU.</summary>
    public override bool Equals(object other) {
        return Equals(other as SystemDevice);
    }

    /// <summary>The hash code; equal for the same GPU.</summary>
    public override int GetHashCode() {
        return Index;
    }

    /// <summary>"SystemDevice 0"</summary>
    public override string ToString() {
        return "SystemDevice " + Index;
    }
}

}
