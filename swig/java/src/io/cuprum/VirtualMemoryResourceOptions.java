package io.cuprum;

import java.util.List;

/**
 * Options for a virtual memory resource.
 *
 * @param peers other devices that can use the memory
 * @param selfAccess what the device may do with it
 * @param peerAccess what the peers may do with it
 * @param minimumGranularity whether sizes are rounded up to the smallest unit, not the recommended one
 * @param posixFileDescriptor whether the memory can be exported to other processes as one
 * @param gpuDirectRdma whether other hardware can use the memory directly
 * @param addressHint where buffers should be; 0: the driver chooses
 * @param addressAlignment the alignment of addresses in bytes, a power of two; 0: the granularity
 * @param location where the memory is: on the device (also null), or on the host or one of its NUMA nodes, where it is
 *     page-locked and the CPU can always use it
 */
public record VirtualMemoryResourceOptions(List<Device> peers, Access selfAccess, Access peerAccess,
        boolean minimumGranularity, boolean posixFileDescriptor, boolean gpuDirectRdma, long addressHint,
        long addressAlignment, MemoryLocation location) {
    /** What a device may do with memory. */
    public enum Access {
        /** Reading and writing. */
        READ_WRITE,
        /** Reading. */
        READ,
        /** Nothing. */
        NONE
    }

    /** For the device alone, at addresses that the driver chooses. */
    public VirtualMemoryResourceOptions() {
        this(List.of());
    }

    /**
     * For other devices as well.
     *
     * @param peers which
     */
    public VirtualMemoryResourceOptions(List<Device> peers) {
        this(peers, Access.READ_WRITE, Access.READ_WRITE, false, false, false, 0, 0, null);
    }

    /**
     * For memory at a location.
     *
     * @param location where the memory is
     */
    public VirtualMemoryResourceOptions(MemoryLocation location) {
        this(List.of(), Access.READ_WRITE, Access.READ_WRITE, false, false, false, 0, 0, location);
    }
}
