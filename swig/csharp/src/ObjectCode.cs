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
    /// <param name="code">The bytes.</param>
    /// <param name="type">What they are; not Native.</param>
    /// <param name="name">What messages call it.</param>
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
    /// <param name="path">Of the file.</param>
    /// <param name="type">What is in it; not Native.</param>
    public static ObjectCode FromFile(string path, CodeType type) {
        return FromBytes(File.ReadAllBytes(path), type, path);
    }

    /// <summary>What the code is.</summary>
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

    /// <summary>What can be given to <see cref="GetKernel"/>: the name expressions, and the names of all other kernels.
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
    /// <exception cref="KernelNotFoundException">There is none; the message has the names there are.</exception>
    public Kernel GetKernel(string name) {
        IntPtr kernel;
        CuprumNative.cuprum_object_code_get_kernel(out kernel, Use(Operations.ObjectCodeGetKernel), Require.NotNull(name, nameof(name)));
        return new Kernel(kernel, name);
    }

    /// <summary>Whether it is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>Idempotent.</summary>
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
