using System;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// Where a parallel algorithm reads its elements. An algorithm is built for an iterator's kind and types; every call may
/// pass another one of that kind.
/// </summary>
public sealed class ElementIterator : IDisposable {
    static ElementIterator() {
        NativeLibraries.Load();
    }

    private readonly NativeHandle handle;
    private readonly string type;
    private readonly ulong available;    // elements
    private readonly Array array;    // read in place; null if there is none
    private readonly object keep;    // what must stay alive with it

    private ElementIterator(
        IntPtr handle, string type, ulong available, object keep = null, Array array = null,
        GCHandle pin = default(GCHandle)) {
        this.handle = new IteratorHandle(handle, pin);
        this.type = type;
        this.available = available;
        this.keep = keep;
        this.array = array;
    }

    /// <summary>The elements of a buffer, which is kept alive with the iterator.</summary>
    public static ElementIterator Of<T>(Buffer buffer) where T : struct {
        IntPtr created;
        CuprumNative.cuprum_parallel_iterator_pointer(out created, ElementText<T>.Value, buffer.Handle);
        return new ElementIterator(created, ElementText<T>.Value, buffer.Size / ArrayElement<T>.Size, buffer);
    }

    /// <summary>The elements of a buffer that is not there yet: to build an algorithm with, not to call it.</summary>
    public static ElementIterator Of<T>() where T : struct {
        IntPtr created;
        CuprumNative.cuprum_parallel_iterator_pointer(out created, ElementText<T>.Value, 0);
        return new ElementIterator(created, ElementText<T>.Value, 0);
    }

    /// <summary>The same value at every position.</summary>
    public static ElementIterator Constant<T>(T value) where T : struct {
        using (var memory = new PinnedValue<T>(value)) {
            IntPtr created;
            CuprumNative.cuprum_parallel_iterator_constant(
                out created, ElementText<T>.Value, memory.Address, memory.Size);
            return new ElementIterator(created, ElementText<T>.Value, ulong.MaxValue);
        }
    }

    /// <summary>start, start + 1 and so on.</summary>
    public static ElementIterator Counting<T>(T start) where T : struct {
        using (var memory = new PinnedValue<T>(start)) {
            IntPtr created;
            CuprumNative.cuprum_parallel_iterator_counting(
                out created, ElementText<T>.Value, memory.Address, memory.Size);
            return new ElementIterator(created, ElementText<T>.Value, ulong.MaxValue);
        }
    }

    /// <summary>
    /// The elements of an array, for algorithms on the host's cores (<see cref="Execution.Host"/>). It is read in
    /// place, and stays pinned until the iterator is disposed of. Not for bool, which .NET does not pin.
    /// </summary>
    public static ElementIterator Of<T>(T[] array) where T : struct {
        ulong size = ArrayElement<T>.SizeOf(array);
        GCHandle pin = GCHandle.Alloc(array, GCHandleType.Pinned);
        try {
            IntPtr created;
            CuprumNative.cuprum_parallel_iterator_pointer(
                out created, ElementText<T>.Value, (ulong)pin.AddrOfPinnedObject().ToInt64());
            return new ElementIterator(
                created, ElementText<T>.Value, size / ArrayElement<T>.Size, null, array, pin);
        } catch {
            pin.Free();
            throw;
        }
    }

    /// <summary>Elements in host memory that stay in place for as long as the iterator is used.</summary>
    internal static ElementIterator Of<T>(HostMemory memory) where T : struct {
        IntPtr created;
        CuprumNative.cuprum_parallel_iterator_pointer(out created, ElementText<T>.Value, memory.Address);
        return new ElementIterator(created, ElementText<T>.Value, memory.Count);
    }

    /// <summary>An operator of one operand applied to these elements; T is the type of its result.</summary>
    public ElementIterator Transform<T>(Operator op) where T : struct {
        IntPtr created;
        CuprumNative.cuprum_parallel_iterator_transform(
            out created, Use("transforming"), op.Use("transforming"), ElementText<T>.Value);
        GCHandle pin = array == null ? default(GCHandle) : GCHandle.Alloc(array, GCHandleType.Pinned);
        return new ElementIterator(created, ElementText<T>.Value, available, keep, array, pin);
    }

    /// <summary>May be called more than once.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Refuses elements of another type.</summary>
    internal void RequireType<T>(string name, string operation) where T : struct {
        if (type != ElementText<T>.Value) {
            throw Errors.InvalidArgument(
                name, operation, "has elements of " + type + ", expected " + ElementText<T>.Value);
        }
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }

    /// <summary>The same for a device, which cannot read host memory.</summary>
    internal NativeHandle UseOnDevice(string operation, ulong count) {
        if (array != null) {
            throw Errors.InvalidArgument(
                "input", operation, "is host memory, and the algorithm was built for a device: copy it to a Buffer");
        }
        return Use(operation, count);
    }

    /// <summary>For a call that reads this many elements.</summary>
    internal NativeHandle Use(string operation, ulong count) {
        NativeHandle used = Use(operation);
        if (count > available) {
            throw Errors.InvalidArgument(
                "count", operation, "is " + count + ", and the input has " + available + " elements");
        }
        return used;
    }
}

}
