using System;
using System.Collections.Generic;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

/// <summary>One object of every class: for tests of what becomes of objects.</summary>
internal static class EveryObject {
    private const string Source = @"
extern ""C"" __device__ int number = 7;
extern ""C"" __global__ void increment(int* x) { x[threadIdx.x] += number - 6; }
";

    public static List<IDisposable> Make() {
        var device = new Device(0);
        string architecture = "sm_" + (10 * device.ComputeCapability.Major + device.ComputeCapability.Minor);
        Stream stream = device.CreateStream();
        var program = new Program(Source, new ProgramOptions { Name = "objects.cu" });
        ObjectCode code = program.Compile();
        Context green = device.CreateContext(device.SMResource.Split(0).Groups.ToArray());
        var legacy = new LegacyPinnedMemoryResource();
        var pool = new DeviceMemoryResource(device, 0);
        var pinned = new PinnedMemoryResource(0);
        var managed = new ManagedMemoryResource(null);
        var growing = new VirtualMemoryResource(device);
        var definition = new GraphDefinition(device);
        definition.Empty();
        OpaqueArray picture = device.CreateOpaqueArray(
            new OpaqueArrayOptions { Shape = new ArrayShape(4, 4), IsSurfaceLoadStore = true });
        MipmappedArray pyramid =
            device.CreateMipmappedArray(new MipmappedArrayOptions { Shape = new ArrayShape(4, 4), NumLevels = 2 });
        ResourceDescriptor resource = ResourceDescriptor.FromOpaqueArray(picture);
        return new List<IDisposable> {
            device.CreateTextureObject(resource), device.CreateSurfaceObject(resource), pyramid.GetLevel(0), pyramid,
            picture,
            definition.Instantiate(), definition, device.CreateGraphBuilder().BeginBuilding(), stream, program, green.CreateStream(), green, device.CreateEvent(),
            device.CreateEvent(new EventOptions { TimingEnabled = true }), device.Allocate(64L),
            device.Allocate(64L, stream), legacy.Allocate(64L), pool.Allocate(64L, stream),
            pinned.Allocate(64L, stream), managed.Allocate(64L, stream), growing.Allocate(64L),
            Buffer.RegisterHostMemory(new byte[16384]), legacy, pool, pinned, managed, growing,
            code.GetGlobal(device, "number"), code.GetKernel("increment"),
            new Linker(new[] { code }, new LinkerOptions { Arch = architecture }), code
        };
    }

    /// <summary>Does something with an object that its class is for.</summary>
    public static void Use(IDisposable used) {
        if (used is Stream) {
            ((Stream)used).Sync();
        } else if (used is Event) {
            ((Event)used).Sync();
        } else if (used is Buffer) {
            ((Buffer)used).CopyFrom(new byte[4]);
        } else if (used is OpaqueArray) {
            ((OpaqueArray)used).Shape.ToString();
        } else if (used is MipmappedArray) {
            ((MipmappedArray)used).GetLevel(1).Dispose();
        } else if (used is TextureObject) {
            ((TextureObject)used).Handle.ToString();
        } else if (used is SurfaceObject) {
            ((SurfaceObject)used).Handle.ToString();
        } else if (used is PooledMemoryResource) {
            ((PooledMemoryResource)used).TrimTo(0);
        } else if (used is MemoryResource) {
            ((MemoryResource)used).Allocate(16L).Dispose();
        } else if (used is Context) {
            ((Context)used).CreateStream().Dispose();
        } else if (used is Program) {
            ((Program)used).Compile(CodeType.Ptx).Dispose();
        } else if (used is ObjectCode) {
            ((ObjectCode)used).GetKernel("increment").Dispose();
        } else if (used is Kernel) {
            ((Kernel)used).Attributes(new Device(0));
        } else if (used is Graph) {
            using (Stream stream = new Device(0).CreateStream()) {
                ((Graph)used).Launch(stream);
            }
        } else if (used is GraphDefinition) {
            ((GraphDefinition)used).Empty();
        } else if (used is GraphBuilder) {
            ((GraphBuilder)used).Callback(() => {});
        } else {
            ((Linker)used).Link(CodeType.Cubin).Dispose();
        }
    }
}
