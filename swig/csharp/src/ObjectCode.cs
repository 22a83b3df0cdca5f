using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum {

/// <summary>Compiled code. Loaded into the driver at first use. Its kernels stay usable after it is closed.</summary>
public sealed partial class ObjectCode : IDisposable {
    private readonly NativeHandle handle;

    static ObjectCode() {
        NativeLibraries.Load();
    }

    internal ObjectCode(IntPtr handle) {
        this.handle = new NativeHandle(handle, CuprumNative.cuprum_release_object_code);
    }

    /// <summary>Takes a copy of code; the caller disposes of the result.</summary>
    /// <param name="code">The code's bytes.</param>
    /// <param name="type">The type of the code; not Native.</param>
    /// <param name="name">The name of the code in messages.</param>
    public static ObjectCode FromBytes(byte[] code, CodeType type, string name = "") {
        Require.NotNull(code, nameof(code));
        GCHandle pin = GCHandle.Alloc(code, GCHandleType.Pinned);
        try {
            IntPtr objectCode;
            CuprumNative.cuprum_object_code_create(
                out objectCode, pin.AddrOfPinnedObject(), (ulong)code.LongLength, (int)type, name);
            return new ObjectCode(objectCode);
        } finally {
            pin.Free();
        }
    }

    /// <summary>Reads code from a file; the caller disposes of the result.</summary>
    /// <param name="path">The file's path.</param>
    /// <param name="type">The type of the code in it; not Native.</param>
    public static ObjectCode FromFile(string path, CodeType type) {
        // Throws .NET's own exceptions for a file that is missing or cannot be read.
        File.GetAttributes(path);
        IntPtr objectCode;
        CuprumNative.cuprum_object_code_from_file(out objectCode, path, (int)type);
        return new ObjectCode(objectCode);
    }

    /// <summary>The type of the code.</summary>
    public CodeType CodeType {
        get {
            int type;
            CuprumNative.cuprum_object_code_type(out type, Use(Operations.ObjectCodeType));
            return (CodeType)type;
        }
    }

    /// <summary>A copy of the code; PTX without a NUL at its end.</summary>
    public byte[] Code() {
        IntPtr data;
        ulong size;
        CuprumNative.cuprum_object_code_bytes(out data, out size, Use(Operations.ObjectCodeBytes));
        byte[] code = new byte[checked((int)size)];
        Marshal.Copy(data, code, 0, code.Length);
        GC.KeepAlive(this);
        return code;
    }

    /// <summary>The names that <see cref="GetKernel"/> accepts: the name expressions, and the names of all other
    /// kernels.
    /// </summary>
    public IReadOnlyList<string> KernelNames {
        get {
            const string operation = Operations.ObjectCodeKernelCount;
            uint count;
            CuprumNative.cuprum_object_code_kernel_count(out count, Use(operation));
            var names = new string[count];
            for (uint i = 0; i < count; ++i) {
                CuprumNative.cuprum_object_code_kernel_name(out names[i], Use(operation), i);
            }
            return names;
        }
    }

    /// <summary>A kernel by its name, or by a name expression that was given to <see cref="Program.Compile"/>. It keeps
    /// the code loaded; the caller disposes of it.</summary>
    /// <exception cref="KernelNotFoundException">The code has no such kernel; the message lists those it
    /// has.</exception>
    public Kernel GetKernel(string name) {
        IntPtr kernel;
        CuprumNative.cuprum_object_code_get_kernel(out kernel, Use(Operations.ObjectCodeGetKernel), Require.NotNull(name, nameof(name)));
        return new Kernel(kernel, name);
    }

    /// <summary>A __device__, __constant__ or __managed__ variable on a device, by its name or the name expression
    /// "&amp;name" that was given to <see cref="Program.Compile"/>. The memory belongs to the code, which the buffer keeps
    /// loaded; the caller disposes of the buffer.</summary>
    /// <exception cref="InvalidArgumentException">The code has no such variable.</exception>
    public GlobalVariable GetGlobal(Device device, string name) {
        IntPtr buffer;
        CuprumNative.cuprum_object_code_get_global(
            out buffer, Use(Operations.ObjectCodeGetGlobal), Require.NotNull(device, nameof(device)).DeviceId,
            Require.NotNull(name, nameof(name)));
        return new GlobalVariable(buffer, name);
    }

    /// <summary>Whether this object is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>May be called more than once.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Names the object code.</summary>
    public override string ToString() {
        return "ObjectCode " + handle.Value.ToString("x");
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

}
