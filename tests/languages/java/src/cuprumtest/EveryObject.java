package cuprumtest;

import io.cuprum.ArrayFormat;
import io.cuprum.ArrayShape;
import io.cuprum.Buffer;
import io.cuprum.CodeType;
import io.cuprum.Context;
import io.cuprum.Device;
import io.cuprum.DeviceMemoryResource;
import io.cuprum.Event;
import io.cuprum.EventOptions;
import io.cuprum.Graph;
import io.cuprum.GraphBuilder;
import io.cuprum.GraphDefinition;
import io.cuprum.Kernel;
import io.cuprum.LegacyPinnedMemoryResource;
import io.cuprum.Linker;
import io.cuprum.LinkerOptions;
import io.cuprum.ManagedMemoryResource;
import io.cuprum.MemoryResource;
import io.cuprum.MipmappedArray;
import io.cuprum.MipmappedArrayOptions;
import io.cuprum.ObjectCode;
import io.cuprum.OpaqueArray;
import io.cuprum.OpaqueArrayOptions;
import io.cuprum.PinnedMemoryResource;
import io.cuprum.PinnedMemoryResourceOptions;
import io.cuprum.PooledMemoryResource;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.ResourceDescriptor;
import io.cuprum.Stream;
import io.cuprum.SurfaceObject;
import io.cuprum.TextureObject;
import io.cuprum.VirtualMemoryResource;
import java.util.List;
import org.junit.jupiter.api.function.Executable;

/** One object of every class: for tests of what becomes of objects. */
final class EveryObject {
    private static final String SOURCE = """
            extern "C" __device__ int number = 7;
            extern "C" __global__ void increment(int* x) { x[threadIdx.x] += number - 6; }
            """;

    private EveryObject() {}

    static List<AutoCloseable> make() {
        Device device = new Device(0);
        String architecture = "sm_" + (10 * device.computeCapability().major() + device.computeCapability().minor());
        Stream stream = device.createStream();
        Program program = new Program(SOURCE, new ProgramOptions().name("objects.cu"));
        ObjectCode code = program.compile();
        Context green = device.createContext(device.smResource().split(0, 1).groups());
        LegacyPinnedMemoryResource legacy = new LegacyPinnedMemoryResource();
        DeviceMemoryResource pool = new DeviceMemoryResource(device, 0);
        DeviceMemoryResource shareable = DeviceMemoryResource.createShareable(device, 1 << 22);
        PinnedMemoryResource pinned = new PinnedMemoryResource(new PinnedMemoryResourceOptions());
        ManagedMemoryResource managed = new ManagedMemoryResource(null);
        VirtualMemoryResource growing = new VirtualMemoryResource(device);
        GraphDefinition definition = new GraphDefinition(device);
        definition.empty();
        OpaqueArray picture =
                device.createOpaqueArray(new OpaqueArrayOptions(new ArrayShape(4, 4), ArrayFormat.FLOAT32, 1, true));
        MipmappedArray pyramid = device.createMipmappedArray(
                new MipmappedArrayOptions(new ArrayShape(4, 4), ArrayFormat.FLOAT32, 1, 2));
        ResourceDescriptor resource = ResourceDescriptor.fromOpaqueArray(picture);
        return List.<AutoCloseable>of(device.createTextureObject(resource), device.createSurfaceObject(resource),
                pyramid.getLevel(0), pyramid, picture, definition.instantiate(), definition,
                device.createGraphBuilder().beginBuilding(), stream, program, green.createStream(), green, device.createEvent(),
                device.createEvent(new EventOptions(true, false)), device.allocate(64), device.allocate(64, stream),
                legacy.allocate(64), pool.allocate(64, stream), shareable.allocate(64, stream),
                pinned.allocate(64, stream), managed.allocate(64, stream), growing.allocate(64),
                Buffer.registerHostMemory(Fixtures.direct(16384)), legacy, pool, shareable, pinned, managed, growing,
                code.getGlobal(device, "number"), code.getKernel("increment"),
                new Linker(List.of(code), new LinkerOptions().arch(architecture)), code);
    }

    /** Something that its class is for. */
    static Executable useOf(AutoCloseable object) {
        if (object instanceof Stream stream) {
            return stream::sync;
        } else if (object instanceof Event event) {
            return event::sync;
        } else if (object instanceof Buffer buffer) {
            return () -> buffer.copyFrom(new byte[4]);
        } else if (object instanceof OpaqueArray array) {
            return array::shape;
        } else if (object instanceof MipmappedArray array) {
            return () -> array.getLevel(1).close();
        } else if (object instanceof TextureObject texture) {
            return texture::handle;
        } else if (object instanceof SurfaceObject surface) {
            return surface::handle;
        } else if (object instanceof PooledMemoryResource pool) {
            return () -> pool.trimTo(0);
        } else if (object instanceof MemoryResource resource) {
            return () -> resource.allocate(16).close();
        } else if (object instanceof Context context) {
            return () -> context.createStream().close();
        } else if (object instanceof Program program) {
            return () -> program.compile(CodeType.PTX).close();
        } else if (object instanceof ObjectCode code) {
            return () -> code.getKernel("increment").close();
        } else if (object instanceof Kernel kernel) {
            return () -> kernel.attributes(new Device(0));
        } else if (object instanceof Graph graph) {
            return () -> {
                try (Stream stream = new Device(0).createStream()) {
                    graph.launch(stream);
                }
            };
        } else if (object instanceof GraphDefinition definition) {
            return definition::empty;
        } else if (object instanceof GraphBuilder builder) {
            return () -> builder.callback(() -> {});
        } else if (object instanceof Linker linker) {
            return () -> linker.link(CodeType.CUBIN).close();
        }
        throw new IllegalArgumentException(object.getClass().getName());
    }
}
