package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;

/**
 * A device's memory, each buffer mapped to addresses of its own, so that it can grow. Buffers occupy whole units of
 * {@link #granularity()} bytes, and are usable from any stream at once. Freeing one waits for its stream, without one for
 * all devices.
 */
public final class VirtualMemoryResource extends MemoryResource {
    /**
     * With the defaults.
     *
     * @param device the device that the memory is on
     * @throws UnsupportedException when the device has no virtual memory management
     */
    public VirtualMemoryResource(Device device) {
        this(device, new VirtualMemoryResourceOptions());
    }

    /**
     * With options.
     *
     * @param device the device that the memory is on
     * @param options the options
     * @throws UnsupportedException when the device has no virtual memory management, or none of the location
     * @throws InvalidArgumentException when a peer cannot use the device's memory, and for another device's location
     */
    public VirtualMemoryResource(Device device, VirtualMemoryResourceOptions options) {
        super(create(device, options));
    }

    /** {@return the unit of the sizes that buffers occupy, in bytes} */
    public long granularity() {
        return with(Operations.MEMORY_RESOURCE_GRANULARITY, resource -> {
            long[] bytes = new long[1];
            CuprumNative.cuprum_memory_resource_granularity(bytes, resource);
            return bytes[0];
        });
    }

    /**
     * Makes a buffer of this resource larger. Its content stays, and is not copied; what is added is anything. The
     * address is another one where the buffer outgrows the addresses reserved for it; then this waits for all devices.
     * No other thread may use the buffer meanwhile.
     *
     * @param buffer the buffer, which is closed: the result has its memory
     * @param newSize the size in bytes
     * @return the larger buffer; the caller closes it
     * @throws InvalidArgumentException when the buffer comes from another resource, and for a smaller size
     * @throws OutOfMemoryException when there is not enough memory
     * @throws InvalidStateException while there are views of the buffer as host memory
     */
    public Buffer modifyAllocation(Buffer buffer, long newSize) {
        return modify(buffer, newSize, CuprumNative::cuprum_memory_resource_modify_allocation);
    }

    /**
     * The same with other options, which the resource has from then on: what is added is allocated with them, and all of
     * the buffer is accessible as they say, also where the size stays. Other buffers stay as they are.
     *
     * @param buffer the buffer, which is closed: the result has its memory
     * @param newSize the size in bytes
     * @param options the options; their location is that of the resource
     * @return the larger buffer; the caller closes it
     * @throws InvalidArgumentException when the buffer comes from another resource, for a smaller size, and for another
     *         location
     * @throws OutOfMemoryException when there is not enough memory
     * @throws InvalidStateException while there are views of the buffer as host memory
     */
    public Buffer modifyAllocation(Buffer buffer, long newSize, VirtualMemoryResourceOptions options) {
        long peers = peers(options);
        return modify(buffer, newSize, (made, resource, handle, size) ->
                CuprumNative.cuprum_memory_resource_modify_allocation_with_options(made, resource, handle, size,
                        options.selfAccess().ordinal(), peers, options.peerAccess().ordinal(),
                        options.minimumGranularity() ? 1 : 0, options.posixFileDescriptor() ? 1 : 0,
                        options.gpuDirectRdma() ? 1 : 0, options.addressHint(), options.addressAlignment(),
                        MemoryLocation.kind(options.location()), MemoryLocation.id(options.location())));
    }

    @FunctionalInterface
    private interface Grow {
        void grow(long[] made, long resource, long buffer, long newSize);
    }

    private Buffer modify(Buffer buffer, long newSize, Grow grow) {
        if (newSize < 0) {
            throw new IllegalArgumentException("the size of a buffer must not be negative: " + newSize);
        }
        if (buffer.hasViews()) {
            throw Errors.viewed(buffer, Operations.MEMORY_RESOURCE_MODIFY_ALLOCATION);
        }
        Buffer grown = with(Operations.MEMORY_RESOURCE_MODIFY_ALLOCATION,
                resource -> buffer.with(Operations.MEMORY_RESOURCE_MODIFY_ALLOCATION, handle -> {
                    long[] made = new long[1];
                    grow.grow(made, resource, handle, newSize);
                    return wrap(made[0]);
                }));
        buffer.close();
        return grown;
    }

    private static long peers(VirtualMemoryResourceOptions options) {
        long peers = 0;
        for (Device peer : options.peers()) {
            if (peer.deviceId() >= Long.SIZE) {
                throw new IllegalArgumentException("peers must have ordinals 0 to 63, not " + peer.deviceId());
            }
            peers |= 1L << peer.deviceId();
        }
        return peers;
    }

    private static long create(Device device, VirtualMemoryResourceOptions options) {
        long[] resource = new long[1];
        CuprumNative.cuprum_memory_resource_create_virtual(resource, device.deviceId(), options.selfAccess().ordinal(),
                peers(options), options.peerAccess().ordinal(), options.minimumGranularity() ? 1 : 0,
                options.posixFileDescriptor() ? 1 : 0, options.gpuDirectRdma() ? 1 : 0, options.addressHint(),
                options.addressAlignment(), MemoryLocation.kind(options.location()),
                MemoryLocation.id(options.location()));
        return resource[0];
    }
}
