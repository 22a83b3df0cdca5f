using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// The algorithms of <see cref="Parallel"/> on the host's own cores (execution=host), for real data on a machine without
/// a GPU: no driver and no compiler take part, and nothing is copied.
/// </summary>
/// <remarks>
/// Elements are numbers. Operators are well-known ones, by name ("plus", "maximum") or spelled out ("a + b"); any other is
/// an <see cref="UnsupportedException"/>. Calls are done when they return, and may be made by several threads at once.
/// Sums of floating-point numbers are evaluated in an order that depends on the number of elements and of threads; the
/// environment's OMP_NUM_THREADS limits these.
/// </remarks>
public static class HostParallel {
    /// <summary>CUPRUM_DEVICE_HOST.</summary>
    private const int Host = -1;

    static HostParallel() {
        NativeLibraries.Load();
    }

    /// <summary>op(...op(init, x0)..., xn-1), in any order of evaluation, in the initial value's type.</summary>
    public static TResult Reduce<T, TResult>(T[] data, TResult init, string op)
        where T : struct where TResult : struct {
        var result = new TResult[1];
        using (var combine = new Operator(op))
        using (var input = new PinnedValue<T>(data))
        using (var first = new PinnedValue<TResult>(init))
        using (var output = new PinnedValue<TResult>(result)) {
            CuprumNative.cuprum_parallel_reduce_host(
                output.Address, output.Size, Host, ElementText<T>.Value, input.Address, input.Size,
                ElementText<TResult>.Value, first.Address, first.Size, combine.Use("reducing"));
        }
        return result[0];
    }

    /// <summary>The prefix sums of the elements, each with the element itself.</summary>
    public static T[] InclusiveScan<T>(T[] data, string op) where T : struct {
        return Scan<T, T>(ScanKind.Inclusive, data, new T[0], op);
    }

    /// <summary>The prefix sums of the elements, each without the element itself, after an initial value.</summary>
    public static TResult[] ExclusiveScan<T, TResult>(T[] data, TResult init, string op)
        where T : struct where TResult : struct {
        return Scan(ScanKind.Exclusive, data, new[] { init }, op);
    }

    private static TResult[] Scan<T, TResult>(ScanKind kind, T[] data, TResult[] init, string op)
        where T : struct where TResult : struct {
        var result = new TResult[data.LongLength];
        using (var combine = new Operator(op))
        using (var input = new PinnedValue<T>(data))
        using (var first = new PinnedValue<TResult>(init))
        using (var output = new PinnedValue<TResult>(result)) {
            CuprumNative.cuprum_parallel_scan_host(
                output.Address, output.Size, Host, (int)kind, ElementText<T>.Value, input.Address, input.Size,
                ElementText<TResult>.Value, first.Address, first.Size, combine.Use("scanning"));
        }
        return result;
    }

    /// <summary>op(x) of every element.</summary>
    public static TResult[] Transform<T, TResult>(T[] data, string op) where T : struct where TResult : struct {
        var result = new TResult[data.LongLength];
        using (var function = new Operator(op))
        using (var input = new PinnedValue<T>(data))
        using (var output = new PinnedValue<TResult>(result)) {
            CuprumNative.cuprum_parallel_transform_host(
                output.Address, output.Size, Host, ElementText<TResult>.Value, ElementText<T>.Value, input.Address,
                input.Size, null, IntPtr.Zero, 0, function.Use("transforming"));
        }
        return result;
    }

    /// <summary>op(x, y) of every pair of elements.</summary>
    public static TResult[] Transform<T1, T2, TResult>(T1[] first, T2[] second, string op)
        where T1 : struct where T2 : struct where TResult : struct {
        var result = new TResult[first.LongLength];
        using (var function = new Operator(op))
        using (var left = new PinnedValue<T1>(first))
        using (var right = new PinnedValue<T2>(second))
        using (var output = new PinnedValue<TResult>(result)) {
            CuprumNative.cuprum_parallel_transform_host(
                output.Address, output.Size, Host, ElementText<TResult>.Value, ElementText<T1>.Value, left.Address,
                left.Size, ElementText<T2>.Value, right.Address, right.Size, function.Use("transforming"));
        }
        return result;
    }

    /// <summary>Sorts numbers in place, by their bits; stable.</summary>
    public static void Sort<T>(T[] data, SortOrder order = SortOrder.Ascending) where T : struct {
        using (var keys = new PinnedValue<T>(data)) {
            CuprumNative.cuprum_parallel_sort_host(
                Host, ElementText<T>.Value, keys.Address, keys.Size, null, IntPtr.Zero, 0, (int)order,
                NativeHandle.None);
        }
    }

    /// <summary>Sorts in place, by a comparison, "less" or "greater"; stable.</summary>
    public static void Sort<T>(T[] data, string compare) where T : struct {
        using (var before = new Operator(compare))
        using (var keys = new PinnedValue<T>(data)) {
            CuprumNative.cuprum_parallel_sort_host(
                Host, ElementText<T>.Value, keys.Address, keys.Size, null, IntPtr.Zero, 0, 0, before.Use("sorting"));
        }
    }

    /// <summary>Sorts keys in place, by their bits, and moves values, structs too, with them; stable.</summary>
    public static void SortByKey<TKey, TValue>(TKey[] keys, TValue[] values, SortOrder order = SortOrder.Ascending)
        where TKey : struct where TValue : struct {
        using (var sorted = new PinnedValue<TKey>(keys))
        using (var moved = new PinnedValue<TValue>(values)) {
            CuprumNative.cuprum_parallel_sort_host(
                Host, ElementText<TKey>.Value, sorted.Address, sorted.Size, ElementText<TValue>.Value, moved.Address,
                moved.Size, (int)order, NativeHandle.None);
        }
    }

    /// <summary>Where the first smallest element is, the first NaN if there is one; -1 of no elements.</summary>
    public static long ArgMin<T>(T[] data) where T : struct {
        return Extreme(0, data);
    }

    /// <summary>Where the first largest element is, the first NaN if there is one; -1 of no elements.</summary>
    public static long ArgMax<T>(T[] data) where T : struct {
        return Extreme(1, data);
    }

    private static long Extreme<T>(int kind, T[] data) where T : struct {
        using (var input = new PinnedValue<T>(data)) {
            long index;
            CuprumNative.cuprum_parallel_arg_reduce_host(
                out index, Host, kind, ElementText<T>.Value, input.Address, input.Size);
            return index;
        }
    }
}

}
