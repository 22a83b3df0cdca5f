package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.util.ArrayList;
import java.util.List;

/**
 * One GPU, or the simulated device. A value: an ordinal; devices with the same ordinal are equal.
 *
 * <p>Work goes to the device's primary context, which is kept for the life of the process. No method changes the
 * calling thread's current context, except {@link #setCurrent()}.
 */
public final class Device extends DeviceMembers implements Execution {
    private final int deviceId;

    /** The first device. Fails like {@link #Device(int)}. */
    public Device() {
        this(0);
    }

    /**
     * The device with that ordinal. Loads the driver and initialises it at first use.
     *
     * @param deviceId from 0 to {@link #count()} - 1
     * @throws InvalidArgumentException when there is no such device
     * @throws NotFoundException when there is no driver
     */
    public Device(int deviceId) {
        CuprumNative.cuprum_device_is_simulator(new int[1], deviceId);
        this.deviceId = deviceId;
    }

    /** {@return how many devices there are} */
    public static int count() {
        int[] count = new int[1];
        CuprumNative.cuprum_device_count(count);
        return count[0];
    }

    /** {@return all devices, in the order of their ordinals} */
    public static List<Device> getAllDevices() {
        int count = count();
        List<Device> devices = new ArrayList<>(count);
        for (int i = 0; i < count; ++i) {
            devices.add(new Device(i));
        }
        return devices;
    }

    /** {@return the ordinal} */
    @Override
    public int deviceId() {
        return deviceId;
    }

    /** {@return the generation} */
    public ComputeCapability computeCapability() {
        DeviceProperties properties = properties();
        return new ComputeCapability(properties.computeCapabilityMajor(), properties.computeCapabilityMinor());
    }

    /** {@return limits and sizes} */
    public DeviceProperties properties() {
        int[] fields = new int[DeviceProperties.FIELD_COUNT];
        CuprumNative.cuprum_device_properties_get(fields, deviceId);
        return DeviceProperties.of(fields);
    }

    /** {@return the device's memory, bytes} */
    public long totalMemory() {
        return memoryInfo().total();
    }

    /** {@return what is free of it now, bytes} */
    public long freeMemory() {
        return memoryInfo().free();
    }

    /** {@return how much memory is free and how much there is, both of the same moment} */
    public MemoryInfo memoryInfo() {
        long[] free = new long[1];
        long[] total = new long[1];
        CuprumNative.cuprum_device_memory_info(free, total, deviceId);
        return new MemoryInfo(free[0], total[0]);
    }

    /** {@return a new nonblocking stream; the caller closes it} */
    public Stream createStream() {
        return createStream(new StreamOptions());
    }

    /**
     * A new stream.
     *
     * @param options how to make it
     * @return the stream; the caller closes it
     */
    public Stream createStream(StreamOptions options) {
        long[] stream = new long[1];
        CuprumNative.cuprum_stream_create(stream, deviceId, options.nonblocking() ? 0 : 1, options.priority());
        return new Stream(stream[0]);
    }

    /** {@return a new event without timing; the caller closes it} */
    public Event createEvent() {
        return createEvent(new EventOptions());
    }

    /**
     * A new event.
     *
     * @param options how to make it
     * @return the event; the caller closes it
     */
    public Event createEvent(EventOptions options) {
        long[] event = new long[1];
        CuprumNative.cuprum_event_create(
                event, deviceId, options.timingEnabled() ? 1 : 0, options.blockingSync() ? 1 : 0);
        return new Event(event[0], options);
    }

    /** {@return the legacy default stream of this device; closing it closes only the Java object} */
    public Stream defaultStream() {
        long[] stream = new long[1];
        CuprumNative.cuprum_stream_default(stream, deviceId);
        return new Stream(stream[0]);
    }

    /**
     * Device memory that is usable from any stream at once.
     *
     * @param size bytes; 0 gives an empty buffer
     * @return the buffer; the caller closes it, which waits for the work that uses it
     * @throws OutOfMemoryException when the device has not that much
     */
    public Buffer allocate(long size) {
        return allocateIn(size, 0);
    }

    /**
     * Device memory in stream order: usable in {@code stream} at once and freed in its order.
     *
     * @param size bytes; 0 gives an empty buffer
     * @param stream kept alive by the buffer
     * @return the buffer; the caller closes it
     * @throws OutOfMemoryException when the device has not that much
     */
    public Buffer allocate(long size, Stream stream) {
        return stream.with(Operations.BUFFER_ALLOCATE, handle -> allocateIn(size, handle));
    }

    private Buffer allocateIn(long size, long stream) {
        if (size < 0) {
            throw new IllegalArgumentException("the size of a buffer must not be negative: " + size);
        }
        long[] buffer = new long[1];
        CuprumNative.cuprum_buffer_allocate(buffer, deviceId, size, stream);
        return new Buffer(buffer[0]);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Device && ((Device) other).deviceId == deviceId;
    }

    @Override
    public int hashCode() {
        return Integer.hashCode(deviceId);
    }

    @Override
    public String toString() {
        return "Device " + deviceId;
    }
}
