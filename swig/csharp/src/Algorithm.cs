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

/// <summary>Which elements a prefix sum is of.</summary>
public enum ScanKind {
    /// <summary>Those before, after an initial value.</summary>
    Exclusive = 0,
    /// <summary>Those up to and with this one.</summary>
    Inclusive = 1,
    /// <summary>Those up to and with this one, after an initial value.</summary>
    InclusiveWithInit = 2,
}

/// <summary>
/// One of CUB's algorithms, compiled for types and an operator: built once, called many times, from several threads too.
/// </summary>
/// <remarks>
/// Calls are asynchronous, in the stream's order; the buffers must stay open until the stream has passed them. Temporary
/// storage comes from the device's stream-ordered pool. Building throws <see cref="CompileException"/> where an
/// operator's text does not compile; its log has the text's own lines.
/// </remarks>
public sealed class Algorithm : IDisposable {
    private readonly NativeHandle handle;

    private Algorithm(IntPtr handle) {
        this.handle = new NativeHandle(handle, CuprumNative.cuprum_release_parallel_algorithm);
    }

    /// <summary>Builds op(...op(init, x0)..., xn-1); T is the type of the initial value and of the result.</summary>
    public static Algorithm Reduction<T>(Device device, ElementIterator input, Operator op) where T : struct {
        const string operation = "building a reduction";
        IntPtr built;
        CuprumNative.cuprum_parallel_reduce_build(
            out built, device.DeviceId, null, input.Use(operation), op.Use(operation), ElementText<T>.Value);
        return new Algorithm(built);
    }

    /// <summary>Builds a prefix sum; T is the type of the initial value and of the results.</summary>
    public static Algorithm Scan<T>(Device device, ScanKind kind, ElementIterator input, Operator op)
        where T : struct {
        const string operation = "building a scan";
        IntPtr built;
        CuprumNative.cuprum_parallel_scan_build(
            out built, device.DeviceId, null, (int)kind, input.Use(operation), op.Use(operation),
            ElementText<T>.Value);
        return new Algorithm(built);
    }

    /// <summary>Builds a stable sort by the bits of the keys.</summary>
    public static Algorithm RadixSort<TKey>(Device device, SortOrder order) where TKey : struct {
        return RadixSort(device, order, ElementText<TKey>.Value, null);
    }

    /// <summary>Builds a stable sort by the bits of the keys, with values that move with them.</summary>
    public static Algorithm RadixSort<TKey, TValue>(Device device, SortOrder order)
        where TKey : struct where TValue : struct {
        return RadixSort(device, order, ElementText<TKey>.Value, ElementText<TValue>.Value);
    }

    private static Algorithm RadixSort(Device device, SortOrder order, string keys, string values) {
        IntPtr built;
        CuprumNative.cuprum_parallel_radix_sort_build(out built, device.DeviceId, null, (int)order, keys, values);
        return new Algorithm(built);
    }

    /// <summary>Builds a stable sort by a comparison: whether <c>a</c> comes before <c>b</c>.</summary>
    public static Algorithm MergeSort<TKey>(Device device, Operator compare) where TKey : struct {
        IntPtr built;
        CuprumNative.cuprum_parallel_merge_sort_build(
            out built, device.DeviceId, null, compare.Use("building a merge sort"), ElementText<TKey>.Value, null);
        return new Algorithm(built);
    }

    /// <summary>Builds op(x) of every element, or op(x, y) of every pair; T is the type of the results.</summary>
    public static Algorithm Transformation<T>(
        Device device, ElementIterator first, Operator op, ElementIterator second = null) where T : struct {
        const string operation = "building a transformation";
        IntPtr built;
        CuprumNative.cuprum_parallel_transform_build(
            out built, device.DeviceId, null, first.Use(operation),
            second == null ? NativeHandle.None : second.Use(operation), op.Use(operation), ElementText<T>.Value);
        return new Algorithm(built);
    }

    /// <summary>Runs a reduction: one value goes to <paramref name="output"/>.</summary>
    /// <param name="stream">Where it takes its turn.</param>
    /// <param name="input">Of the kind that it was built for.</param>
    /// <param name="output">Gets the result.</param>
    /// <param name="count">How many elements there are.</param>
    /// <param name="init">Of the type that it was built for.</param>
    /// <param name="op">The operator with the state of this call; null for the one it was built with.</param>
    public void Reduce<T>(
        Stream stream, ElementIterator input, Buffer output, ulong count, T init, Operator op = null)
        where T : struct {
        const string operation = "reducing";
        using (var memory = new PinnedValue<T>(init)) {
            CuprumNative.cuprum_parallel_reduce(
                Use(operation), stream.Use(operation), input.Use(operation), output.Handle, count, memory.Address,
                memory.Size, op == null ? NativeHandle.None : op.Use(operation), 0, 0);
        }
    }

    /// <summary>Runs a scan with an initial value: as many values as elements go to <paramref name="output"/>.</summary>
    public void Scan<T>(
        Stream stream, ElementIterator input, Buffer output, ulong count, T init, Operator op = null)
        where T : struct {
        const string operation = "scanning";
        using (var memory = new PinnedValue<T>(init)) {
            CuprumNative.cuprum_parallel_scan(
                Use(operation), stream.Use(operation), input.Use(operation), output.Handle, count, memory.Address,
                memory.Size, op == null ? NativeHandle.None : op.Use(operation), 0, 0);
        }
    }

    /// <summary>Runs a scan without an initial value.</summary>
    public void Scan(Stream stream, ElementIterator input, Buffer output, ulong count, Operator op = null) {
        const string operation = "scanning";
        CuprumNative.cuprum_parallel_scan(
            Use(operation), stream.Use(operation), input.Use(operation), output.Handle, count, IntPtr.Zero, 0,
            op == null ? NativeHandle.None : op.Use(operation), 0, 0);
    }

    /// <summary>Runs a sort, of values too if they are given.</summary>
    public void Sort(
        Stream stream, Buffer keys, Buffer sorted, ulong count, Buffer values = null, Buffer moved = null) {
        const string operation = "sorting";
        CuprumNative.cuprum_parallel_sort(
            Use(operation), stream.Use(operation), keys.Handle, sorted.Handle, values == null ? 0 : values.Handle,
            moved == null ? 0 : moved.Handle, count, 0, 0, NativeHandle.None, 0, 0);
    }

    /// <summary>Runs a transformation of as many inputs as it was built for.</summary>
    public void Transform(
        Stream stream, ElementIterator first, Buffer output, ulong count, ElementIterator second = null,
        Operator op = null) {
        const string operation = "transforming";
        CuprumNative.cuprum_parallel_transform(
            Use(operation), stream.Use(operation), first.Use(operation),
            second == null ? NativeHandle.None : second.Use(operation), output.Handle, count,
            op == null ? NativeHandle.None : op.Use(operation));
    }

    /// <summary>Its builds, for <see cref="LoadBuilds"/>.</summary>
    public byte[] Save() {
        IntPtr data;
        ulong size;
        CuprumNative.cuprum_parallel_save(out data, out size, Use("saving builds"));
        var bytes = new byte[size];
        Marshal.Copy(data, bytes, 0, bytes.Length);
        return bytes;
    }

    /// <summary>Takes what <see cref="Save"/> gave, in any language: the same algorithms then need no compiler.</summary>
    /// <exception cref="UnsupportedException">Nothing in it runs on the device, or it is of another version.</exception>
    /// <exception cref="InvalidArgumentException">It is damaged.</exception>
    public static void LoadBuilds(Device device, byte[] saved) {
        using (var memory = new PinnedValue<byte>(saved)) {
            CuprumNative.cuprum_parallel_load_builds(device.DeviceId, memory.Address, memory.Size);
        }
    }

    /// <summary>Idempotent.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    private NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

}
