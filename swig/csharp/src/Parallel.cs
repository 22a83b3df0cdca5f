using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// The parallel algorithms over arrays of numbers or of structs of numbers, in one call: copies in, runs on device 0,
/// copies back, and returns when it is done. For elements that are on the device already, and for many calls, see
/// <see cref="Algorithm"/>.
/// </summary>
/// <remarks>
/// Operators are CUDA C++ text or a traced function: <c>Parallel.Reduce(data, 0f, (a, b) =&gt; a + b)</c>; see
/// <see cref="Operator"/> and <see cref="Symbol"/>. A text that does not compile is a <see cref="CompileException"/>,
/// whose log has its own lines.
/// </remarks>
public static class Parallel {
    private const int DefaultDevice = 0;

    static Parallel() {
        NativeLibraries.Load();
    }

    /// <summary>op(...op(init, x0)..., xn-1), in any order of evaluation, in the initial value's type.</summary>
    public static TResult Reduce<T, TResult>(T[] data, TResult init, Operator op)
        where T : struct where TResult : struct {
        return Reduce(DefaultDevice, data, init, op);
    }

    /// <summary>place: a device, or Execution.NativeHost; here and below.</summary>
    internal static TResult Reduce<T, TResult>(int place, T[] data, TResult init, Operator op)
        where T : struct where TResult : struct {
        var result = new TResult[1];
        using (var input = new PinnedValue<T>(data))
        using (var first = new PinnedValue<TResult>(init))
        using (var output = new PinnedValue<TResult>(result)) {
            CuprumNative.cuprum_parallel_reduce_host(
                output.Address, output.Size, place, ElementText<T>.Value, input.Address, input.Size,
                ElementText<TResult>.Value, first.Address, first.Size, op.Use("reducing"));
        }
        return result[0];
    }

    /// <summary>The same with a traced function.</summary>
    public static TResult Reduce<T, TResult>(T[] data, TResult init, Func<Symbol, Symbol, Symbol> function)
        where T : struct where TResult : struct {
        using (var op = new Operator(function)) {
            return Reduce(data, init, op);
        }
    }

    /// <summary>The same with CUDA C++ text or a name.</summary>
    public static TResult Reduce<T, TResult>(T[] data, TResult init, string text)
        where T : struct where TResult : struct {
        using (var op = new Operator(text)) {
            return Reduce(data, init, op);
        }
    }

    /// <summary>The prefix sums of the elements, each with the element itself.</summary>
    public static T[] InclusiveScan<T>(T[] data, Operator op) where T : struct {
        return Scan<T, T>(DefaultDevice, ScanKind.Inclusive, data, new T[0], op);
    }

    /// <summary>The same with a traced function.</summary>
    public static T[] InclusiveScan<T>(T[] data, Func<Symbol, Symbol, Symbol> function) where T : struct {
        using (var op = new Operator(function)) {
            return InclusiveScan(data, op);
        }
    }

    /// <summary>The same with CUDA C++ text or a name.</summary>
    public static T[] InclusiveScan<T>(T[] data, string text) where T : struct {
        using (var op = new Operator(text)) {
            return InclusiveScan(data, op);
        }
    }

    /// <summary>
    /// The prefix sums of the elements, each with the element itself, after an initial value and in its type.
    /// </summary>
    public static TResult[] InclusiveScan<T, TResult>(T[] data, TResult init, Operator op)
        where T : struct where TResult : struct {
        return Scan(DefaultDevice, ScanKind.InclusiveWithInit, data, new[] { init }, op);
    }

    /// <summary>The same with a traced function.</summary>
    public static TResult[] InclusiveScan<T, TResult>(T[] data, TResult init, Func<Symbol, Symbol, Symbol> function)
        where T : struct where TResult : struct {
        using (var op = new Operator(function)) {
            return InclusiveScan(data, init, op);
        }
    }

    /// <summary>The same with CUDA C++ text or a name.</summary>
    public static TResult[] InclusiveScan<T, TResult>(T[] data, TResult init, string text)
        where T : struct where TResult : struct {
        using (var op = new Operator(text)) {
            return InclusiveScan(data, init, op);
        }
    }

    /// <summary>
    /// The prefix sums of the elements, each without the element itself, after an initial value and in its type.
    /// </summary>
    public static TResult[] ExclusiveScan<T, TResult>(T[] data, TResult init, Operator op)
        where T : struct where TResult : struct {
        return Scan(DefaultDevice, ScanKind.Exclusive, data, new[] { init }, op);
    }

    /// <summary>The same with a traced function.</summary>
    public static TResult[] ExclusiveScan<T, TResult>(T[] data, TResult init, Func<Symbol, Symbol, Symbol> function)
        where T : struct where TResult : struct {
        using (var op = new Operator(function)) {
            return ExclusiveScan(data, init, op);
        }
    }

    /// <summary>The same with CUDA C++ text or a name.</summary>
    public static TResult[] ExclusiveScan<T, TResult>(T[] data, TResult init, string text)
        where T : struct where TResult : struct {
        using (var op = new Operator(text)) {
            return ExclusiveScan(data, init, op);
        }
    }

    internal static TResult[] Scan<T, TResult>(int place, ScanKind kind, T[] data, TResult[] init, Operator op)
        where T : struct where TResult : struct {
        var result = new TResult[data.LongLength];
        using (var input = new PinnedValue<T>(data))
        using (var first = new PinnedValue<TResult>(init))
        using (var output = new PinnedValue<TResult>(result)) {
            CuprumNative.cuprum_parallel_scan_host(
                output.Address, output.Size, place, (int)kind, ElementText<T>.Value, input.Address, input.Size,
                ElementText<TResult>.Value, first.Address, first.Size, op.Use("scanning"));
        }
        return result;
    }

    /// <summary>op(x) of every element.</summary>
    public static TResult[] Transform<T, TResult>(T[] data, Operator op) where T : struct where TResult : struct {
        return Transform<T, byte, TResult>(DefaultDevice, data, null, op);
    }

    /// <summary>The same with a traced function.</summary>
    public static TResult[] Transform<T, TResult>(T[] data, Func<Symbol, Symbol> function)
        where T : struct where TResult : struct {
        using (var op = new Operator(function)) {
            return Transform<T, TResult>(data, op);
        }
    }

    /// <summary>The same with CUDA C++ text or a name.</summary>
    public static TResult[] Transform<T, TResult>(T[] data, string text) where T : struct where TResult : struct {
        using (var op = new Operator(text)) {
            return Transform<T, TResult>(data, op);
        }
    }

    /// <summary>op(x, y) of every pair of elements of two arrays of the same length.</summary>
    public static TResult[] Transform<T1, T2, TResult>(T1[] first, T2[] second, Operator op)
        where T1 : struct where T2 : struct where TResult : struct {
        if (second == null) {
            throw new ArgumentNullException(nameof(second));
        }
        return Transform<T1, T2, TResult>(DefaultDevice, first, second, op);
    }

    /// <summary>The same with a traced function.</summary>
    public static TResult[] Transform<T1, T2, TResult>(
        T1[] first, T2[] second, Func<Symbol, Symbol, Symbol> function)
        where T1 : struct where T2 : struct where TResult : struct {
        using (var op = new Operator(function)) {
            return Transform<T1, T2, TResult>(first, second, op);
        }
    }

    /// <summary>The same with CUDA C++ text or a name.</summary>
    public static TResult[] Transform<T1, T2, TResult>(T1[] first, T2[] second, string text)
        where T1 : struct where T2 : struct where TResult : struct {
        using (var op = new Operator(text)) {
            return Transform<T1, T2, TResult>(first, second, op);
        }
    }

    /// <summary>second: null for one input.</summary>
    internal static TResult[] Transform<T1, T2, TResult>(int place, T1[] first, T2[] second, Operator op)
        where T1 : struct where T2 : struct where TResult : struct {
        var result = new TResult[first.LongLength];
        using (var left = new PinnedValue<T1>(first))
        using (var right = new PinnedValue<T2>(second ?? new T2[0]))
        using (var output = new PinnedValue<TResult>(result)) {
            CuprumNative.cuprum_parallel_transform_host(
                output.Address, output.Size, place, ElementText<TResult>.Value, ElementText<T1>.Value, left.Address,
                left.Size, second == null ? null : ElementText<T2>.Value, right.Address, right.Size,
                op.Use("transforming"));
        }
        return result;
    }

    /// <summary>Sorts numbers in place, by their bits; stable.</summary>
    public static void Sort<T>(T[] data, SortOrder order = SortOrder.Ascending) where T : struct {
        Sort<T, byte>(DefaultDevice, data, null, order, null);
    }

    /// <summary>Sorts in place, by a comparison: whether <c>a</c> comes before <c>b</c>; stable.</summary>
    public static void Sort<T>(T[] data, Operator compare) where T : struct {
        Sort<T, byte>(DefaultDevice, data, null, SortOrder.Ascending, compare);
    }

    /// <summary>The same with a traced function.</summary>
    public static void Sort<T>(T[] data, Func<Symbol, Symbol, Symbol> compare) where T : struct {
        using (var op = new Operator(compare)) {
            Sort(data, op);
        }
    }

    /// <summary>The same with CUDA C++ text or a name.</summary>
    public static void Sort<T>(T[] data, string compare) where T : struct {
        using (var op = new Operator(compare)) {
            Sort(data, op);
        }
    }

    /// <summary>Sorts keys in place by their bits, and moves values with them; stable.</summary>
    public static void SortByKey<TKey, TValue>(
        TKey[] keys, TValue[] values, SortOrder order = SortOrder.Ascending)
        where TKey : struct where TValue : struct {
        Sort(DefaultDevice, keys, values, order, null);
    }

    /// <summary>Sorts keys in place by a comparison, and moves values with them; stable.</summary>
    public static void SortByKey<TKey, TValue>(TKey[] keys, TValue[] values, Operator compare)
        where TKey : struct where TValue : struct {
        Sort(DefaultDevice, keys, values, SortOrder.Ascending, compare);
    }

    /// <summary>The same with a traced function.</summary>
    public static void SortByKey<TKey, TValue>(
        TKey[] keys, TValue[] values, Func<Symbol, Symbol, Symbol> compare)
        where TKey : struct where TValue : struct {
        using (var op = new Operator(compare)) {
            SortByKey(keys, values, op);
        }
    }

    /// <summary>The same with CUDA C++ text or a name.</summary>
    public static void SortByKey<TKey, TValue>(TKey[] keys, TValue[] values, string compare)
        where TKey : struct where TValue : struct {
        using (var op = new Operator(compare)) {
            SortByKey(keys, values, op);
        }
    }

    /// <summary>values null: keys alone; compare null: by the keys' bits, in that order.</summary>
    internal static void Sort<TKey, TValue>(
        int place, TKey[] keys, TValue[] values, SortOrder order, Operator compare)
        where TKey : struct where TValue : struct {
        using (var sorted = new PinnedValue<TKey>(keys))
        using (var moved = new PinnedValue<TValue>(values ?? new TValue[0])) {
            CuprumNative.cuprum_parallel_sort_host(
                place, ElementText<TKey>.Value, sorted.Address, sorted.Size,
                values == null ? null : ElementText<TValue>.Value, moved.Address, moved.Size, (int)order,
                Algorithm.Use(compare, "sorting"));
        }
    }

    /// <summary>The elements of which a condition is true, in their order.</summary>
    public static T[] Select<T>(T[] data, Operator condition) where T : struct {
        var selected = new T[data.LongLength];
        ulong count;
        using (var input = new PinnedValue<T>(data))
        using (var output = new PinnedValue<T>(selected)) {
            CuprumNative.cuprum_parallel_select_host(
                out count, output.Address, output.Size, DefaultDevice, ElementText<T>.Value, input.Address, input.Size,
                condition.Use("selecting"));
        }
        Array.Resize(ref selected, (int)count);
        return selected;
    }

    /// <summary>The same with a traced function.</summary>
    public static T[] Select<T>(T[] data, Func<Symbol, Symbol> condition) where T : struct {
        using (var op = new Operator(condition)) {
            return Select(data, op);
        }
    }

    /// <summary>The same with CUDA C++ text.</summary>
    public static T[] Select<T>(T[] data, string condition) where T : struct {
        using (var op = new Operator(condition)) {
            return Select(data, op);
        }
    }

    /// <summary>Where the first smallest element is, the first NaN if there is one; -1 of no elements.</summary>
    public static long ArgMin<T>(T[] data) where T : struct {
        return Arg(DefaultDevice, ArgKind.Minimum, data);
    }

    /// <summary>Where the first largest element is, the first NaN if there is one; -1 of no elements.</summary>
    public static long ArgMax<T>(T[] data) where T : struct {
        return Arg(DefaultDevice, ArgKind.Maximum, data);
    }

    internal static long Arg<T>(int place, ArgKind kind, T[] data) where T : struct {
        using (var input = new PinnedValue<T>(data)) {
            long index;
            CuprumNative.cuprum_parallel_arg_reduce_host(
                out index, place, (int)kind, ElementText<T>.Value, input.Address, input.Size);
            return index;
        }
    }
}

}
