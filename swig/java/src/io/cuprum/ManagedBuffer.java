package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;

/**
 * Managed memory: the CPU and all devices can use it, and its pages move to where they are used. Made by {@link
 * ManagedMemoryResource#allocate(long, Stream)}. Advice applies to all of its pages, until it is changed.
 */
public final class ManagedBuffer extends Buffer {
    ManagedBuffer(long handle, MemoryResource resource) {
        super(handle, resource);
    }

    /**
     * Moves the pages, in the order of a stream.
     *
     * @param location where to move them
     * @param stream the stream to work in
     */
    public void prefetch(MemoryLocation location, Stream stream) {
        String operation = Operations.BUFFER_PREFETCH;
        with(operation, buffer -> stream.with(operation, in -> {
            CuprumNative.cuprum_buffer_prefetch(
                    buffer, MemoryLocation.kind(location), MemoryLocation.id(location), in);
            return null;
        }));
    }

    /**
     * Discards the content: from here on in the stream it is undefined until it is written.
     *
     * @param stream the stream to work in
     * @throws UnsupportedException when the driver is older than CUDA 13
     */
    public void discard(Stream stream) {
        String operation = Operations.BUFFER_DISCARD;
        with(operation, buffer -> stream.with(operation, in -> {
            CuprumNative.cuprum_buffer_discard(buffer, in);
            return null;
        }));
    }

    /**
     * Discards the content and moves the pages without copying them.
     *
     * @param location where to move them
     * @param stream the stream to work in
     * @throws UnsupportedException when the driver is older than CUDA 13
     */
    public void discardPrefetch(MemoryLocation location, Stream stream) {
        String operation = Operations.BUFFER_DISCARD_PREFETCH;
        with(operation, buffer -> stream.with(operation, in -> {
            CuprumNative.cuprum_buffer_discard_prefetch(
                    buffer, MemoryLocation.kind(location), MemoryLocation.id(location), in);
            return null;
        }));
    }

    /** {@return whether each reader gets a copy of the pages: reads are fast, writes are slow} */
    public boolean isReadMostly() {
        return with(Operations.BUFFER_READ_MOSTLY, buffer -> {
            int[] readMostly = new int[1];
            CuprumNative.cuprum_buffer_read_mostly(readMostly, buffer);
            return readMostly[0] != 0;
        });
    }

    /**
     * Sets whether each reader gets a copy of the pages.
     *
     * @param readMostly whether each reader gets a copy
     */
    public void setReadMostly(boolean readMostly) {
        with(Operations.BUFFER_SET_READ_MOSTLY, buffer -> {
            CuprumNative.cuprum_buffer_set_read_mostly(buffer, readMostly ? 1 : 0);
            return null;
        });
    }

    /** {@return where pages stay, accessed remotely from elsewhere; null: they move to where they are used} */
    public MemoryLocation preferredLocation() {
        return with(Operations.BUFFER_PREFERRED_LOCATION, buffer -> {
            int[] kind = new int[1];
            int[] id = new int[1];
            CuprumNative.cuprum_buffer_preferred_location(kind, id, buffer);
            return MemoryLocation.ofNumbers(kind[0], id[0]);
        });
    }

    /**
     * Sets where pages stay.
     *
     * @param location the location; null: they move to where they are used
     */
    public void setPreferredLocation(MemoryLocation location) {
        with(Operations.BUFFER_SET_PREFERRED_LOCATION, buffer -> {
            CuprumNative.cuprum_buffer_set_preferred_location(
                    buffer, MemoryLocation.kind(location), MemoryLocation.id(location));
            return null;
        });
    }

    /**
     * Whether a device or the CPU accesses the pages without moving them, wherever they are.
     *
     * @param location the device, or host memory for the CPU
     * @return whether it does
     */
    public boolean isAccessedBy(MemoryLocation location) {
        return with(Operations.BUFFER_ACCESSED_BY, buffer -> {
            int[] accessed = new int[1];
            CuprumNative.cuprum_buffer_accessed_by(
                    accessed, buffer, MemoryLocation.kind(location), MemoryLocation.id(location));
            return accessed[0] != 0;
        });
    }

    /**
     * Sets whether a device or the CPU accesses the pages without moving them.
     *
     * @param location the device, or host memory for the CPU
     * @param accessed whether it accesses them without moving them
     */
    public void setAccessedBy(MemoryLocation location, boolean accessed) {
        with(Operations.BUFFER_SET_ACCESSED_BY, buffer -> {
            CuprumNative.cuprum_buffer_set_accessed_by(
                    buffer, MemoryLocation.kind(location), MemoryLocation.id(location), accessed ? 1 : 0);
            return null;
        });
    }
}
