package io.cuprum;

import io.cuprum.internal.CuprumNative;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * One GPU as NVIDIA's management library (NVML) sees it. A value: an index, in the order of PCI buses, which need not be
 * that of {@link Device}. NVML needs no CUDA context; without it, everything here throws a {@link NotFoundException}, and
 * what a GPU does not have an {@link UnsupportedException}.
 */
public final class SystemDevice extends SystemDeviceMembers {
    private final int index;

    /**
     * The GPU with this index.
     *
     * @param index from 0 to {@link #count()} - 1
     * @throws InvalidArgumentException when there is none
     */
    public SystemDevice(int index) {
        CuprumNative.cuprum_system_device_minor_number(new long[1], index);
        this.index = index;
    }

    /** {@return how many GPUs NVML sees, also those that CUDA_VISIBLE_DEVICES hides from CUDA} */
    public static int count() {
        int[] count = new int[1];
        CuprumNative.cuprum_system_device_count(count);
        return count[0];
    }

    /** {@return all GPUs, in the order of their indices} */
    public static List<SystemDevice> getAllDevices() {
        List<SystemDevice> devices = new ArrayList<>();
        for (int i = 0; i < count(); ++i) {
            devices.add(new SystemDevice(i));
        }
        return devices;
    }

    /**
     * {@return the GPU with that UUID}
     *
     * @param uuid {@link Device#uuid()}
     * @throws InvalidArgumentException when there is none
     */
    public static SystemDevice ofUuid(String uuid) {
        int[] device = new int[1];
        CuprumNative.cuprum_system_find_uuid(device, Objects.requireNonNull(uuid, "uuid must not be null"));
        return new SystemDevice(device[0]);
    }

    /**
     * {@return the GPU with that PCI bus id}
     *
     * @param pciBusId {@link Device#pciBusId()}
     * @throws InvalidArgumentException when there is none
     */
    public static SystemDevice ofPciBusId(String pciBusId) {
        int[] device = new int[1];
        CuprumNative.cuprum_system_find_pci_bus_id(
                device, Objects.requireNonNull(pciBusId, "pciBusId must not be null"));
        return new SystemDevice(device[0]);
    }

    /** {@return the index} */
    @Override
    public int index() {
        return index;
    }

    /** {@return its memory at this moment, in bytes, of all processes} */
    public Memory memoryInfo() {
        long[] total = new long[1];
        long[] free = new long[1];
        long[] used = new long[1];
        long[] reserved = new long[1];
        CuprumNative.cuprum_system_device_memory_info(total, free, used, reserved, index);
        return new Memory(total[0], free[0], used[0], reserved[0]);
    }

    /**
     * {@return the frequency of a clock now, in MHz}
     *
     * @param type which
     */
    public int clock(ClockType type) {
        long[] clock = new long[1];
        CuprumNative.cuprum_system_device_clock(clock, index, type.ordinal());
        return (int) clock[0];
    }

    /**
     * {@return the frequency of a clock at most, in MHz}
     *
     * @param type which
     */
    public int maxClock(ClockType type) {
        long[] clock = new long[1];
        CuprumNative.cuprum_system_device_max_clock(clock, index, type.ordinal());
        return (int) clock[0];
    }

    /**
     * {@return the temperature in degrees Celsius at which the GPU acts}
     *
     * @param threshold how
     */
    public int temperatureThreshold(TemperatureThreshold threshold) {
        long[] temperature = new long[1];
        CuprumNative.cuprum_system_device_temperature_threshold(temperature, index, threshold.ordinal());
        return (int) temperature[0];
    }

    /** {@return the processes that compute on it} */
    public List<Process> computeRunningProcesses() {
        long[] count = new long[1];
        CuprumNative.cuprum_system_device_processes(count, index);
        List<Process> processes = new ArrayList<>();
        for (long i = 0; i < count[0]; ++i) {
            long[] pid = new long[1];
            long[] used = new long[1];
            CuprumNative.cuprum_system_process(pid, used, i);
            processes.add(new Process(pid[0], used[0] == -1 ? OptionalLong.empty() : OptionalLong.of(used[0])));
        }
        return processes;
    }

    /**
     * {@return what it has in common with another GPU on the way to it}
     *
     * @param other the other
     */
    public TopologyLevel topologyCommonAncestor(SystemDevice other) {
        int[] level = new int[1];
        CuprumNative.cuprum_system_device_topology(level, index, other.index);
        return TopologyLevel.values()[level[0] / 10];
    }

    /**
     * {@return how it reaches another GPU}
     *
     * @param other the other
     * @param capability in which way
     */
    public P2pStatus p2pStatus(SystemDevice other, P2pCapability capability) {
        int[] status = new int[1];
        CuprumNative.cuprum_system_device_p2p_status(status, index, other.index, capability.ordinal());
        return P2pStatus.values()[status[0]];
    }

    /**
     * Its events from now on.
     *
     * @param eventTypes of {@link SystemEvents}, joined by |
     * @return the events; the caller closes them
     * @throws UnsupportedException when it does not tell such events
     */
    public SystemEvents registerEvents(long eventTypes) {
        long[] events = new long[1];
        CuprumNative.cuprum_system_events_create(events, index, eventTypes);
        return new SystemEvents(events[0]);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SystemDevice && ((SystemDevice) other).index == index;
    }

    @Override
    public int hashCode() {
        return index;
    }

    @Override
    public String toString() {
        return "SystemDevice " + index;
    }

    /**
     * Bytes of a GPU's memory.
     *
     * @param total all there are
     * @param free that are free
     * @param used that are used
     * @param reserved that the driver has reserved, in neither of the others
     */
    public record Memory(long total, long free, long used, long reserved) {}

    /**
     * A process that computes on a GPU.
     *
     * @param pid its number
     * @param usedGpuMemory bytes of the GPU's memory; empty where the driver does not tell
     */
    public record Process(long pid, OptionalLong usedGpuMemory) {}

    /** The clocks of a GPU. */
    public enum ClockType {
        /** Of graphics. */
        GRAPHICS,
        /** Of the multiprocessors. */
        SM,
        /** Of the memory. */
        MEMORY,
        /** Of the video units. */
        VIDEO
    }

    /** Temperatures at which a GPU acts. */
    public enum TemperatureThreshold {
        /** It shuts down. */
        SHUTDOWN,
        /** It slows down. */
        SLOWDOWN,
        /** Its memory slows it down. */
        MEMORY_MAX,
        /** It leaves its base clock. */
        GPU_MAX,
        /** The least that can be set. */
        ACOUSTIC_MIN,
        /** What is set. */
        ACOUSTIC_CURRENT,
        /** The most that can be set. */
        ACOUSTIC_MAX,
        /** What its board sets. */
        GPS_CURRENT
    }

    /** What two GPUs have in common on the way to each other, nearest first. */
    public enum TopologyLevel {
        /** One board. */
        INTERNAL,
        /** One PCIe switch. */
        SINGLE,
        /** Several PCIe switches. */
        MULTIPLE,
        /** The host bridge. */
        HOSTBRIDGE,
        /** The NUMA node. */
        NODE,
        /** The system. */
        SYSTEM
    }

    /** Ways in which GPUs reach each other. */
    public enum P2pCapability {
        /** Reads. */
        READ,
        /** Writes. */
        WRITE,
        /** Over NVLink. */
        NVLINK,
        /** Atomics. */
        ATOMICS,
        /** Over PCI. */
        PCI
    }

    /** How a GPU reaches another one. */
    public enum P2pStatus {
        /** It does. */
        OK,
        /** The chipset does not support it. */
        CHIPSET_NOT_SUPPORTED,
        /** A GPU does not support it. */
        GPU_NOT_SUPPORTED,
        /** The topology does not support it. */
        IOH_TOPOLOGY_NOT_SUPPORTED,
        /** The administrator has disabled it. */
        DISABLED_BY_REGKEY,
        /** It is not supported. */
        NOT_SUPPORTED,
        /** The driver does not know. */
        UNKNOWN
    }
}
