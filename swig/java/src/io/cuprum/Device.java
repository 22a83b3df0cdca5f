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
     * The device with this ordinal. The first use loads and initialises the driver.
     *
     * @param deviceId the ordinal, from 0 to {@link #count()} - 1
     * @throws InvalidArgumentException when no device has that ordinal
     * @throws NotFoundException when no CUDA driver was found
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

    /**
     * {@return the device whose context is current on this thread, even if other code made it current; device 0 if none
     * is}
     */
    public static Device current() {
        int[] device = new int[1];
        CuprumNative.cuprum_device_current(device);
        return new Device(device[0]);
    }

    /** {@return the same GPU as NVML sees it} */
    public SystemDevice toSystemDevice() {
        int[] device = new int[1];
        CuprumNative.cuprum_system_device_of_cuda(device, deviceId);
        return new SystemDevice(device[0]);
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

    /** {@return the compute capability} */
    public ComputeCapability computeCapability() {
        DeviceProperties properties = properties();
        return new ComputeCapability(properties.computeCapabilityMajor(), properties.computeCapabilityMinor());
    }

    /** {@return the device's limits and sizes} */
    public DeviceProperties properties() {
        int[] fields = new int[DeviceProperties.FIELD_COUNT];
        CuprumNative.cuprum_device_properties_get(fields, deviceId);
        return DeviceProperties.of(fields);
    }

    /** {@return the size of the device's memory in bytes} */
    public long totalMemory() {
        return memoryInfo().total();
    }

    /** {@return the bytes of it that are free now} */
    public long freeMemory() {
        return memoryInfo().free();
    }

    /** {@return how much memory is free and how much there is in all, read at the same moment} */
    public MemoryInfo memoryInfo() {
        long[] free = new long[1];
        long[] total = new long[1];
        CuprumNative.cuprum_device_memory_info(free, total, deviceId);
        return new MemoryInfo(free[0], total[0]);
    }

    /** {@return a graph builder that captures in a stream of its own; the caller closes it} */
    public GraphBuilder createGraphBuilder() {
        long[] builder = new long[1];
        CuprumNative.cuprum_graph_builder_create_on_device(builder, deviceId);
        return new GraphBuilder(builder[0]);
    }

    /** {@return a new nonblocking stream; the caller closes it} */
    public Stream createStream() {
        return createStream(new StreamOptions());
    }

    /**
     * A new stream.
     *
     * @param options the options
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
     * @param options the options
     * @return the event; the caller closes it
     */
    public Event createEvent(EventOptions options) {
        long[] event = new long[1];
        CuprumNative.cuprum_event_create(
                event, deviceId, options.timingEnabled() ? 1 : 0, options.blockingSync() ? 1 : 0,
                options.ipcEnabled() ? 1 : 0);
        return new Event(event[0], options);
    }

    /** {@return the legacy default stream of this device; closing it closes only the Java object} */
    public Stream defaultStream() {
        long[] stream = new long[1];
        CuprumNative.cuprum_stream_default(stream, deviceId);
        return new Stream(stream[0]);
    }

    /** {@return the device's primary context, which closing this leaves alone} */
    public Context context() {
        long[] context = new long[1];
        CuprumNative.cuprum_context_of_device(context, deviceId);
        return new Context(context[0]);
    }

    /**
     * {@return how its streams get at its queues}
     *
     * @throws UnsupportedException when the driver is older than CUDA 13.1
     */
    public WorkqueueResource workqueueResource() {
        return WorkqueueResource.of(this);
    }

    /** {@return all multiprocessors of the device} */
    public SMResource smResource() {
        return SMResource.of(this);
    }

    /**
     * A green context: its work uses those multiprocessors. It does not become current.
     *
     * @param resources parts of one split
     * @return the context; the caller closes it
     * @throws InvalidArgumentException when there is no resource, or one of another device
     */
    public Context createContext(List<SMResource> resources) {
        return Context.create(this, resources);
    }

    /**
     * An array of this device, for textures and surfaces; its elements are not initialised.
     *
     * @param options its shape and format
     * @return the array; the caller closes it
     * @throws InvalidArgumentException when there is no such array
     * @throws OutOfMemoryException when there is not enough memory
     */
    public OpaqueArray createOpaqueArray(OpaqueArrayOptions options) {
        return OpaqueArray.create(this, options);
    }

    /**
     * An image of this device in several sizes.
     *
     * @param options its shape, format and levels
     * @return the array; the caller closes it
     * @throws InvalidArgumentException when there is no such array, or not so many levels
     * @throws OutOfMemoryException when there is not enough memory
     */
    public MipmappedArray createMipmappedArray(MipmappedArrayOptions options) {
        return MipmappedArray.create(this, options);
    }

    /**
     * How kernels read an image on this device: the nearest element, clamped, by element numbers.
     *
     * @param resource the image
     * @return the texture object; the caller closes it
     * @throws InvalidStateException when the image is closed
     */
    public TextureObject createTextureObject(ResourceDescriptor resource) {
        return createTextureObject(resource, new TextureObjectOptions());
    }

    /**
     * How kernels read an image on this device.
     *
     * @param resource the image
     * @param options how they read it
     * @return the texture object; the caller closes it
     * @throws InvalidArgumentException when the options contradict each other or the image
     * @throws InvalidStateException when the image is closed
     */
    public TextureObject createTextureObject(ResourceDescriptor resource, TextureObjectOptions options) {
        return TextureObject.create(this, resource, options);
    }

    /**
     * How kernels write an array of this device.
     *
     * @param resource the array
     * @return the surface object; the caller closes it
     * @throws InvalidArgumentException when the array was not made for surfaces
     * @throws InvalidStateException when the array is closed
     */
    public SurfaceObject createSurfaceObject(ResourceDescriptor resource) {
        return SurfaceObject.create(this, resource);
    }

    /**
     * A green context with a workqueue of its own.
     *
     * @param resources the multiprocessors that its work may use: parts of one split
     * @param workqueue how its streams get at the device's queues
     * @return the context; the caller closes it
     * @throws InvalidArgumentException without multiprocessors, or for another device's
     * @throws UnsupportedException when the driver is older than CUDA 13.1
     */
    public Context createContext(List<SMResource> resources, WorkqueueResource workqueue) {
        if (!workqueue.device().equals(this)) {
            throw new IllegalArgumentException("the workqueue is one of " + workqueue.device() + ", not of " + this);
        }
        return Context.create(this, resources, workqueue);
    }

    /**
     * What the device's memory is allocated from in a stream: a {@link UserMemoryResource} that was chosen, else a pool, a
     * {@link DeviceMemoryResource}: the driver's own, or the one that was chosen.
     *
     * @return the resource; the caller closes it
     */
    public MemoryResource memoryResource() {
        long[] resource = new long[1];
        CuprumNative.cuprum_memory_resource_chosen(resource, deviceId);
        return MemoryResource.ofHandle(resource[0]);
    }

    /**
     * Chooses that: a pool of the device, for other CUDA code too, or a {@link UserMemoryResource}, for {@link
     * #allocate(long, Stream)} and what the parallel algorithms need for a time. It lives until another one is chosen.
     *
     * @param resource a pool of this device, or a resource of the program's
     * @throws InvalidArgumentException when the resource is another device's or of another kind, or devices cannot use
     *         its memory
     */
    public void setMemoryResource(MemoryResource resource) {
        resource.with(Operations.MEMORY_RESOURCE_USE, handle -> {
            CuprumNative.cuprum_memory_resource_use(deviceId, handle);
            return null;
        });
    }

    /**
     * Allocates device memory that is usable from any stream at once.
     *
     * @param size the size in bytes; 0 gives an empty buffer
     * @return the buffer; the caller closes it, which waits for the work that uses it
     * @throws OutOfMemoryException when the device does not have enough memory
     */
    public Buffer allocate(long size) {
        return allocateIn(size, 0);
    }

    /**
     * Allocates device memory in stream order: usable in {@code stream} at once and freed in its order.
     *
     * @param size the size in bytes; 0 gives an empty buffer
     * @param stream the stream, which the buffer keeps alive
     * @return the buffer; the caller closes it
     * @throws OutOfMemoryException when the device does not have enough memory
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
