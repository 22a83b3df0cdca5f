package cuprumtest;

import io.cuprum.AddressMode;
import io.cuprum.ArrayFormat;
import io.cuprum.ArrayShape;
import io.cuprum.Batch;
import io.cuprum.BitRange;
import io.cuprum.Buffer;
import io.cuprum.CodeType;
import io.cuprum.CompileRequest;
import io.cuprum.Context;
import io.cuprum.Determinism;
import io.cuprum.Device;
import io.cuprum.DeviceMemoryResource;
import io.cuprum.Dimensions;
import io.cuprum.ElementType;
import io.cuprum.Event;
import io.cuprum.EventOptions;
import io.cuprum.Execution;
import io.cuprum.FilterMode;
import io.cuprum.Graph;
import io.cuprum.GraphBuilder;
import io.cuprum.GraphDefinition;
import io.cuprum.GraphMemoryResource;
import io.cuprum.GraphNode;
import io.cuprum.HostArray;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.LegacyPinnedMemoryResource;
import io.cuprum.Linker;
import io.cuprum.LinkerOptions;
import io.cuprum.MemoryAllocator;
import io.cuprum.MemoryKind;
import io.cuprum.MipmappedArray;
import io.cuprum.MipmappedArrayOptions;
import io.cuprum.ObjectCode;
import io.cuprum.OpaqueArray;
import io.cuprum.OpaqueArrayOptions;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.Pathfinder;
import io.cuprum.PinnedMemoryResource;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Region;
import io.cuprum.ResourceDescriptor;
import io.cuprum.SortOrder;
import io.cuprum.SourceType;
import io.cuprum.Stream;
import io.cuprum.TextureObject;
import io.cuprum.TextureObjectOptions;
import io.cuprum.Toolkit;
import io.cuprum.UserMemoryResource;
import io.cuprum.Value;
import io.cuprum.VirtualMemoryResource;
import io.cuprum.WaitCondition;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Mistakes that a user can make. Run as a program, it prints what Cuprum says to each. */
final class Mistakes implements AutoCloseable {
    /** What is done wrong. */
    interface Action {
        void run() throws Exception;
    }

    private static final String SOURCE = """
            extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) y[i] = a * x[i] + y[i];
            }
            extern "C" __global__ void write_null(int* p) { *p = 1; }
            """;
    private static final String BROKEN_PTX =
            ".version 8.0\n.target sm_50\n.address_size 64\n.visible .entry k() { nonsense; }\n";

    final Map<String, Action> actions = new LinkedHashMap<>();
    final Map<String, Action> faults = new LinkedHashMap<>();

    private final Device device = new Device(0);
    private final Stream stream = device.createStream();
    private final Buffer small = device.allocate(16);
    private final Buffer large = device.allocate(400);
    private final Program program = new Program(SOURCE, new ProgramOptions().name("saxpy.cu"));
    private final ObjectCode code = program.compile();
    private final Kernel kernel = code.getKernel("saxpy");
    private final Kernel writeNull = code.getKernel("write_null");
    private final VirtualMemoryResource growing = new VirtualMemoryResource(device);
    private final Buffer grown = growing.allocate(16);
    private final Event plain = device.createEvent();
    private final Event timed = device.createEvent(new EventOptions(true, false));

    Mistakes() {
        addDevices();
        addMemory();
        addVirtualMemory();
        addImages();
        addContexts();
        addStreamsAndEvents();
        addPrograms();
        addKernelsAndLaunches();
        addPathfinder();
        addParallel();
        faults.put("stream.sync() after a write to null", () -> {
            stream.launch(new LaunchConfig(1, 1), writeNull, Buffer.fromHandle(device, 0, 0));
            stream.sync();
        });
    }

    private void addDevices() {
        actions.put("new Device(99)", () -> new Device(99));
        actions.put("new Device(-1)", () -> new Device(-1));
        actions.put("device.attribute(-1)", () -> device.attribute(-1));
    }

    private void addMemory() {
        actions.put("device.allocate(-1)", () -> device.allocate(-1));
        actions.put("device.allocate(1L << 60)", () -> device.allocate(1L << 60));
        actions.put("device.allocate(16, null)", () -> device.allocate(16, null));
        actions.put("device.allocate(16, closed stream)", () -> device.allocate(16, closedStream()));
        actions.put("Buffer.fromHandle(device, 0, 16)", () -> Buffer.fromHandle(device, 0, 16));
        actions.put("small.copyFrom(new byte[800])", () -> small.copyFrom(new byte[800]));
        actions.put("small.copyTo(new byte[800])", () -> small.copyTo(new byte[800]));
        actions.put("small.copyFrom(direct, 8, stream)", () -> small.copyFrom(Fixtures.direct(16), 8, stream));
        actions.put("small.copyFrom(direct, -1, stream)", () -> small.copyFrom(Fixtures.direct(16), -1, stream));
        actions.put("small.copyFrom((byte[]) null)", () -> small.copyFrom((byte[]) null));
        actions.put("small.copyFrom(big-endian buffer)",
                () -> small.copyFrom(ByteBuffer.allocateDirect(16).order(ByteOrder.BIG_ENDIAN).asFloatBuffer()));
        actions.put("small.copyTo(read-only buffer)", () -> small.copyTo(Fixtures.direct(16).asReadOnlyBuffer()));
        actions.put("small.copyFrom(large, stream)", () -> small.copyFrom(large, stream));
        actions.put("small.copyFrom(closed buffer, stream)", () -> small.copyFrom(closedBuffer(), stream));
        actions.put("closed buffer.copyFrom(new byte[16])", () -> closedBuffer().copyFrom(new byte[16]));
        actions.put("small.fill(1, 3, stream)", () -> small.fill(1, 3, stream));
        actions.put("small.fill(256, 1, stream)", () -> small.fill(256, 1, stream));
        actions.put("allocate(6).fill(1, 4, stream)", () -> device.allocate(6, stream).fill(1, 4, stream));
        actions.put("small.fill(1, 1, closed stream)", () -> small.fill(1, 1, closedStream()));
        actions.put("small.fillRegion(new Region(4, 5, 0, 0), 1, 1, stream)",
                () -> small.fillRegion(new Region(4, 5, 0, 0), 1, 1, stream));
        actions.put("small.fillRegion(new Region(4, 2, 0, 3), 1, 1, stream)",
                () -> small.fillRegion(new Region(4, 2, 0, 3), 1, 1, stream));
        actions.put("small.fillRegion(new Region(0, 1, 0, 0), 1, 1, stream)",
                () -> small.fillRegion(new Region(0, 1, 0, 0), 1, 1, stream));
        actions.put("small.fillRegion(new Region(6, 1, 0, 0), 1, 4, stream)",
                () -> small.fillRegion(new Region(6, 1, 0, 0), 1, 4, stream));
        actions.put("small.fillRegion(null, 1, 1, stream)", () -> small.fillRegion(null, 1, 1, stream));
        actions.put("small.copyRegionFrom(small, overlapping, stream)",
                () -> small.copyRegionFrom(small, new Region(8, 1, 4, 0), new Region(8, 1, 0, 0), stream));
        actions.put("small.copyRegionFrom(3 bytes, new Region(4, 1, 0, 0))",
                () -> small.copyRegionFrom(Fixtures.direct(3), new Region(4, 1, 0, 0)));
        actions.put("small.copyRegionTo(read-only buffer, new Region(4, 1, 0, 0))",
                () -> small.copyRegionTo(Fixtures.direct(16).asReadOnlyBuffer(), new Region(4, 1, 0, 0)));
        actions.put("closed buffer.copyRegionTo(direct, new Region(4, 1, 0, 0))",
                () -> closedBuffer().copyRegionTo(Fixtures.direct(16), new Region(4, 1, 0, 0)));
        actions.put("Batch.copy(stream, [small], [large])",
                () -> Batch.copy(stream, List.of(small), List.of(large)));
        actions.put("Batch.copy(stream, [small], [small])",
                () -> Batch.copy(stream, List.of(small), List.of(small)));
        actions.put("Batch.copy(stream, [small], [])", () -> Batch.copy(stream, List.of(small), List.of()));
        actions.put("Batch.copy(stream, [small], [closed buffer])",
                () -> Batch.copy(stream, List.of(small), List.of(closedBuffer())));
        actions.put("Batch.copy(stream, null, [])", () -> Batch.copy(stream, null, List.of()));
        actions.put("Batch.discard(stream, [small])", () -> Batch.discard(stream, List.of(small)));
        actions.put("small.ipcHandle()", () -> small.ipcHandle());
        actions.put("PinnedMemoryResource.fromAllocationHandle(1000000)",
                () -> PinnedMemoryResource.fromAllocationHandle(1_000_000));
        actions.put("DeviceMemoryResource.fromAllocationHandle(device, 1000000)",
                () -> DeviceMemoryResource.fromAllocationHandle(device, 1_000_000));
        actions.put("small.asByteBuffer()", () -> small.asByteBuffer());
        actions.put("closed buffer.asByteBuffer()", () -> closedBuffer().asByteBuffer());
        actions.put("closed buffer.setDeallocationStream(stream)", () -> closedBuffer().setDeallocationStream(stream));
        actions.put("small.setDeallocationStream(closed stream)", () -> small.setDeallocationStream(closedStream()));
        actions.put("registerHostMemory(no bytes)", () -> Buffer.registerHostMemory(Fixtures.direct(0)));
        actions.put("registerHostMemory(a buffer on the heap)",
                () -> Buffer.registerHostMemory(ByteBuffer.allocate(16).order(ByteOrder.nativeOrder())));
        actions.put("registerHostMemory(read-only buffer)",
                () -> Buffer.registerHostMemory(Fixtures.direct(16).asReadOnlyBuffer().order(ByteOrder.nativeOrder())));
        actions.put("pinned.allocate(1L << 50)", () -> {
            try (LegacyPinnedMemoryResource pinned = new LegacyPinnedMemoryResource()) {
                pinned.allocate(1L << 50);
            }
        });
        actions.put("pinned.deallocate(4096, 16)", () -> {
            try (LegacyPinnedMemoryResource pinned = new LegacyPinnedMemoryResource()) {
                pinned.deallocate(4096, 16);
            }
        });
        actions.put("device.setMemoryResource(pinned)", () -> {
            try (LegacyPinnedMemoryResource pinned = new LegacyPinnedMemoryResource()) {
                device.setMemoryResource(pinned);
            }
        });
        actions.put("Buffer.fromHandle(pinned, 0, 16, null)", () -> {
            try (LegacyPinnedMemoryResource pinned = new LegacyPinnedMemoryResource()) {
                Buffer.fromHandle(pinned, 0, 16, null);
            }
        });
        actions.put("new UserMemoryResource(MemoryKind.DEVICE, allocator)",
                () -> new UserMemoryResource(MemoryKind.DEVICE, new NoMemory()));
        actions.put("new UserMemoryResource(device, null)", () -> new UserMemoryResource(device, null));
        actions.put("resource of the null address .allocate(16)", () -> {
            try (UserMemoryResource resource = new UserMemoryResource(device, new NoMemory())) {
                resource.allocate(16);
            }
        });
        actions.put("graph memory without a capture", () -> {
            try (GraphMemoryResource resource = new GraphMemoryResource(device)) {
                resource.allocate(16, stream);
            }
        });
        actions.put("graph memory without a stream", () -> {
            try (GraphMemoryResource resource = new GraphMemoryResource(device)) {
                resource.allocate(16);
            }
        });
        actions.put("closed buffer.handle()", () -> closedBuffer().handle());
    }

    private void addImages() {
        OpaqueArrayOptions options = new OpaqueArrayOptions(new ArrayShape(4, 2), ArrayFormat.UINT8, 1);
        OpaqueArray picture = device.createOpaqueArray(options);
        ResourceDescriptor resource = ResourceDescriptor.fromOpaqueArray(picture);
        actions.put("createOpaqueArray(no elements)", () -> device.createOpaqueArray(
                new OpaqueArrayOptions(new ArrayShape(0), ArrayFormat.UINT8, 1)));
        actions.put("createOpaqueArray(three channels)", () -> device.createOpaqueArray(
                new OpaqueArrayOptions(new ArrayShape(4), ArrayFormat.UINT8, 3)));
        actions.put("createOpaqueArray(1L << 40 elements)", () -> device.createOpaqueArray(
                new OpaqueArrayOptions(new ArrayShape(1L << 40), ArrayFormat.UINT8, 1)));
        actions.put("createMipmappedArray(9 levels)", () -> device.createMipmappedArray(
                new MipmappedArrayOptions(new ArrayShape(4, 4), ArrayFormat.UINT8, 1, 9)));
        actions.put("array.copyFrom(small direct buffer, stream)",
                () -> picture.copyFrom(Fixtures.direct(7), stream));
        actions.put("array.copyTo(read-only buffer, stream)",
                () -> picture.copyTo(Fixtures.direct(8).asReadOnlyBuffer(), stream));
        actions.put("array.copyFrom(closed buffer, stream)", () -> picture.copyFrom(closedBuffer(), stream));
        actions.put("array.copyTo(buffer, closed stream)", () -> picture.copyTo(small, closedStream()));
        actions.put("OpaqueArray.fromHandle(0, device)", () -> OpaqueArray.fromHandle(0, device));
        actions.put("mipmapped array.getLevel(2)", () -> {
            try (MipmappedArray pyramid = device.createMipmappedArray(
                    new MipmappedArrayOptions(new ArrayShape(4), ArrayFormat.UINT8, 1, 2))) {
                pyramid.getLevel(2);
            }
        });
        actions.put("texture object that filters integers", () -> device.createTextureObject(
                resource, new TextureObjectOptions().filterMode(FilterMode.LINEAR)));
        actions.put("texture object with an anisotropy of -1", () -> device.createTextureObject(
                resource, new TextureObjectOptions().maxAnisotropy(-1)));
        actions.put("addressMode(none)", () -> new TextureObjectOptions().addressMode(new AddressMode[0]));
        actions.put("texture object of too many bytes", () -> device.createTextureObject(
                ResourceDescriptor.fromLinear(small, ArrayFormat.UINT8, 1, 17)));
        actions.put("texture object with rows that overlap", () -> device.createTextureObject(
                ResourceDescriptor.fromPitch2d(large, ArrayFormat.FLOAT32, 1, 16, 4, 32)));
        actions.put("surface object of an array for textures", () -> device.createSurfaceObject(resource));
        actions.put("surface object of a buffer", () -> device.createSurfaceObject(
                ResourceDescriptor.fromLinear(small, ArrayFormat.UINT8, 1)));
        actions.put("closed array.shape()", () -> {
            OpaqueArray closed = device.createOpaqueArray(options);
            closed.close();
            closed.shape();
        });
        actions.put("closed texture object.handle()", () -> {
            TextureObject closed = device.createTextureObject(resource);
            closed.close();
            closed.handle();
        });
    }

    private void addVirtualMemory() {
        actions.put("virtual memory of no device", () -> new VirtualMemoryResource(null));
        actions.put("virtual memory without options", () -> new VirtualMemoryResource(device, null));
        actions.put("virtual.allocate(-1)", () -> growing.allocate(-1));
        actions.put("virtual.allocate(1L << 60)", () -> growing.allocate(1L << 60));
        actions.put("virtual.deallocate(4096, 16)", () -> growing.deallocate(4096, 16));
        actions.put("virtual.modifyAllocation(small, 32)", () -> growing.modifyAllocation(small, 32));
        actions.put("virtual.modifyAllocation(grown, 8)", () -> growing.modifyAllocation(grown, 8));
        actions.put("virtual.modifyAllocation(grown, -1)", () -> growing.modifyAllocation(grown, -1));
        actions.put("virtual.modifyAllocation(grown, 1L << 60)", () -> growing.modifyAllocation(grown, 1L << 60));
        actions.put("virtual.modifyAllocation(null, 32)", () -> growing.modifyAllocation(null, 32));
        actions.put("virtual.modifyAllocation(closed buffer, 32)", () -> growing.modifyAllocation(closedBuffer(), 32));
        actions.put("closed virtual.allocate(16)", () -> {
            VirtualMemoryResource closed = new VirtualMemoryResource(device);
            closed.close();
            closed.allocate(16);
        });
    }

    private void addContexts() {
        actions.put("device.createContext(nothing)", () -> device.createContext(List.of()));
        actions.put("split into too many", () -> device.smResource().split(1 << 20, 1));
        actions.put("split into -1", () -> device.smResource().split(-1, 1));
        actions.put("closed context.createStream()", () -> {
            Context closed = device.context();
            closed.close();
            closed.createStream();
        });
        actions.put("event.ipcHandle()", () -> plain.ipcHandle());
        actions.put("stream.waitValue32(small, 2, 0)", () -> stream.waitValue32(small, 2, 0, WaitCondition.EQUAL));
        actions.put("stream.writeValue64(closed buffer, 0, 0)", () -> stream.writeValue64(closedBuffer(), 0, 0));
        actions.put("stream.launchHostFunction(null)", () -> stream.launchHostFunction(null));
    }

    private void addStreamsAndEvents() {
        actions.put("closed stream.sync()", () -> closedStream().sync());
        actions.put("closed stream.record(event)", () -> closedStream().record(plain));
        actions.put("stream.record(closed event)", () -> stream.record(closedEvent()));
        actions.put("stream.waitFor(closed event)", () -> stream.waitFor(closedEvent()));
        actions.put("stream.waitFor((Event) null)", () -> stream.waitFor((Event) null));
        actions.put("Event.elapsedTime(plain, timed)", () -> Event.elapsedTime(plain, timed));
        actions.put("Event.elapsedTime(timed, timed)", () -> Event.elapsedTime(timed, timed));
    }

    private void addPrograms() {
        actions.put("new Program(null)", () -> new Program(null));
        actions.put("new Program with a NUL", () -> new Program("a\0b"));
        actions.put("compile a broken program", () -> new Program("int i = undeclared;").compile());
        actions.put("compile without a header", () -> new Program("#include <no_such_header.h>").compile());
        actions.put("compile for nonsense", () -> new Program(SOURCE, new ProgramOptions().arch("nonsense")).compile());
        actions.put("compile NVVM IR that is none", () -> new Program(SOURCE, SourceType.NVVM,
                new ProgramOptions().name("k.ll")).compile());
        actions.put("new Program of empty NVVM IR", () -> Program.ofNvvm(new byte[0], new ProgramOptions()));
        actions.put("new Program of NVVM IR as c++20",
                () -> new Program(SOURCE, SourceType.NVVM, new ProgramOptions().std("c++20")));
        actions.put("new Program of C++ with libdevice",
                () -> new Program(SOURCE, new ProgramOptions().useLibdevice(true)));
        actions.put("new Program of C++ with a module",
                () -> new Program(SOURCE, new ProgramOptions().extraSource("more.ll", "define")));
        actions.put("compile as c++99", () -> new Program(SOURCE, new ProgramOptions().std("c++99")).compile());
        actions.put("ObjectCode.fromBytes(empty)", () -> ObjectCode.fromBytes(new byte[0], CodeType.PTX, "a.ptx"));
        actions.put("new Linker(bytes that are not LTO-IR)",
                () -> new Linker(ObjectCode.fromBytes(new byte[9], CodeType.LTOIR, "a")));
        actions.put("new Linker(bytes that are not a library)",
                () -> new Linker(ObjectCode.fromBytes(new byte[9], CodeType.LIBRARY, "a")));
        actions.put("ObjectCode.fromFile(missing library)",
                () -> ObjectCode.fromFile(Path.of("/no/such/libx.a"), CodeType.LIBRARY));
        actions.put("kernel of an object",
                () -> ObjectCode.fromBytes(new byte[9], CodeType.OBJECT, "a").getKernel("k"));
        actions.put("default stream.createGraphBuilder()", () -> device.defaultStream().createGraphBuilder());
        actions.put("endBuilding before beginBuilding", () -> {
            try (GraphBuilder builder = device.createGraphBuilder()) {
                builder.endBuilding();
            }
        });
        actions.put("complete while building", () -> {
            try (GraphBuilder builder = device.createGraphBuilder()) {
                builder.beginBuilding().complete();
            }
        });
        actions.put("sync while building", () -> {
            try (GraphBuilder builder = device.createGraphBuilder()) {
                builder.beginBuilding().stream().sync();
            }
        });
        actions.put("memcpy of more than there is", () -> {
            try (GraphDefinition definition = new GraphDefinition(device); Buffer four = device.allocate(4)) {
                definition.memcpy(four, four, 5);
            }
        });
        actions.put("write a word beyond the end", () -> {
            try (GraphDefinition definition = new GraphDefinition(device); Buffer four = device.allocate(4)) {
                definition.writeValue32(four, 4, 1);
            }
        });
        actions.put("wait for a word of a pool", () -> {
            try (GraphDefinition definition = new GraphDefinition(device);
                    Buffer pooled = device.allocate(4, stream)) {
                definition.waitValue32(pooled, 0, 1, io.cuprum.WaitCondition.EQUAL);
            }
        });
        actions.put("signal a semaphore", () -> {
            try (GraphDefinition definition = new GraphDefinition(device)) {
                definition.signalExternalSemaphore(0, 1);
            }
        });
        actions.put("a child that is the graph itself", () -> {
            try (GraphDefinition definition = new GraphDefinition(device);
                    GraphDefinition child = new GraphDefinition(device)) {
                definition.embed(child).updateChildGraph(definition);
            }
        });
        actions.put("a box of another rank", () -> io.cuprum.TensorMapDescriptor.tiled(device,
                new io.cuprum.TensorMapTensor(16, io.cuprum.TensorMapDataType.FLOAT32, new long[] {4, 4}, null),
                new int[] {4}, new io.cuprum.TensorMapDescriptorOptions()));
        actions.put("a box that is too large", () -> io.cuprum.TensorMapDescriptor.tiled(device,
                new io.cuprum.TensorMapTensor(16, io.cuprum.TensorMapDataType.FLOAT32, new long[] {4, 4}, null),
                new int[] {4, 300}, new io.cuprum.TensorMapDescriptorOptions()));
        actions.put("new SystemDevice(99)", () -> new io.cuprum.SystemDevice(99));
        actions.put("new SystemDevice(-1)", () -> new io.cuprum.SystemDevice(-1));
        actions.put("embed a graph in itself", () -> {
            try (GraphDefinition definition = new GraphDefinition(device)) {
                definition.embed(definition);
            }
        });
        actions.put("a callback that is null", () -> {
            try (GraphDefinition definition = new GraphDefinition(device)) {
                definition.callback(null);
            }
        });
        actions.put("a destroyed node", () -> {
            try (GraphDefinition definition = new GraphDefinition(device)) {
                GraphNode node = definition.empty();
                node.destroy();
                node.empty();
            }
        });
        actions.put("update from another graph", () -> {
            try (GraphDefinition definition = new GraphDefinition(device); Graph graph = definition.instantiate()) {
                definition.empty();
                graph.update(definition);
            }
        });
        actions.put("new Linker()", () -> new Linker());
        actions.put("new Linker(closed code)", () -> {
            ObjectCode closed = ObjectCode.fromBytes(new byte[9], CodeType.PTX, "a");
            closed.close();
            new Linker(closed);
        });
        actions.put("linker for nonsense", () -> new Linker(List.of(code), new LinkerOptions().arch("nonsense")));
        actions.put("linker with -1 registers",
                () -> new Linker(List.of(code), new LinkerOptions().maxRegisterCount(-1)));
        actions.put("linker.link(FATBIN)", () -> new Linker(code).link(CodeType.FATBIN));
        actions.put("linker.link with a strange option",
                () -> new Linker(List.of(code), new LinkerOptions().extraOption("-strange")).link(CodeType.CUBIN));
        actions.put("closed linker.link(CUBIN)", () -> {
            Linker closed = new Linker(code);
            closed.close();
            closed.link(CodeType.CUBIN);
        });
        actions.put("ObjectCode.fromFile(missing)",
                () -> ObjectCode.fromFile(Path.of("/no/such/file.ptx"), CodeType.PTX));
        actions.put("broken PTX",
                () -> ObjectCode.fromBytes(BROKEN_PTX.getBytes(StandardCharsets.UTF_8), CodeType.PTX, "").getKernel("k"));
        actions.put("code.getKernel(\"saxpi\")", () -> code.getKernel("saxpi"));
        actions.put("code.getKernel(null)", () -> code.getKernel(null));
        actions.put("code.loweredName(\"f<int>\")", () -> code.loweredName("f<int>"));
        actions.put("compileAll(null)", () -> Program.compileAll(null));
        actions.put("compileAll of a closed program", () -> {
            Program closed = new Program(SOURCE);
            closed.close();
            Program.compileAll(List.of(new CompileRequest(closed)));
        });
        actions.put("compileAll on -1 threads",
                () -> Program.compileAll(List.of(new CompileRequest(program)), -1, progress -> {}));
        actions.put("compileAll without progress",
                () -> Program.compileAll(List.of(new CompileRequest(program)), 0, null));
        actions.put("compileAll of broken programs", () -> {
            try (Program broken = new Program("int i = undeclared;", new ProgramOptions().name("broken.cu"))) {
                Program.compileAll(List.of(new CompileRequest(program), new CompileRequest(broken)));
            }
        });
        actions.put("closed program.compile()", () -> {
            Program closed = new Program(SOURCE);
            closed.close();
            closed.compile();
        });
    }

    private void addKernelsAndLaunches() {
        actions.put("kernel.attributes(99)", () -> kernel.attributes(new Device(99)));
        actions.put("kernel.setMaxDynamicSharedSize(1 << 30)", () -> kernel.setMaxDynamicSharedSize(device, 1 << 30));
        actions.put("kernel.maxActiveBlocks(0)", () -> kernel.maxActiveBlocksPerMultiprocessor(device, 0, 0));
        actions.put("new LaunchConfig(-1, 32)", () -> new LaunchConfig(-1, 32));
        actions.put("new Dimensions(1, -1, 1)", () -> new Dimensions(1, -1, 1));
        actions.put("launch with 2048 threads", () -> launch(new LaunchConfig(1, 2048)));
        actions.put("launch with no block", () -> launch(new LaunchConfig(0, 32)));
        actions.put("launch a closed kernel", () -> {
            Kernel closed = code.getKernel("saxpy");
            closed.close();
            stream.launch(new LaunchConfig(1, 32), closed);
        });
        actions.put("launch(null kernel)", () -> stream.launch(new LaunchConfig(1, 32), null));
        actions.put("launch with a closed buffer",
                () -> stream.launch(new LaunchConfig(1, 32), kernel, 1f, closedBuffer(), small, 4));
    }

    private void addPathfinder() {
        actions.put("Pathfinder.findCudaLibrary(\"nvrct\")", () -> Pathfinder.findCudaLibrary("nvrct"));
        actions.put("Toolkit.find(\">=99\")", () -> Toolkit.find(">=99"));
        actions.put("Toolkit.find(\"nonsense\")", () -> Toolkit.find("nonsense"));
    }

    private void addParallel() {
        actions.put("Parallel.sort(\"text\")", () -> Parallel.sort((Object) "text", SortOrder.ASCENDING));
        actions.put("Parallel.reduce with a broken operator",
                () -> Parallel.reduce(new int[] {1}, 0, "a + undeclared"));
        actions.put("inclusiveScan of floats, the same from run to run", () -> Parallel.inclusiveScan(
                new float[] {1}, "plus", new Device(0).require(Determinism.RUN_TO_RUN)));
        actions.put("Value.of(INT128, 2^127)",
                () -> Value.of(ElementType.INT128, java.math.BigInteger.ONE.shiftLeft(127)));
        actions.put("Execution.aheadOfTime()", () -> Execution.aheadOfTime());
        actions.put("new BitRange(3, 3)", () -> new BitRange(3, 3));
        actions.put("HostArray.get(9)", () -> new HostArray(ElementType.INT32, 2).get(9));
        actions.put("Value.of(point, 1)", () -> Value.of(ElementType.structure("Point",
                ElementType.field("x", ElementType.FLOAT32), ElementType.field("y", ElementType.FLOAT32)), 1));
        actions.put("new Operator((String) null)", () -> new Operator((String) null));
    }

    private void launch(LaunchConfig config) {
        stream.launch(config, kernel, 1f, small, small, 4);
    }

    private Stream closedStream() {
        Stream closed = device.createStream();
        closed.close();
        return closed;
    }

    private Buffer closedBuffer() {
        Buffer closed = device.allocate(16);
        closed.close();
        return closed;
    }

    private Event closedEvent() {
        Event closed = device.createEvent();
        closed.close();
        return closed;
    }

    /** What an action throws; null where it throws nothing. */
    static Throwable provoke(Action action) {
        try {
            action.run();
            return null;
        } catch (Throwable error) {
            return error;
        }
    }

    @Override
    public void close() {
        for (AutoCloseable owned : new AutoCloseable[] {timed, plain, grown, growing, writeNull, kernel, code, program,
                large, small, stream}) {
            try {
                owned.close();
            } catch (Exception error) {
                throw new AssertionError(error);
            }
        }
    }

    private static void show(String mistake, Throwable error) {
        System.out.println(mistake + "\n  " + (error == null ? "NO ERROR" : error.getClass().getName()));
        String message = error == null || error.getMessage() == null ? "" : error.getMessage();
        System.out.println("    " + message.replace("\n", "\n    "));
    }

    public static void main(String[] arguments) {
        try (Mistakes mistakes = new Mistakes()) {
            Map<String, Action> shown = arguments.length > 0 ? mistakes.faults : mistakes.actions;
            shown.forEach((mistake, action) -> show(mistake, provoke(action)));
        }
    }

    private static final class NoMemory implements MemoryAllocator {
        @Override
        public long allocate(long size, Stream stream) {
            return 0;
        }

        @Override
        public void deallocate(long address, long size, Stream stream) {}
    }
}
