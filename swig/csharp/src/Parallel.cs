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
    /// <summary>op(...op(init, x0)..., xn-1), in any order of evaluation, in the initial value's type.</summary>
    public static TResult Reduce<T, TResult>(T[] data, TResult init, Operator op)
        where T : struct where TResult : struct {
        var result = new TResult[1];
        using (var input = new PinnedValue<T>(data))
        using (var first = new PinnedValue<TResult>(init))
        using (var output = new PinnedValue<TResult>(result)) {
            CuprumNative.cuprum_parallel_reduce_host(
                output.Address, output.Size, 0, ElementText<T>.Value, input.Address, input.Size,
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
        return Scan<T, T>(ScanKind.Inclusive, data, new T[0], op);
    }

    /// <summary>The same with a traced function.</summary>
    public static T[] InclusiveScan<T>(T[] data, Func<Symbol, Symbol, Symbol> function) where T : struct {
        using (var op = new Operator(function)) {
            return InclusiveScan(data, op);
        }
    }

    /// <summary>The prefix sums of the elements, each without the element itself, after an initial value.</summary>
    public static TResult[] ExclusiveScan<T, TResult>(T[] data, TResult init, Operator op)
        where T : struct where TResult : struct {
        return Scan(ScanKind.Exclusive, data, new[] { init }, op);
    }

    /// <summary>The same with a traced function.</summary>
    public static TResult[] ExclusiveScan<T, TResult>(T[] data, TResult init, Func<Symbol, Symbol, Symbol> function)
        where T : struct where TResult : struct {
        using (var op = new Operator(function)) {
            return ExclusiveScan(data, init, op);
        }
    }

    private static TResult[] Scan<T, TResult>(ScanKind kind, T[] data, TResult[] init, Operator op)
        where T : struct where TResult : struct {
        var result = new TResult[data.LongLength];
        using (var input = new PinnedValue<T>(data))
        using (var first = new PinnedValue<TResult>(init))
        using (var output = new PinnedValue<TResult>(result)) {
            CuprumNative.cuprum_parallel_scan_host(
                output.Address, output.Size, 0, (int)kind, ElementText<T>.Value, input.Address, input.Size,
                ElementText<TResult>.Value, first.Address, first.Size, op.Use("scanning"));
        }
        return result;
    }

    /// <summary>op(x) of every element.</summary>
    public static TResult[] Transform<T, TResult>(T[] data, Operator op) where T : struct where TResult : struct {
        var result = new TResult[data.LongLength];
        using (var input = new PinnedValue<T>(data))
        using (var output = new PinnedValue<TResult>(result)) {
            CuprumNative.cuprum_parallel_transform_host(
                output.Address, output.Size, 0, ElementText<TResult>.Value, ElementText<T>.Value, input.Address,
                input.Size, null, IntPtr.Zero, 0, op.Use("transforming"));
        }
        return result;
    }

    /// <summary>The same with a traced function.</summary>
    public static TResult[] Transform<T, TResult>(T[] data, Func<Symbol, Symbol> function)
        where T : struct where TResult : struct {
        using (var op = new Operator(function)) {
            return Transform<T, TResult>(data, op);
        }
    }

    /// <summary>Sorts numbers in place, by their bits; stable.</summary>
    public static void Sort<T>(T[] data, SortOrder order = SortOrder.Ascending) where T : struct {
        Sort(data, order, NativeHandle.None);
    }

    /// <summary>Sorts in place, by a comparison: whether <c>a</c> comes before <c>b</c>; stable.</summary>
    public static void Sort<T>(T[] data, Operator compare) where T : struct {
        Sort(data, SortOrder.Ascending, compare.Use("sorting"));
    }

    /// <summary>The same with a traced function.</summary>
    public static void Sort<T>(T[] data, Func<Symbol, Symbol, Symbol> compare) where T : struct {
        using (var op = new Operator(compare)) {
            Sort(data, op);
        }
    }

    private static void Sort<T>(T[] data, SortOrder order, NativeHandle compare) where T : struct {
        using (var keys = new PinnedValue<T>(data)) {
            CuprumNative.cuprum_parallel_sort_host(
                0, ElementText<T>.Value, keys.Address, keys.Size, null, IntPtr.Zero, 0, (int)order, compare);
        }
    }

    /// <summary>Where the first smallest element is, the first NaN if there is one; -1 of no elements.</summary>
    public static long ArgMin<T>(T[] data) where T : struct {
        return Arg(0, data);
    }

    /// <summary>Where the first largest element is, the first NaN if there is one; -1 of no elements.</summary>
    public static long ArgMax<T>(T[] data) where T : struct {
        return Arg(1, data);
    }

    private static long Arg<T>(int kind, T[] data) where T : struct {
        using (var input = new PinnedValue<T>(data)) {
            long index;
            CuprumNative.cuprum_parallel_arg_reduce_host(
                out index, 0, kind, ElementText<T>.Value, input.Address, input.Size);
            return index;
        }
    }
}

}
