package io.cuprum;

import java.util.Objects;

/** Where memory is, or should be: a device, or host memory, all of it or one NUMA node's. */
public final class MemoryLocation {
    private static final int NONE = 0;
    private static final int DEVICE = 1;
    private static final int HOST = 2;
    private static final int HOST_NUMA = 3;
    private static final int HOST_NUMA_CURRENT = 4;

    private final int kind;
    private final int id;

    private MemoryLocation(int kind, int id) {
        this.kind = kind;
        this.id = id;
    }

    /**
     * A device's memory.
     *
     * @param device the device
     * @return the location
     */
    public static MemoryLocation of(Device device) {
        return new MemoryLocation(DEVICE, device.deviceId());
    }

    /** {@return host memory, wherever the system puts it} */
    public static MemoryLocation host() {
        return new MemoryLocation(HOST, 0);
    }

    /**
     * The memory of a NUMA node.
     *
     * @param node the node's number, counted from 0
     * @return the location
     */
    public static MemoryLocation hostNuma(int node) {
        if (node < 0) {
            throw new IllegalArgumentException("the numbers of NUMA nodes begin at 0: " + node);
        }
        return new MemoryLocation(HOST_NUMA, node);
    }

    /** {@return the memory of the NUMA node of the thread that passes it to the driver} */
    public static MemoryLocation hostNumaCurrent() {
        return new MemoryLocation(HOST_NUMA_CURRENT, 0);
    }

    /** The location with these numbers of the C ABI; null for none. */
    static MemoryLocation ofNumbers(int kind, int id) {
        return kind == NONE ? null : new MemoryLocation(kind, kind == HOST ? 0 : id);
    }

    /** CUPRUM_LOCATION_* of a location that may be null. */
    static int kind(MemoryLocation location) {
        return location == null ? NONE : location.kind;
    }

    static int id(MemoryLocation location) {
        return location == null ? 0 : location.id;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MemoryLocation same && same.kind == kind && same.id == id;
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, id);
    }

    @Override
    public String toString() {
        return switch (kind) {
            case DEVICE -> "Device " + id;
            case HOST -> "host memory";
            case HOST_NUMA -> "NUMA node " + id;
            default -> "the current NUMA node";
        };
    }
}
