using System;
using System.Collections.Generic;
using System.Text;
using Cuprum;
using Buffer = Cuprum.Buffer;

/// <summary>Mistakes that a user can make, each with what is called.</summary>
internal sealed class Mistakes : IDisposable {
    public readonly List<KeyValuePair<string, Action>> Actions = new List<KeyValuePair<string, Action>>();

    private const string BrokenPtx =
        ".version 8.0\n.target sm_50\n.address_size 64\n.visible .entry k() { nonsense; }\n";
    private readonly Device device = new Device(0);
    private readonly List<IDisposable> owned = new List<IDisposable>();
    private readonly Stream stream;
    private readonly Buffer small;
    private readonly Buffer large;
    private readonly ObjectCode code;
    private readonly Kernel kernel;
    private readonly Event plain;
    private readonly Event timed;

    public Mistakes() {
        stream = Own(device.CreateStream());
        small = Own(device.Allocate(16L));
        large = Own(device.Allocate(400L));
        code = Own(Own(new Program(Fixtures.Saxpy, new ProgramOptions { Name = "saxpy.cu" })).Compile());
        kernel = Own(code.GetKernel("saxpy"));
        plain = Own(device.CreateEvent());
        timed = Own(device.CreateEvent(new EventOptions { TimingEnabled = true }));
        AddDevicesAndMemory();
        AddVirtualMemoryAndContexts();
        AddImages();
        AddStreamsAndEvents();
        AddPrograms();
        AddKernelsAndLaunches();
        AddTheRest();
    }

    public void Dispose() {
        for (int i = owned.Count - 1; i >= 0; --i) {
            owned[i].Dispose();
        }
    }

    private T Own<T>(T made) where T : IDisposable {
        owned.Add(made);
        return made;
    }

    private T Closed<T>(T made) where T : IDisposable {
        made.Dispose();
        return made;
    }

    private void Add(string mistake, Action action) {
        Actions.Add(new KeyValuePair<string, Action>(mistake, action));
    }

    private void AddDevicesAndMemory() {
        Add("new Device(99)", () => new Device(99));
        Add("new Device(-1)", () => new Device(-1));
        Add("Allocate(-1)", () => device.Allocate(-1L));
        Add("Allocate(1UL << 60)", () => device.Allocate(1UL << 60));
        Add("Allocate(16, closed stream)", () => device.Allocate(16L, Closed(device.CreateStream())));
        Add("Buffer.FromHandle(device, 0, 16)", () => Buffer.FromHandle(device, 0, 16));
        Add("small.CopyFrom(new byte[800])", () => small.CopyFrom(new byte[800]));
        Add("small.CopyTo(new byte[800])", () => small.CopyTo(new byte[800]));
        Add("small.CopyFrom(new byte[16], null, 8)", () => small.CopyFrom(new byte[16], null, 8));
        Add("small.CopyFrom<byte>(null)", () => small.CopyFrom<byte>(null));
        Add("small.CopyFrom(IntPtr.Zero, 16)", () => small.CopyFrom(IntPtr.Zero, 16));
        Add("small.CopyFrom(references)", () => small.CopyFrom(new KeyValuePair<string, int>[1]));
        Add("small.CopyFrom(large, stream)", () => small.CopyFrom(large, stream));
        Add("small.CopyFrom((Buffer)null, stream)", () => small.CopyFrom((Buffer)null, stream));
        Add("closed.CopyFrom(new byte[16])", () => Closed(device.Allocate(16L)).CopyFrom(new byte[16]));
        Add("small.Fill(1, 3, stream)", () => small.Fill(1, 3, stream));
        Add("small.Fill(256, 1, stream)", () => small.Fill(256, 1, stream));
        Add("small.FillRegion(new Region(4, 5), 1, 1, stream)",
            () => small.FillRegion(new Region(4, 5), 1, 1, stream));
        Add("small.FillRegion(new Region(4, 2, rowPitch: 3), 1, 1, stream)",
            () => small.FillRegion(new Region(4, 2, rowPitch: 3), 1, 1, stream));
        Add("small.FillRegion(new Region(0), 1, 1, stream)", () => small.FillRegion(new Region(0), 1, 1, stream));
        Add("small.FillRegion(new Region(6), 1, 4, stream)", () => small.FillRegion(new Region(6), 1, 4, stream));
        Add("small.FillRegion(null, 1, 1, stream)", () => small.FillRegion(null, 1, 1, stream));
        Add("small.CopyRegionFrom(small, overlapping, stream)",
            () => small.CopyRegionFrom(small, new Region(8, offset: 4), new Region(8), stream));
        Add("small.CopyRegionFrom(new byte[3], new Region(4))",
            () => small.CopyRegionFrom(new byte[3], new Region(4)));
        Add("small.CopyRegionTo(new byte[16], other shape)",
            () => small.CopyRegionTo(new byte[16], new Region(4, 4), new Region(8, 2)));
        Add("closed.CopyRegionTo(new byte[16], new Region(4))",
            () => Closed(device.Allocate(16L)).CopyRegionTo(new byte[16], new Region(4)));
        Add("Batch.Copy(stream, [small], [large])",
            () => Batch.Copy(stream, new[] { small }, new[] { large }));
        Add("Batch.Copy(stream, [small], [small])",
            () => Batch.Copy(stream, new[] { small }, new[] { small }));
        Add("Batch.Copy(stream, [small], [])", () => Batch.Copy(stream, new[] { small }, new Buffer[0]));
        Add("Batch.Copy(stream, null, [])", () => Batch.Copy(stream, null, new Buffer[0]));
        Add("Batch.Discard(stream, [small])", () => Batch.Discard(stream, new[] { small }));
        Add("small.IpcHandle()", () => small.IpcHandle());
        Add("PinnedMemoryResource.FromAllocationHandle(1000000)",
            () => PinnedMemoryResource.FromAllocationHandle(1000000));
        Add("DeviceMemoryResource.FromAllocationHandle(device, 1000000)",
            () => DeviceMemoryResource.FromAllocationHandle(device, 1000000));
        Add("small.AsHostMemory()", () => small.AsHostMemory());
        Add("closed.AsHostMemory()", () => Closed(device.Allocate(16L)).AsHostMemory());
        Add("closed.SetDeallocationStream(stream)",
            () => Closed(device.Allocate(16L)).SetDeallocationStream(stream));
        Add("small.SetDeallocationStream(null)", () => small.SetDeallocationStream(null));
        Add("RegisterHostMemory(new byte[0])", () => Buffer.RegisterHostMemory(new byte[0]));
        Add("RegisterHostMemory(null)", () => Buffer.RegisterHostMemory((byte[])null));
        Add("RegisterHostMemory(IntPtr.Zero, 16)", () => Buffer.RegisterHostMemory(IntPtr.Zero, 16));
        Add("pinned.Allocate(1L << 50)", () => Own(new LegacyPinnedMemoryResource()).Allocate(1L << 50));
        Add("pinned.Deallocate(4096, 16)", () => Own(new LegacyPinnedMemoryResource()).Deallocate(4096, 16));
        Add("closed pinned.Allocate(16)", () => Closed(new LegacyPinnedMemoryResource()).Allocate(16L));
        Add("device.MemoryResource = pinned", () => device.MemoryResource = Own(new LegacyPinnedMemoryResource()));
        Add("Buffer.FromHandle(pinned, 0, 16)",
            () => Buffer.FromHandle(Own(new LegacyPinnedMemoryResource()), 0, 16));
        Add("Buffer.FromHandle(pool, small.Handle, 16, stream)",
            () => Buffer.FromHandle(Own(new DeviceMemoryResource(device)), small.Handle, 16, stream));
        Add("new UserMemoryResource(MemoryKind.Device, allocator)",
            () => new UserMemoryResource(MemoryKind.Device, new NoMemory()));
        Add("new UserMemoryResource(device, null)", () => new UserMemoryResource(device, null));
        Add("resource of the null address .Allocate(16)",
            () => Own(new UserMemoryResource(device, new NoMemory())).Allocate(16L));
        Add("graph memory without a capture",
            () => Own(new GraphMemoryResource(device)).Allocate(16L, stream));
        Add("graph memory without a stream", () => Own(new GraphMemoryResource(device)).Allocate(16L));
        Add("small.Fill(1, 1, closed stream)", () => small.Fill(1, 1, Closed(device.CreateStream())));
    }

    private void AddImages() {
        var options = new OpaqueArrayOptions { Shape = new ArrayShape(4, 2), Format = ArrayFormat.UInt8 };
        OpaqueArray picture = Own(device.CreateOpaqueArray(options));
        ResourceDescriptor resource = ResourceDescriptor.FromOpaqueArray(picture);
        Add("CreateOpaqueArray(null)", () => device.CreateOpaqueArray(null));
        Add("CreateOpaqueArray(no elements)", () => device.CreateOpaqueArray(new OpaqueArrayOptions()));
        Add("CreateOpaqueArray(three channels)",
            () => device.CreateOpaqueArray(new OpaqueArrayOptions { Shape = new ArrayShape(4), NumChannels = 3 }));
        Add("CreateOpaqueArray(1 << 40 elements)",
            () => device.CreateOpaqueArray(new OpaqueArrayOptions { Shape = new ArrayShape(1UL << 40) }));
        Add("CreateMipmappedArray(9 levels)",
            () => device.CreateMipmappedArray(
                new MipmappedArrayOptions { Shape = new ArrayShape(4, 4), NumLevels = 9 }));
        Add("array.CopyFrom(new byte[7], stream)", () => picture.CopyFrom(new byte[7], stream));
        Add("array.CopyTo((byte[])null, stream)", () => picture.CopyTo((byte[])null, stream));
        Add("array.CopyTo(new byte[8], null)", () => picture.CopyTo(new byte[8], null));
        Add("array.CopyFrom(closed buffer, stream)",
            () => picture.CopyFrom(Closed(device.Allocate(16L)), stream));
        Add("array.CopyTo(small, closed stream)", () => picture.CopyTo(small, Closed(device.CreateStream())));
        Add("OpaqueArray.FromHandle(0, device)", () => OpaqueArray.FromHandle(0, device));
        Add("mipmapped array.GetLevel(2)",
            () => Own(device.CreateMipmappedArray(
                new MipmappedArrayOptions { Shape = new ArrayShape(4), NumLevels = 2 })).GetLevel(2));
        Add("ResourceDescriptor.FromOpaqueArray(null)", () => ResourceDescriptor.FromOpaqueArray(null));
        Add("texture object of nothing", () => device.CreateTextureObject(null));
        Add("texture object that filters integers",
            () => device.CreateTextureObject(resource, new TextureObjectOptions { FilterMode = FilterMode.Linear }));
        Add("texture object with an anisotropy of -1",
            () => device.CreateTextureObject(resource, new TextureObjectOptions { MaxAnisotropy = -1 }));
        Add("texture object with a border of two numbers",
            () => device.CreateTextureObject(resource, new TextureObjectOptions { BorderColor = new float[2] }));
        Add("texture object of too many bytes",
            () => device.CreateTextureObject(ResourceDescriptor.FromLinear(small, ArrayFormat.UInt8, 1, 17)));
        Add("texture object with rows that overlap",
            () => device.CreateTextureObject(
                ResourceDescriptor.FromPitch2D(large, ArrayFormat.Float32, 1, 16, 4, 32)));
        Add("surface object of an array for textures", () => device.CreateSurfaceObject(resource));
        Add("surface object of a buffer",
            () => device.CreateSurfaceObject(ResourceDescriptor.FromLinear(small, ArrayFormat.UInt8, 1)));
        Add("closed array.Shape", () => Closed(device.CreateOpaqueArray(options)).Shape.ToString());
        Add("closed texture object.Handle",
            () => Closed(device.CreateTextureObject(resource)).Handle.ToString());
    }

    private void AddVirtualMemoryAndContexts() {
        VirtualMemoryResource growing = Own(new VirtualMemoryResource(device));
        Buffer grown = Own(growing.Allocate(16L));
        Add("virtual memory of no device", () => new VirtualMemoryResource(null));
        Add("virtual memory with an alignment of 3",
            () => new VirtualMemoryResource(device, new VirtualMemoryResourceOptions { AddressAlignment = 3 }));
        Add("virtual.Allocate(-1)", () => growing.Allocate(-1L));
        Add("virtual.Allocate(1 << 60)", () => growing.Allocate(1L << 60));
        Add("virtual.Deallocate(4096, 16)", () => growing.Deallocate(4096, 16));
        Add("virtual.ModifyAllocation(small, 32)", () => growing.ModifyAllocation(small, 32));
        Add("virtual.ModifyAllocation(grown, 8)", () => growing.ModifyAllocation(grown, 8));
        Add("virtual.ModifyAllocation(grown, 1 << 60)", () => growing.ModifyAllocation(grown, 1UL << 60));
        Add("virtual.ModifyAllocation(null, 32)", () => growing.ModifyAllocation(null, 32));
        Add("virtual.ModifyAllocation(closed buffer, 32)",
            () => growing.ModifyAllocation(Closed(growing.Allocate(16L)), 32));
        Add("closed virtual.Allocate(16)", () => Closed(new VirtualMemoryResource(device)).Allocate(16L));
        Add("CreateContext()", () => device.CreateContext());
        Add("split into too many", () => device.SMResource.Split(1 << 20));
        Add("split into -1", () => device.SMResource.Split(-1));
        Add("closed context.CreateStream()", () => Closed(device.Context).CreateStream());
        Add("event.IpcHandle()", () => plain.IpcHandle());
        Add("stream.WaitValue32(small, 2, 0)", () => stream.WaitValue32(small, 2, 0));
        Add("stream.LaunchHostFunction(null)", () => stream.LaunchHostFunction(null));
    }

    private sealed class NoMemory : IMemoryAllocator {
        public ulong Allocate(ulong size, Stream stream) {
            return 0;
        }

        public void Deallocate(ulong address, ulong size, Stream stream) {}
    }

    private void AddStreamsAndEvents() {
        Add("closed stream.Sync()", () => Closed(device.CreateStream()).Sync());
        Add("closed stream.Record(event)", () => Closed(device.CreateStream()).Record(plain));
        Add("stream.Record(closed event)", () => stream.Record(Closed(device.CreateEvent())));
        Add("stream.Wait(closed event)", () => stream.Wait(Closed(device.CreateEvent())));
        Add("stream.Wait((Event)null)", () => stream.Wait((Event)null));
        Add("Event.ElapsedTime(plain, timed)", () => Event.ElapsedTime(plain, timed));
        Add("Event.ElapsedTime(timed, timed)", () => Event.ElapsedTime(timed, timed));
    }

    private void AddPrograms() {
        Add("new Program(null)", () => new Program(null));
        Add("new Program with a NUL", () => new Program("a\0b"));
        Add("compile a broken program", () => Own(new Program("int i = undeclared;")).Compile());
        Add("compile without a header", () => Own(new Program("#include <no_such_header.h>")).Compile());
        Add("compile for nonsense",
            () => Own(new Program(Fixtures.Saxpy, new ProgramOptions { Arch = "nonsense" })).Compile());
        Add("compile as c++99",
            () => Own(new Program(Fixtures.Saxpy, new ProgramOptions { Std = "c++99" })).Compile());
        Add("compile NVVM IR that is none",
            () => Own(new Program(Fixtures.Saxpy, SourceType.Nvvm, new ProgramOptions { Name = "k.ll" })).Compile());
        Add("new Program of empty NVVM IR", () => Program.OfNvvm(new byte[0]));
        Add("new Program of NVVM IR as c++20",
            () => new Program(Fixtures.Saxpy, SourceType.Nvvm, new ProgramOptions { Std = "c++20" }));
        Add("new Program of C++ with libdevice",
            () => new Program(Fixtures.Saxpy, new ProgramOptions { UseLibdevice = true }));
        Add("CompileAll(null)", () => Program.CompileAll(null));
        Add("CompileAll of null", () => Program.CompileAll(new CompileRequest[] { null }));
        Add("CompileAll of a closed program",
            () => Program.CompileAll(new[] { new CompileRequest(Closed(new Program(Fixtures.Saxpy))) }));
        Add("CompileAll on -1 threads", () => Program.CompileAll(new CompileRequest[0], -1));
        Add("CompileAll of a broken program", () => Program.CompileAll(new[] {
            new CompileRequest(Own(new Program("int i = undeclared;", new ProgramOptions { Name = "broken.cu" }))) }));
        Add("closed program.Compile()", () => Closed(new Program(Fixtures.Saxpy)).Compile());
        Add("ObjectCode.FromBytes(empty)", () => ObjectCode.FromBytes(new byte[0], CodeType.Ptx));
        Add("ObjectCode.FromBytes(null)", () => ObjectCode.FromBytes(null, CodeType.Ptx));
        Add("new Linker(bytes that are not LTO-IR)",
            () => new Linker(Own(ObjectCode.FromBytes(new byte[9], CodeType.LtoIr))));
        Add("new Linker(bytes that are not a library)",
            () => new Linker(Own(ObjectCode.FromBytes(new byte[9], CodeType.Library))));
        Add("ObjectCode.FromFile(missing library)", () => ObjectCode.FromFile("/no/such/libx.a", CodeType.Library));
        Add("kernel of an object", () => Own(ObjectCode.FromBytes(new byte[9], CodeType.Object)).GetKernel("k"));
        Add("default stream.CreateGraphBuilder()", () => device.DefaultStream.CreateGraphBuilder());
        Add("EndBuilding before BeginBuilding", () => Own(device.CreateGraphBuilder()).EndBuilding());
        Add("Complete while building", () => Own(device.CreateGraphBuilder()).BeginBuilding().Complete());
        Add("Sync while building", () => Own(device.CreateGraphBuilder()).BeginBuilding().Stream.Sync());
        Add("Memcpy of more than there is", () => Own(new GraphDefinition(device)).Memcpy(
                Own(device.Allocate(4ul)), Own(device.Allocate(4ul)), 5));
        Add("Callback(null)", () => Own(new GraphDefinition(device)).Callback(null));
        Add("write a word beyond the end",
            () => Own(new GraphDefinition(device)).WriteValue32(Own(device.Allocate(4ul)), 4, 1));
        Add("wait for a word of a pool",
            () => Own(new GraphDefinition(device)).WaitValue32(Own(device.Allocate(4ul, stream)), 0, 1));
        Add("signal a semaphore", () => Own(new GraphDefinition(device)).SignalExternalSemaphore(0, 1));
        Add("a child that is the graph itself", () => {
            GraphDefinition definition = Own(new GraphDefinition(device));
            definition.Embed(Own(new GraphDefinition(device))).UpdateChildGraph(definition);
        });
        Add("a box of another rank",
            () => TensorMapDescriptor.Tiled(
                device, new TensorMapTensor(16, TensorMapDataType.Float32, new ulong[] {4, 4}), new[] {4}));
        Add("a box that is too large",
            () => TensorMapDescriptor.Tiled(
                device, new TensorMapTensor(16, TensorMapDataType.Float32, new ulong[] {4, 4}), new[] {4, 300}));
        Add("new SystemDevice(99)", () => new SystemDevice(99));
        Add("new SystemDevice(-1)", () => new SystemDevice(-1));
        Add("Embed a graph in itself", () => {
            GraphDefinition definition = Own(new GraphDefinition(device));
            definition.Embed(definition);
        });
        Add("a destroyed node", () => {
            GraphNode node = Own(new GraphDefinition(device)).Empty();
            node.Destroy();
            node.Empty();
        });
        Add("update from another graph", () => {
            GraphDefinition definition = Own(new GraphDefinition(device));
            Graph graph = Own(definition.Instantiate());
            definition.Empty();
            graph.Update(definition);
        });
        Add("new Linker()", () => new Linker());
        Add("new Linker(null)", () => new Linker((ObjectCode[])null));
        Add("new Linker(closed code)", () => new Linker(Closed(ObjectCode.FromBytes(new byte[9], CodeType.Ptx))));
        Add("linker for nonsense", () => new Linker(new[] { code }, new LinkerOptions { Arch = "nonsense" }));
        Add("linker with -1 registers", () => new Linker(new[] { code }, new LinkerOptions { MaxRegisterCount = -1 }));
        Add("linker.Link(Fatbin)", () => Own(new Linker(code)).Link(CodeType.Fatbin));
        Add("linker.Link with a strange option",
            () => Own(new Linker(new[] { code }, new LinkerOptions { ExtraOptions = { "-strange" } }))
                      .Link(CodeType.Cubin));
        Add("closed linker.Link(Cubin)", () => Closed(new Linker(code)).Link(CodeType.Cubin));
        Add("ObjectCode.FromFile(missing)", () => ObjectCode.FromFile("/no/such/file.ptx", CodeType.Ptx));
        Add("broken PTX",
            () => Own(ObjectCode.FromBytes(Encoding.UTF8.GetBytes(BrokenPtx), CodeType.Ptx)).GetKernel("k"));
        Add("code.GetKernel(\"saxpi\")", () => code.GetKernel("saxpi"));
        Add("code.GetKernel(null)", () => code.GetKernel(null));
        Add("code.LoweredName(\"f<int>\")", () => code.LoweredName("f<int>"));
    }

    private void AddKernelsAndLaunches() {
        Add("kernel.SetMaxDynamicSharedSize(1 << 30)", () => kernel.SetMaxDynamicSharedSize(device, 1 << 30));
        Add("kernel.MaxActiveBlocksPerMultiprocessor(0)", () => kernel.MaxActiveBlocksPerMultiprocessor(device, 0));
        Add("kernel.Attributes(null)", () => kernel.Attributes(null));
        Add("new Dimensions(1, -1)", () => new Dimensions(1, -1));
        Add("new LaunchConfig(1, 32, -1)", () => new LaunchConfig(1, 32, -1));
        Add("launch with 2048 threads", () => Launch(new LaunchConfig(1, 2048)));
        Add("launch with no block", () => Launch(new LaunchConfig(0, 32)));
        Add("launch a closed kernel",
            () => stream.Launch(new LaunchConfig(1, 32), Closed(code.GetKernel("saxpy"))));
        Add("launch(null kernel)", () => stream.Launch(new LaunchConfig(1, 32), null));
        Add("launch with a closed buffer",
            () => stream.Launch(new LaunchConfig(1, 32), kernel, 1f, Closed(device.Allocate(16L)), small, 4));
    }

    private void AddTheRest() {
        Add("Pathfinder.FindCudaLibrary(\"nvrct\")", () => Pathfinder.FindCudaLibrary("nvrct"));
        Add("Pathfinder.FindCudaLibrary(null)", () => Pathfinder.FindCudaLibrary(null));
        Add("Toolkit.Find(\">=99\")", () => Toolkit.Find(">=99"));
        Add("Toolkit.Find(\"nonsense\")", () => Toolkit.Find("nonsense"));
        Add("Parallel.Reduce with a broken operator", () => Parallel.Reduce(new[] { 1 }, 0, "a + undeclared"));
        Add("InclusiveScan of floats, the same from run to run", () => Parallel.InclusiveScan(
            new[] { 1f }, "plus", Execution.On(new Device(0)).Require(Determinism.RunToRun)));
        Add("Parallel.Sort(decimals)", () => Parallel.Sort(new decimal[2]));
        Add("new Operator((string)null)", () => new Operator((string)null));
    }

    private void Launch(LaunchConfig config) {
        stream.Launch(config, kernel, 1f, small, small, 4);
    }
}
