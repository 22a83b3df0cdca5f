using System;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum {

/// <summary>The order of a sort by the bits of the keys.</summary>
public enum SortOrder {
    /// <summary>The smallest key first.</summary>
    Ascending = 0,
    /// <summary>The largest key first.</summary>
    Descending = 1,
}

/// <summary>Which elements a prefix sum adds up.</summary>
public enum ScanKind {
    /// <summary>Those before this one, starting from an initial value.</summary>
    Exclusive = 0,
    /// <summary>Those up to and including this one.</summary>
    Inclusive = 1,
    /// <summary>Those up to and including this one, starting from an initial value.</summary>
    InclusiveWithInit = 2,
}

/// <summary>Which extreme element an arg-reduction finds.</summary>
public enum ArgKind {
    /// <summary>The first of the smallest.</summary>
    Minimum = 0,
    /// <summary>The first of the largest.</summary>
    Maximum = 1,
}

/// <summary>What an element is combined with.</summary>
public enum Neighbour {
    /// <summary>The element before it.</summary>
    Left = 0,
    /// <summary>The element behind it.</summary>
    Right = 1,
}

/// <summary>Of the positions where a value can be inserted among sorted elements.</summary>
public enum Bound {
    /// <summary>The first.</summary>
    Lower = 0,
    /// <summary>The last.</summary>
    Upper = 1,
}

/// <summary>
/// One of CUB's algorithms, compiled for types and an operator: built once, called many times, from several threads too.
/// </summary>
/// <remarks>
/// Calls are asynchronous, in the stream's order, and can be captured in a graph; the buffers must stay open until the
/// stream has passed them. Temporary storage comes from the device's stream-ordered pool, unless the caller gives it.
/// Building throws <see cref="CompileException"/> where an operator's text does not compile; its log has the text's own
/// lines. Built for <see cref="Execution.Host"/> an algorithm is called without a stream, over arrays or spans in place of
/// buffers.
/// </remarks>
public abstract class Algorithm : IDisposable {
    static Algorithm() {
        NativeLibraries.Load();
    }

    /// <summary>A build function of the C ABI.</summary>
    internal delegate IntPtr Build(Execution where);

    private readonly NativeHandle handle;
    private readonly bool onHost;

    internal Algorithm(Execution execution, Build build) {
        Require.NotNull(execution, nameof(execution));
        handle = new NativeHandle(build(execution), CuprumNative.cuprum_release_parallel_algorithm);
        onHost = execution.IsHost;
    }

    /// <summary>Bytes of temporary storage for a call with at most this many elements; 0 if it needs none.</summary>
    public ulong TempStorageBytes(ulong count) {
        ulong bytes;
        CuprumNative.cuprum_parallel_temp_storage_bytes(out bytes, Use("asking for temporary storage"), count);
        return bytes;
    }

    /// <summary>The algorithm's compiled code, for <see cref="LoadBuilds"/>.</summary>
    public byte[] Save() {
        IntPtr data;
        ulong size;
        CuprumNative.cuprum_parallel_save(out data, out size, Use("saving builds"));
        var bytes = new byte[size];
        Marshal.Copy(data, bytes, 0, bytes.Length);
        return bytes;
    }

    /// <summary>Loads what <see cref="Save"/> returned, in any language: building the same algorithms then needs no
    /// compiler.</summary>
    /// <exception cref="UnsupportedException">None of it runs on the device, or another version saved it.</exception>
    /// <exception cref="InvalidArgumentException">The data is damaged.</exception>
    public static void LoadBuilds(Device device, byte[] saved) {
        using (var memory = new PinnedValue<byte>(saved)) {
            CuprumNative.cuprum_parallel_load_builds(device.DeviceId, memory.Address, memory.Size);
        }
    }

    /// <summary>May be called more than once.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }

    /// <summary>For calls without a stream.</summary>
    internal NativeHandle UseOnHost(string operation) {
        if (!onHost) {
            throw Errors.InvalidArgument(
                "stream", operation, "is missing, and the algorithm was built for a device: give one, and Buffers");
        }
        return Use(operation);
    }

    /// <summary>An operator with the state of one call, or none.</summary>
    internal static NativeHandle Use(Operator op, string operation) {
        return op == null ? NativeHandle.None : op.Use(operation);
    }

    /// <summary>The iterators that an algorithm is built for.</summary>
    internal static NativeHandle[] UseAll(ElementIterator[] inputs, string operation) {
        return Array.ConvertAll(Require.NotNull(inputs, nameof(inputs)), each => each.Use(operation));
    }

    /// <summary>The same for a call on a device that reads this many elements of each.</summary>
    internal static NativeHandle[] UseAllOnDevice(ElementIterator[] inputs, string operation, ulong count) {
        return Array.ConvertAll(Require.NotNull(inputs, nameof(inputs)), each => each.UseOnDevice(operation, count));
    }

    /// <summary>The iterator that an algorithm is built to write through, or none.</summary>
    internal static NativeHandle UseOutput(ElementIterator output, string operation) {
        return output == null ? NativeHandle.None : output.Use(operation);
    }

    /// <summary>The sum of the numbers of an array.</summary>
    internal static ulong Sum(ulong[] array) {
        ulong sum = 0;
        foreach (ulong each in Require.NotNull(array, nameof(array))) {
            sum += each;
        }
        return sum;
    }

    internal static ulong Length(Array array) {
        return (ulong)array.LongLength;
    }

    /// <summary>The address of a buffer, which must have room for this many elements.</summary>
    internal static ulong AddressOf<T>(string operation, string name, Buffer buffer, ulong count) where T : struct {
        if (buffer == null) {
            throw Errors.InvalidArgument(name, operation, "is null");
        }
        ulong size = buffer.Size;
        if (count > size / ArrayElement<T>.Size) {
            throw Errors.InvalidArgument(
                name, operation, "has " + size + " bytes; " + count + " elements of " + typeof(T).Name + " have "
                + ArrayElement<T>.Size + " each");
        }
        return buffer.Handle;
    }
}

/// <summary>Temporary storage that the caller gives for one call, or none.</summary>
internal struct TempStorage {
    public TempStorage(Buffer buffer) {
        Address = buffer == null ? 0 : buffer.Handle;
        Size = buffer == null ? 0 : buffer.Size;
    }

    public ulong Address { get; }

    /// <summary>The size in bytes.</summary>
    public ulong Size { get; }
}

}
