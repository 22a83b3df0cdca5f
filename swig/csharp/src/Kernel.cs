using System;
using System.Collections.Generic;
using Cuprum.Native;

namespace Cuprum {

/// <summary>What a kernel's parameter is, with the numbers of the C ABI.</summary>
public enum ArgumentKind {
    /// <summary>Not known; also a class, and an enumeration that is known by its name alone.</summary>
    Unknown = CuprumNative.CUPRUM_PARAMETER_UNKNOWN,
    /// <summary>A bool.</summary>
    Boolean = CuprumNative.CUPRUM_PARAMETER_BOOLEAN,
    /// <summary>An integer of any size.</summary>
    Integer = CuprumNative.CUPRUM_PARAMETER_INTEGER,
    /// <summary>half, float or double, by the size.</summary>
    FloatingPoint = CuprumNative.CUPRUM_PARAMETER_FLOATING_POINT,
    /// <summary>A bfloat16.</summary>
    BFloat16 = CuprumNative.CUPRUM_PARAMETER_BFLOAT16,
    /// <summary>A pointer.</summary>
    Pointer = CuprumNative.CUPRUM_PARAMETER_POINTER,
    /// <summary>One of the two: PTX often tells no more of a parameter of 8 bytes.</summary>
    IntegerOrPointer = CuprumNative.CUPRUM_PARAMETER_INTEGER_OR_POINTER
}

/// <summary>Where one parameter of a kernel lies, and what it is.</summary>
public struct KernelArgumentInfo {
    internal KernelArgumentInfo(ulong offset, ulong size, ArgumentKind kind, string type) {
        Offset = offset;
        Size = size;
        Kind = kind;
        Type = type;
    }

    /// <summary>Bytes from the start of the parameters.</summary>
    public ulong Offset { get; }

    /// <summary>Bytes.</summary>
    public ulong Size { get; }

    /// <summary>What it is.</summary>
    public ArgumentKind Kind { get; }

    /// <summary>The type as C++ writes it, "const float*"; empty where that is not known.</summary>
    public string Type { get; }
}

/// <summary>What a kernel needs on one device.</summary>
public sealed class KernelAttributes {
    // cuprum_kernel_attributes as it is: struct_size, then the fields in its order.
    private readonly int[] fields = new int[9];

    internal KernelAttributes(NativeHandle kernel, int device) {
        fields[0] = fields.Length * sizeof(int);
        CuprumNative.cuprum_kernel_attributes_get(fields, kernel, device);
    }

    /// <summary>Threads in a block with this kernel.</summary>
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

    /// <summary>Dynamic shared memory that a launch may ask for, bytes for each block.</summary>
    public int MaxDynamicSharedSizeBytes { get { return fields[8]; } }
}

/// <summary>A kernel, ready to be launched (<see cref="Stream.Launch"/>) on any device.</summary>
public sealed partial class Kernel : IDisposable {
    private readonly NativeHandle handle;
    private readonly string askedFor;

    internal Kernel(IntPtr handle, string name) {
        askedFor = name;
        this.handle = new NativeHandle(handle, CuprumNative.cuprum_release_kernel);
    }

    /// <summary>Where each parameter lies, how large it is, and what it is as far as that is known.</summary>
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

    /// <summary>What the kernel needs on <paramref name="device"/>.</summary>
    public KernelAttributes Attributes(Device device) {
        return new KernelAttributes(Use(Operations.KernelAttributesGet), Require.NotNull(device, nameof(device)).DeviceId);
    }

    /// <summary>Whether it is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>Idempotent.</summary>
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
