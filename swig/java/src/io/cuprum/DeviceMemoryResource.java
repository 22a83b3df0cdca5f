package io.cuprum;

import io.cuprum.internal.CuprumNative;
import java.util.List;

/** A pool of a device's memory. */
public final class DeviceMemoryResource extends PooledMemoryResource {
    /**
     * The device's current pool, which it uses for allocations in a stream.
     *
     * @param device the device
     */
    public DeviceMemoryResource(Device device) {
        this(current(device));
    }

    /**
     * A new pool.
     *
     * @param device the device that the memory is on
     * @param maxSize the most bytes, rounded up by the driver; 0: as much as the device has
     */
    public DeviceMemoryResource(Device device, long maxSize) {
        this(create(device, maxSize));
    }

    DeviceMemoryResource(long handle) {
        super(handle);
    }

    /**
     * A new pool that other processes can open, and its buffers.
     *
     * @param device the device that the memory is on
     * @param maxSize the most bytes, rounded up by the driver; 0: as much as the device has
     * @return the pool
     */
    public static DeviceMemoryResource createShareable(Device device, long maxSize) {
        requireSize(maxSize);
        long[] resource = new long[1];
        CuprumNative.cuprum_memory_resource_create_shareable(resource, device.deviceId(), maxSize);
        return new DeviceMemoryResource(resource[0]);
    }

    /**
     * Opens a pool that another process shares. Nothing can be allocated from it: its buffers are opened with {@link
     * Buffer#fromIpcHandle}.
     *
     * @param device the device that the memory is on
     * @param allocationHandle a file descriptor that this process inherited, or got over a Unix socket; it stays the
     *         caller's
     * @return the pool
     * @throws InvalidArgumentException when this process has no open file of that number
     */
    public static DeviceMemoryResource fromAllocationHandle(Device device, int allocationHandle) {
        long[] resource = new long[1];
        CuprumNative.cuprum_memory_resource_from_allocation_handle(resource, device.deviceId(), allocationHandle);
        return new DeviceMemoryResource(resource[0]);
    }

    /** {@return the other devices that can use its memory} */
    public List<Device> peerAccessibleBy() {
        int own = deviceId();
        return Device.getAllDevices().stream()
                .filter(device -> device.deviceId() != own && isAccessibleBy(device))
                .toList();
    }

    private static long current(Device device) {
        long[] resource = new long[1];
        CuprumNative.cuprum_memory_resource_of_device(resource, device.deviceId());
        return resource[0];
    }

    private static long create(Device device, long maxSize) {
        requireSize(maxSize);
        long[] resource = new long[1];
        CuprumNative.cuprum_memory_resource_create_device(resource, device.deviceId(), maxSize);
        return resource[0];
    }

    private static void requireSize(long maxSize) {
        if (maxSize < 0) {
            throw new IllegalArgumentException("the size of a pool must not be negative: " + maxSize);
        }
    }
}
