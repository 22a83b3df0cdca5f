package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;

/**
 * A memory resource with a pool: it allocates and frees in a stream's order, and keeps freed memory for the next
 * allocation. A pool of its own lives as long as the resource and its buffers. The stream must belong to the pool's
 * device if the pool's memory is a device's.
 */
public abstract class PooledMemoryResource extends MemoryResource {
    PooledMemoryResource(long handle) {
        super(handle);
    }

    /** {@return the driver's {@code CUmemoryPool}} */
    public long handle() {
        return with(Operations.MEMORY_RESOURCE_NATIVE, resource -> {
            long[] pool = new long[1];
            CuprumNative.cuprum_memory_resource_native(pool, resource);
            return pool[0];
        });
    }

    /** {@return whether the pool ends with the resource; else it is the driver's, or another resource's} */
    public boolean isHandleOwned() {
        return with(Operations.MEMORY_RESOURCE_IS_HANDLE_OWNED, resource -> {
            int[] owned = new int[1];
            CuprumNative.cuprum_memory_resource_is_handle_owned(owned, resource);
            return owned[0] != 0;
        });
    }

    /**
     * The current value of an attribute.
     *
     * @param which the attribute
     * @return bytes, or 1 or 0 for true or false
     */
    public long attribute(MemoryPoolAttribute which) {
        return with(Operations.MEMORY_RESOURCE_POOL_ATTRIBUTE, resource -> {
            long[] value = new long[1];
            CuprumNative.cuprum_memory_resource_pool_attribute(value, resource, which.number());
            return value[0];
        });
    }

    /**
     * Sets an attribute.
     *
     * @param which the attribute
     * @param value bytes, or 1 or 0 for true or false
     * @throws DriverException when the attribute cannot be set
     */
    public void setAttribute(MemoryPoolAttribute which, long value) {
        with(Operations.MEMORY_RESOURCE_SET_POOL_ATTRIBUTE, resource -> {
            CuprumNative.cuprum_memory_resource_set_pool_attribute(resource, which.number(), value);
            return null;
        });
    }

    /**
     * Returns unused memory to the system.
     *
     * @param minBytes the bytes that the pool keeps
     */
    public void trimTo(long minBytes) {
        with(Operations.MEMORY_RESOURCE_TRIM_TO, resource -> {
            CuprumNative.cuprum_memory_resource_trim_to(resource, minBytes);
            return null;
        });
    }

    /**
     * {@return where the pool's memory is, or the preferred location of managed memory; null for managed memory without
     * one}
     */
    public MemoryLocation location() {
        return with(Operations.MEMORY_RESOURCE_LOCATION, resource -> {
            int[] kind = new int[1];
            int[] id = new int[1];
            CuprumNative.cuprum_memory_resource_location(kind, id, resource);
            return MemoryLocation.ofNumbers(kind[0], id[0]);
        });
    }

    /**
     * A new file descriptor that stands for the pool, with which another process opens it. Java has no way to close or
     * to send it: native code does.
     *
     * @return the file descriptor, the caller's to close
     * @throws InvalidStateException when the pool cannot be shared, or is another process's
     */
    public int allocationHandle() {
        return with(Operations.MEMORY_RESOURCE_ALLOCATION_HANDLE, resource -> {
            int[] descriptor = new int[1];
            CuprumNative.cuprum_memory_resource_allocation_handle(descriptor, resource);
            return descriptor[0];
        });
    }

    /** {@return whether other processes can open it, or it is another process's} */
    public boolean isIpcEnabled() {
        return with(Operations.MEMORY_RESOURCE_IS_IPC_ENABLED, resource -> {
            int[] enabled = new int[1];
            CuprumNative.cuprum_memory_resource_is_ipc_enabled(enabled, resource);
            return enabled[0] != 0;
        });
    }

    /** {@return whether it is a pool that another process shares} */
    public boolean isMapped() {
        return with(Operations.MEMORY_RESOURCE_IS_MAPPED, resource -> {
            int[] mapped = new int[1];
            CuprumNative.cuprum_memory_resource_is_mapped(mapped, resource);
            return mapped[0] != 0;
        });
    }

    /**
     * Whether kernels of a device, and copies in its streams, can use the pool's memory.
     *
     * @param device the device
     * @return whether the device can use it
     */
    public boolean isAccessibleBy(Device device) {
        return with(Operations.MEMORY_RESOURCE_IS_ACCESSIBLE_BY, resource -> {
            int[] accessible = new int[1];
            CuprumNative.cuprum_memory_resource_is_accessible_by(accessible, resource, device.deviceId());
            return accessible[0] != 0;
        });
    }

    /**
     * Sets whether a device can use the pool's memory, including what is already allocated.
     *
     * @param device the device
     * @param accessible whether the device can use it
     * @throws InvalidArgumentException when the device cannot access the memory, or would lose access to its own
     */
    public void setAccessibleBy(Device device, boolean accessible) {
        with(Operations.MEMORY_RESOURCE_SET_ACCESSIBLE_BY, resource -> {
            CuprumNative.cuprum_memory_resource_set_accessible_by(resource, device.deviceId(), accessible ? 1 : 0);
            return null;
        });
    }
}
