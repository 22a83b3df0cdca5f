using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum {

/// <summary>What a kernel's parameter is, with the numbers of the C ABI.</summary>
public enum ArgumentKind {
    /// <summary>Unknown; also a class, and an enumeration known only by its name.</summary>
    Unknown = CuprumNative.CUPRUM_PARAMETER_UNKNOWN,
    /// <summary>A bool.</summary>
    Boolean = CuprumNative.CUPRUM_PARAMETER_BOOLEAN,
    /// <summary>An integer of any size.</summary>
    Integer = CuprumNative.CUPRUM_PARAMETER_INTEGER,
    /// <summary>A half, float or double, depending on the size.</summary>
    FloatingPoint = CuprumNative.CUPRUM_PARAMETER_FLOATING_POINT,
    /// <summary>A bfloat16.</summary>
    BFloat16 = CuprumNative.CUPRUM_PARAMETER_BFLOAT16,
    /// <summary>A pointer.</summary>
    Pointer = CuprumNative.CUPRUM_PARAMETER_POINTER,
    /// <summary>A pointer or an integer: PTX often says no more about a parameter of 8 bytes.</summary>
    IntegerOrPointer = CuprumNative.CUPRUM_PARAMETER_INTEGER_OR_POINTER
}

/// <summary>The position, size and type of one parameter of a kernel.</summary>
public struct KernelArgumentInfo {
    internal KernelArgumentInfo(ulong offset, ulong size, ArgumentKind kind, string type) {
        Offset = offset;
        Size = size;
        Kind = kind;
        Type = type;
    }

    /// <summary>The offset in bytes from the start of the parameters.</summary>
    public ulong Offset { get; }

    /// <summary>The size in bytes.</summary>
    public ulong Size { get; }

    /// <summary>The kind of the parameter.</summary>
    public ArgumentKind Kind { get; }

    /// <summary>The type as C++ writes it, "const float*"; empty if unknown.</summary>
    public string Type { get; }
}

/// <summary>A kernel's attributes on one device.</summary>
public sealed class KernelAttributes {
    // cuprum_kernel_attributes as it is: struct_size, then the fields in its order.
    private readonly int[] fields = new int[17];

    internal KernelAttributes(NativeHandle kernel, int device) {
        fields[0] = fields.Length * sizeof(int);
        CuprumNative.cuprum_kernel_attributes_get(fields, kernel, device);
    }

    /// <summary>The most threads in a block with this kernel.</summary>
    public int MaxThreadsPerBlock { get { return fields[1]; } }

    /// <summary>Static shared memory, bytes for each block.</summary>
    public int SharedSizeBytes { get { return fields[2]; } }

    /// <summary>Constant memory, bytes.</summary>
    public int ConstSizeBytes { get { return fields[3]; } }

    /// <summary>Local memory, bytes for each thread.</summary>
    public int LocalSizeBytes { get { return fields[4]; } }

    /// <summary>Registers for each thread.</summary>
    public int NumRegs { get { return fields[5]; } }

    /// <summary>PTX version, 90 for 9.0.</summary>
    public int PtxVersion { get { return fields[6]; } }

    /// <summary>Architecture of the machine code, 90 for 9.0.</summary>
    public int BinaryVersion { get { return fields[7]; } }

    /// <summary>The most dynamic shared memory that a launch may request, in bytes for each block.</summary>
    public int MaxDynamicSharedSizeBytes { get { return fields[8]; } }

    /// <summary>Whether it was compiled with -Xptxas --dlcm=ca.</summary>
    public bool CacheModeCa { get { return fields[9] != 0; } }

    /// <summary>The percentage of a multiprocessor's memory for shared memory; -1: the driver chooses.</summary>
    public int PreferredSharedMemoryCarveout { get { return fields[10]; } }

    /// <summary>Whether a launch without a cluster size fails.</summary>
    public bool ClusterSizeMustBeSet { get { return fields[11] != 0; } }

    /// <summary>The width of a cluster in blocks; 0 if none is required.</summary>
    public int RequiredClusterWidth { get { return fields[12]; } }

    /// <summary>The height of a cluster in blocks; 0 if none is required.</summary>
    public int RequiredClusterHeight { get { return fields[13]; } }

    /// <summary>The depth of a cluster in blocks; 0 if none is required.</summary>
    public int RequiredClusterDepth { get { return fields[14]; } }

    /// <summary>Whether clusters of more than 8 blocks can be launched.</summary>
    public bool NonPortableClusterSizeAllowed { get { return fields[15] != 0; } }

    /// <summary>How clusters are distributed over a device: a CUclusterSchedulingPolicy.</summary>
    public int ClusterSchedulingPolicyPreference { get { return fields[16]; } }
}

/// <summary>The attributes of a kernel that can be set (<see cref="Kernel.SetAttribute"/>), with the driver's numbers.
/// </summary>
public enum KernelAttribute {
    /// <summary>The most dynamic shared memory that a launch may request, in bytes for each block.</summary>
    MaxDynamicSharedSizeBytes = CuprumNative.CUPRUM_KERNEL_MAX_DYNAMIC_SHARED_SIZE_BYTES,
    /// <summary>The percentage of a multiprocessor's memory for shared memory; -1 leaves it to the driver.</summary>
    PreferredSharedMemoryCarveout = CuprumNative.CUPRUM_KERNEL_PREFERRED_SHARED_MEMORY_CARVEOUT,
    /// <summary>The width of a cluster in blocks; 0 for none.</summary>
    RequiredClusterWidth = CuprumNative.CUPRUM_KERNEL_REQUIRED_CLUSTER_WIDTH,
    /// <summary>The height of a cluster in blocks; 0 for none.</summary>
    RequiredClusterHeight = CuprumNative.CUPRUM_KERNEL_REQUIRED_CLUSTER_HEIGHT,
    /// <summary>The depth of a cluster in blocks; 0 for none.</summary>
    RequiredClusterDepth = CuprumNative.CUPRUM_KERNEL_REQUIRED_CLUSTER_DEPTH,
    /// <summary>1 allows clusters of more than 8 blocks, which not every device supports.</summary>
    NonPortableClusterSizeAllowed = CuprumNative.CUPRUM_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
    /// <summary>How clusters are distributed over a device: a CUclusterSchedulingPolicy.</summary>
    ClusterSchedulingPolicyPreference = CuprumNative.CUPRUM_KERNEL_CLUSTER_SCHEDULING_POLICY_PREFERENCE
}

/// <summary>The launch that fills a device best (<see cref="Kernel.MaxPotentialBlockSize(Device, ulong, int)"/>).
/// </summary>
public struct MaxPotentialBlockSizeOccupancyResult {
    internal MaxPotentialBlockSizeOccupancyResult(int minGridSize, int maxBlockSize) {
        MinGridSize = minGridSize;
        MaxBlockSize = maxBlockSize;
    }

    /// <summary>The number of blocks that fill the device.</summary>
    public int MinGridSize { get; }

    /// <summary>Threads in a block.</summary>
    public int MaxBlockSize { get; }
}

/// <summary>A kernel, ready to be launched (<see cref="Stream.Launch"/>) on any device.</summary>
public sealed partial class Kernel : IDisposable {
    private readonly NativeHandle handle;
    private string askedFor;

    internal Kernel(IntPtr handle, string name) {
        askedFor = name;
        this.handle = new NativeHandle(handle, CuprumNative.cuprum_release_kernel);
    }

    /// <summary>The offset and size of each parameter, and its type as far as it is known.</summary>
    public IReadOnlyList<KernelArgumentInfo> ArgumentsInfo {
        get {
            var parameters = new KernelArgumentInfo[NumArguments];
            for (uint i = 0; i < parameters.Length; ++i) {
                ulong offset, size;
                CuprumNative.cuprum_kernel_argument_info(
                    out offset, out size, Use(Operations.KernelArgumentInfo), i);
                int kind;
                string type;
                CuprumNative.cuprum_kernel_argument_type(
                    out kind, out type, Use(Operations.KernelArgumentInfo), i);
                parameters[i] = new KernelArgumentInfo(offset, size, (ArgumentKind)kind, type);
            }
            return parameters;
        }
    }

    /// <summary>The kernel's attributes on <paramref name="device"/>.</summary>
    public KernelAttributes Attributes(Device device) {
        return new KernelAttributes(Use(Operations.KernelAttributesGet), Require.NotNull(device, nameof(device)).DeviceId);
    }

    /// <summary>Sets an attribute on one device, for all launches of the kernel from then on.</summary>
    /// <param name="device">The device.</param>
    /// <param name="attribute">The attribute to set.</param>
    /// <param name="value">The new value; 1 or 0 for true or false.</param>
    /// <exception cref="DriverException">The driver rejected the value.</exception>
    public void SetAttribute(Device device, KernelAttribute attribute, int value) {
        CuprumNative.cuprum_kernel_set_attribute(
            Use(Operations.KernelSetAttribute), Require.NotNull(device, nameof(device)).DeviceId, (int)attribute, value);
    }

    /// <summary>The block size at which the most threads run at once, and how many such blocks fill the device.</summary>
    /// <param name="device">The device.</param>
    /// <param name="dynamicSharedMemorySize">Dynamic shared memory for each block, in bytes.</param>
    /// <param name="blockSizeLimit">The most threads that a block may have; 0 for as many as the kernel allows.</param>
    public MaxPotentialBlockSizeOccupancyResult MaxPotentialBlockSize(
        Device device, ulong dynamicSharedMemorySize, int blockSizeLimit = 0) {
        int grid, block;
        CuprumNative.cuprum_kernel_max_potential_block_size(
            out grid, out block, Use(Operations.KernelMaxPotentialBlockSize),
            Require.NotNull(device, nameof(device)).DeviceId, dynamicSharedMemorySize, blockSizeLimit);
        return new MaxPotentialBlockSizeOccupancyResult(grid, block);
    }

    /// <summary>The same where blocks of different sizes need different amounts of dynamic shared memory.</summary>
    /// <param name="device">The device.</param>
    /// <param name="dynamicSharedMemorySize">Returns the bytes for a block with this many threads; called for every
    /// size that a block of this kernel can have.</param>
    /// <param name="blockSizeLimit">The most threads that a block may have; 0 for as many as the kernel allows.</param>
    public MaxPotentialBlockSizeOccupancyResult MaxPotentialBlockSize(
        Device device, Func<int, ulong> dynamicSharedMemorySize, int blockSizeLimit = 0) {
        Require.NotNull(dynamicSharedMemorySize, nameof(dynamicSharedMemorySize));
        var sizes = new ulong[Attributes(device).MaxThreadsPerBlock];
        for (int i = 0; i < sizes.Length; ++i) {
            sizes[i] = dynamicSharedMemorySize(i + 1);
        }
        GCHandle pin = GCHandle.Alloc(sizes, GCHandleType.Pinned);
        try {
            int grid, block;
            CuprumNative.cuprum_kernel_max_potential_block_size_of_sizes(
                out grid, out block, Use(Operations.KernelMaxPotentialBlockSizeOfSizes), device.DeviceId,
                pin.AddrOfPinnedObject(), (ulong)sizes.Length * sizeof(ulong), blockSizeLimit);
            return new MaxPotentialBlockSizeOccupancyResult(grid, block);
        } finally {
            pin.Free();
        }
    }

    /// <summary>The most blocks that a cluster can have when the kernel is launched with this block and shared memory;
    /// more than 8 only after <see cref="KernelAttribute.NonPortableClusterSizeAllowed"/> was set.</summary>
    /// <param name="config">The configuration, whose own cluster is ignored.</param>
    /// <param name="stream">The stream of the launch.</param>
    /// <exception cref="UnsupportedException">The device has no clusters.</exception>
    public int MaxPotentialClusterSize(LaunchConfig config, Stream stream) {
        return Require.NotNull(config, nameof(config)).Ask(
            CuprumNative.cuprum_kernel_max_potential_cluster_size, Use(Operations.KernelMaxPotentialClusterSize),
            Require.NotNull(stream, nameof(stream)).Use(Operations.KernelMaxPotentialClusterSize));
    }

    /// <summary>How many clusters run at once on the stream's device, or on its part of it. 0 where neither the
    /// configuration nor the kernel gives a cluster's dimensions.</summary>
    /// <param name="config">The configuration, with a cluster unless the kernel has one of its own.</param>
    /// <param name="stream">The stream of the launch.</param>
    /// <exception cref="UnsupportedException">The device has no clusters.</exception>
    public int MaxActiveClusters(LaunchConfig config, Stream stream) {
        return Require.NotNull(config, nameof(config)).Ask(
            CuprumNative.cuprum_kernel_max_active_clusters, Use(Operations.KernelMaxActiveClusters),
            Require.NotNull(stream, nameof(stream)).Use(Operations.KernelMaxActiveClusters));
    }

    /// <summary>A kernel that other code has loaded; the caller disposes of it.</summary>
    /// <param name="handle">The CUkernel.</param>
    /// <param name="objectCode">The code that it belongs to, which the kernel keeps loaded. If null, the caller
    /// keeps the library loaded for as long as the kernel is used.</param>
    public static Kernel FromHandle(ulong handle, ObjectCode objectCode = null) {
        IntPtr kernel;
        CuprumNative.cuprum_kernel_from_native(
            out kernel, handle, objectCode == null ? NativeHandle.None : objectCode.Use(Operations.KernelFromNative));
        return Taken(kernel);
    }

    internal static Kernel Taken(IntPtr kernel) {
        var taken = new Kernel(kernel, "");
        taken.askedFor = taken.Name;
        return taken;
    }

    /// <summary>Whether this object is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>May be called more than once.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Names the kernel.</summary>
    public override string ToString() {
        return "Kernel \"" + askedFor + "\"";
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

}
