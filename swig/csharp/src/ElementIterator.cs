using System;
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
    private readonly ulong available;    // elements
    private readonly object keep;    // what must stay alive with it

    private ElementIterator(IntPtr handle, ulong available, object keep) {
        this.handle = new NativeHandle(handle, CuprumNative.cuprum_release_parallel_iterator);
        this.available = available;
        this.keep = keep;
    }

    /// <summary>The elements of a buffer, which is kept alive with the iterator.</summary>
    public static ElementIterator Of<T>(Buffer buffer) where T : struct {
        IntPtr created;
        CuprumNative.cuprum_parallel_iterator_pointer(out created, ElementText<T>.Value, buffer.Handle);
        return new ElementIterator(created, buffer.Size / ArrayElement<T>.Size, buffer);
    }

    /// <summary>The elements of no buffer yet: to build an algorithm with, not to call it.</summary>
    public static ElementIterator Of<T>() where T : struct {
        IntPtr created;
        CuprumNative.cuprum_parallel_iterator_pointer(out created, ElementText<T>.Value, 0);
        return new ElementIterator(created, 0, null);
    }

    /// <summary>The same value everywhere.</summary>
    public static ElementIterator Constant<T>(T value) where T : struct {
        using (var memory = new PinnedValue<T>(value)) {
            IntPtr created;
            CuprumNative.cuprum_parallel_iterator_constant(
                out created, ElementText<T>.Value, memory.Address, memory.Size);
            return new ElementIterator(created, ulong.MaxValue, null);
        }
    }

    /// <summary>start, start + 1 and so on.</summary>
    public static ElementIterator Counting<T>(T start) where T : struct {
        using (var memory = new PinnedValue<T>(start)) {
            IntPtr created;
            CuprumNative.cuprum_parallel_iterator_counting(
                out created, ElementText<T>.Value, memory.Address, memory.Size);
            return new ElementIterator(created, ulong.MaxValue, null);
        }
    }

    /// <summary>An operator of one operand applied to these elements; T is the type of what it gives.</summary>
    public ElementIterator Transform<T>(Operator op) where T : struct {
        IntPtr created;
        CuprumNative.cuprum_parallel_iterator_transform(
            out created, Use("transforming"), op.Use("transforming"), ElementText<T>.Value);
        return new ElementIterator(created, available, keep);
    }

    /// <summary>Idempotent.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }

    /// <summary>For a call that reads so many elements.</summary>
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
