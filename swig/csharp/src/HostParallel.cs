using System;

namespace Cuprum {

/// <summary>
/// The algorithms of <see cref="Parallel"/> on the host's own cores (execution=host), for real data on a machine without
/// a GPU: no driver and no compiler take part, and nothing is copied.
/// </summary>
/// <remarks>
/// Elements are numbers, bool and complex numbers; structs only values that move with sorted keys. For many calls see
/// <see cref="Execution.Host"/>. Operators are well-known ones, by name ("plus", "maximum") or spelled out ("a + b"); any
/// other is an <see cref="UnsupportedException"/>. Calls are done when they return, and may be made by several threads at
/// once. Sums of floating-point numbers are evaluated in an order that depends on the number of elements and of threads;
/// the environment's OMP_NUM_THREADS limits these.
/// </remarks>
public static class HostParallel {
    private const int Host = Execution.NativeHost;

    /// <summary>op(...op(init, x0)..., xn-1), in any order of evaluation, in the initial value's type.</summary>
    public static TResult Reduce<T, TResult>(T[] data, TResult init, string op)
        where T : struct where TResult : struct {
        using (var combine = new Operator(op)) {
            return Parallel.Reduce(Host, data, init, combine);
        }
    }

    /// <summary>The prefix sums of the elements, each with the element itself.</summary>
    public static T[] InclusiveScan<T>(T[] data, string op) where T : struct {
        return Scan(ScanKind.Inclusive, data, new T[0], op);
    }

    /// <summary>
    /// The prefix sums of the elements, each with the element itself, after an initial value and in its type.
    /// </summary>
    public static TResult[] InclusiveScan<T, TResult>(T[] data, TResult init, string op)
        where T : struct where TResult : struct {
        return Scan(ScanKind.InclusiveWithInit, data, new[] { init }, op);
    }

    /// <summary>
    /// The prefix sums of the elements, each without the element itself, after an initial value and in its type.
    /// </summary>
    public static TResult[] ExclusiveScan<T, TResult>(T[] data, TResult init, string op)
        where T : struct where TResult : struct {
        return Scan(ScanKind.Exclusive, data, new[] { init }, op);
    }

    private static TResult[] Scan<T, TResult>(ScanKind kind, T[] data, TResult[] init, string op)
        where T : struct where TResult : struct {
        using (var combine = new Operator(op)) {
            return Parallel.Scan(Host, kind, data, init, combine);
        }
    }

    /// <summary>op(x) of every element.</summary>
    public static TResult[] Transform<T, TResult>(T[] data, string op) where T : struct where TResult : struct {
        using (var function = new Operator(op)) {
            return Parallel.Transform<T, byte, TResult>(Host, data, null, function);
        }
    }

    /// <summary>op(x, y) of every pair of elements.</summary>
    public static TResult[] Transform<T1, T2, TResult>(T1[] first, T2[] second, string op)
        where T1 : struct where T2 : struct where TResult : struct {
        if (second == null) {
            throw new ArgumentNullException(nameof(second));
        }
        using (var function = new Operator(op)) {
            return Parallel.Transform<T1, T2, TResult>(Host, first, second, function);
        }
    }

    /// <summary>Sorts numbers in place, by their bits; stable.</summary>
    public static void Sort<T>(T[] data, SortOrder order = SortOrder.Ascending) where T : struct {
        Parallel.Sort<T, byte>(Host, data, null, order, null);
    }

    /// <summary>Sorts in place, by a comparison, "less" or "greater"; stable.</summary>
    public static void Sort<T>(T[] data, string compare) where T : struct {
        using (var before = new Operator(compare)) {
            Parallel.Sort<T, byte>(Host, data, null, SortOrder.Ascending, before);
        }
    }

    /// <summary>Sorts keys in place, by their bits, and moves values, structs too, with them; stable.</summary>
    public static void SortByKey<TKey, TValue>(TKey[] keys, TValue[] values, SortOrder order = SortOrder.Ascending)
        where TKey : struct where TValue : struct {
        Parallel.Sort(Host, keys, values, order, null);
    }

    /// <summary>
    /// Sorts keys in place, by a comparison, "less" or "greater", and moves values, structs too, with them; stable.
    /// </summary>
    public static void SortByKey<TKey, TValue>(TKey[] keys, TValue[] values, string compare)
        where TKey : struct where TValue : struct {
        using (var before = new Operator(compare)) {
            Parallel.Sort(Host, keys, values, SortOrder.Ascending, before);
        }
    }

    /// <summary>Where the first smallest element is, the first NaN if there is one; -1 of no elements.</summary>
    public static long ArgMin<T>(T[] data) where T : struct {
        return Parallel.Arg(Host, ArgKind.Minimum, data);
    }

    /// <summary>Where the first largest element is, the first NaN if there is one; -1 of no elements.</summary>
    public static long ArgMax<T>(T[] data) where T : struct {
        return Parallel.Arg(Host, ArgKind.Maximum, data);
    }
}

}
