using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum {

/// <summary>How elements are loaded from a device's memory.</summary>
public enum CacheModifier {
    /// <summary>They are likely to be read once.</summary>
    Stream = 0,
    /// <summary>Cached for all multiprocessors only.</summary>
    Global = 1,
    /// <summary>Fetched again each time.</summary>
    Volatile = 2
}

/// <summary>
/// Where a parallel algorithm reads its elements, or writes its results. An algorithm is built for an iterator's kind and
/// types; every call may pass another one of that kind. Iterators are made of each other; where one can only be read, or
/// only be written to, <see cref="InvalidArgumentException"/> says so.
/// </summary>
public sealed class ElementIterator : IDisposable {
    static ElementIterator() {
        NativeLibraries.Load();
    }

    private const string Making = "making an iterator";

    private readonly NativeHandle handle;
    private readonly string type;
    private readonly ulong available;    // elements
    private readonly Array[] arrays;    // read or written in place

    private ElementIterator(
        IntPtr handle, string type, ulong available, object keep = null, params Array[] arrays) {
        this.handle = new IteratorHandle(handle, Array.ConvertAll(arrays, each => GCHandle.Alloc(each, GCHandleType.Pinned)));
        this.type = type;
        this.available = available;
        Keep = keep;
        this.arrays = arrays;
    }

    /// <summary>What must stay alive with it.</summary>
    private object Keep { get; }

    /// <summary>One that is made of others.</summary>
    private static ElementIterator Made(IntPtr handle, string type, ulong available, params ElementIterator[] parts) {
        var arrays = new List<Array>();
        foreach (ElementIterator part in parts) {
            arrays.AddRange(part.arrays);
        }
        return new ElementIterator(handle, type, available, parts, arrays.ToArray());
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
            return new ElementIterator(created, ElementText<T>.Value, size / ArrayElement<T>.Size, null, array);
        } finally {
            pin.Free();
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
        return Made(created, ElementText<T>.Value, available, this);
    }

    /// <summary>An output that what is written to goes nowhere; T is the type of what is written.</summary>
    public static ElementIterator Discard<T>() where T : struct {
        IntPtr created;
        CuprumNative.cuprum_parallel_iterator_discard(out created, ElementText<T>.Value);
        return new ElementIterator(created, ElementText<T>.Value, ulong.MaxValue);
    }

    /// <summary>These elements backwards, from position <paramref name="last"/> on: of n elements n - 1. Read and written
    /// as this one is.</summary>
    public ElementIterator Reverse(long last) {
        IntPtr created;
        CuprumNative.cuprum_parallel_iterator_reverse(out created, Use(Making), last);
        return Made(created, type, available == ulong.MaxValue ? available : (ulong)Math.Max(0, last + 1), this);
    }

    /// <summary>Some of these elements: start, start + step and so on. The step may be negative, and 1 to skip the first
    /// elements. Read and written as this one is.</summary>
    public ElementIterator Strided(long step, long start = 0) {
        IntPtr created;
        CuprumNative.cuprum_parallel_iterator_strided(out created, Use(Making), step, start);
        ulong count = ulong.MaxValue;
        if (step != 0 && available != ulong.MaxValue) {
            long left = step > 0 ? (long)available - start : start + 1;
            long size = Math.Abs(step);
            count = left <= 0 ? 0 : (ulong)((left + size - 1) / size);
        }
        return Made(created, type, count, this);
    }

    /// <summary>These elements in another order: position i is position indices[i] of this one. The indices are integers,
    /// and not checked. Read and written as this one is; the indices of elements that are written are different.</summary>
    public ElementIterator Permute(ElementIterator indices) {
        IntPtr created;
        CuprumNative.cuprum_parallel_iterator_permutation(out created, Use(Making), indices.Use(Making));
        return Made(created, type, indices.available, this, indices);
    }

    /// <summary>The elements of several iterators, up to 64, a struct T at each position: with a field of the type of each
    /// part, in their order. Read if all of them can be, written if all can be.</summary>
    public static ElementIterator Zip<T>(params ElementIterator[] parts) where T : struct {
        if (parts.Length == 0) {
            throw Errors.InvalidArgument("parts", Making, "has no iterator; expected at least one");
        }
        var zipped = NativeHandle.None;
        ulong available = ulong.MaxValue;
        IntPtr created = IntPtr.Zero;
        for (int i = 0; i < parts.Length; ++i) {
            bool isLast = i + 1 == parts.Length;
            using (NativeHandle former = zipped == NativeHandle.None ? null : zipped) {
                CuprumNative.cuprum_parallel_iterator_zip(
                    out created, zipped, parts[i].Use(Making), isLast ? ElementText<T>.Value : null);
            }
            if (!isLast) {
                zipped = new IteratorHandle(created, null);
            }
            available = Math.Min(available, parts[i].available);
        }
        return Made(created, ElementText<T>.Value, available, (ElementIterator[])parts.Clone());
    }

    /// <summary>Writes an operator's result to this one of what is written, which is of type T. Write only.</summary>
    public ElementIterator TransformOutput<T>(Operator op) where T : struct {
        IntPtr created;
        CuprumNative.cuprum_parallel_iterator_transform_output(
            out created, Use(Making), op.Use(Making), ElementText<T>.Value);
        return Made(created, ElementText<T>.Value, available, this);
    }

    /// <summary>The elements of a buffer, which is kept alive with the iterator, loaded in a way of their own. Read
    /// only.</summary>
    public static ElementIterator CacheModified<T>(Buffer buffer, CacheModifier modifier) where T : struct {
        IntPtr created;
        CuprumNative.cuprum_parallel_iterator_cache_modified(
            out created, ElementText<T>.Value, buffer.Handle, (int)modifier);
        return new ElementIterator(created, ElementText<T>.Value, buffer.Size / ArrayElement<T>.Size, buffer);
    }

    /// <summary>A permutation of 0 to n - 1 at random, as long: the same for the same seed, wherever it is read. Positions
    /// from n on begin again.</summary>
    public static ElementIterator Shuffle(ulong n, ulong seed) {
        IntPtr created;
        CuprumNative.cuprum_parallel_iterator_shuffle(out created, n, seed);
        return new ElementIterator(created, ElementText<long>.Value, ulong.MaxValue);
    }

    /// <summary>
    /// The positions of an array with these extents, the last of which is that of neighbours: element i is a struct of long,
    /// first i and then its coordinates. A ForEach over it calls its operator for each position. On devices alone.
    /// </summary>
    /// <param name="extents">1 to 8 of them.</param>
    public static ElementIterator Coordinates<T>(params long[] extents) where T : struct {
        ulong count = 1;
        foreach (long extent in extents) {
            count = unchecked(count * (ulong)extent);
        }
        IntPtr created;
        CuprumNative.cuprum_parallel_iterator_coordinates(
            out created, string.Join(",", Array.ConvertAll(extents, extent => ((ulong)extent).ToString())),
            ElementText<T>.Value);
        return new ElementIterator(created, ElementText<T>.Value, count);
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
        if (arrays.Length > 0) {
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
