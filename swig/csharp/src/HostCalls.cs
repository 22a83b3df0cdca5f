// Calls on the host (Execution.Host) over arrays, which are pinned meanwhile; over spans: HostSpans.cs.
using System;
using Cuprum.Native;

namespace Cuprum {

public sealed partial class Reduce<T> {
    /// <summary>Reduces an array on the host.</summary>
    /// <param name="input">Of the type that it was built for.</param>
    /// <param name="init">Comes before the elements.</param>
    public T Call<TInput>(TInput[] input, T init) where TInput : struct {
        using (var elements = new PinnedValue<TInput>(input)) {
            return OnHost<TInput>(HostMemory.Of(elements), init);
        }
    }

    /// <summary>Reduces on the host.</summary>
    /// <param name="input">Of the kind that it was built for.</param>
    /// <param name="count">How many elements there are.</param>
    /// <param name="init">Comes before them.</param>
    public T Call(ElementIterator input, ulong count, T init) {
        const string operation = "reducing";
        var result = new T[1];
        using (var output = new PinnedValue<T>(result))
        using (var first = new PinnedValue<T>(init)) {
            CuprumNative.cuprum_parallel_reduce(
                UseOnHost(operation), NativeHandle.None, input.Use(operation, count),
                (ulong)output.Address.ToInt64(), count, first.Address, first.Size, NativeHandle.None, 0, 0);
        }
        return result[0];
    }

    private T OnHost<TInput>(HostMemory input, T init) where TInput : struct {
        using (ElementIterator elements = ElementIterator.Of<TInput>(input)) {
            return Call(elements, input.Count, init);
        }
    }
}

public sealed partial class ArgReduce<T> {
    /// <summary>Finds the element of an array on the host.</summary>
    public Indexed<T> Call(T[] input) {
        using (var elements = new PinnedValue<T>(input)) {
            return OnHost(HostMemory.Of(elements));
        }
    }

    /// <summary>Finds the element on the host.</summary>
    /// <param name="input">Of the kind that it was built for.</param>
    /// <param name="count">How many elements there are.</param>
    public Indexed<T> Call(ElementIterator input, ulong count) {
        const string operation = "finding the extreme element";
        var result = new Indexed<T>[1];
        using (var output = new PinnedValue<Indexed<T>>(result)) {
            CuprumNative.cuprum_parallel_arg_reduce(
                UseOnHost(operation), NativeHandle.None, input.Use(operation, count),
                (ulong)output.Address.ToInt64(), count, 0, 0);
        }
        return result[0];
    }

    private Indexed<T> OnHost(HostMemory input) {
        using (ElementIterator elements = ElementIterator.Of<T>(input)) {
            return Call(elements, input.Count);
        }
    }
}

public sealed partial class Scan<T> {
    /// <summary>Scans an array on the host with an initial value.</summary>
    /// <param name="input">Of the type that it was built for.</param>
    /// <param name="output">Gets as many values; may be the input.</param>
    /// <param name="init">Comes before the elements.</param>
    public void Call<TInput>(TInput[] input, T[] output, T init) where TInput : struct {
        using (var elements = new PinnedValue<TInput>(input))
        using (var results = new PinnedValue<T>(output)) {
            OnHost<TInput>(HostMemory.Of(elements), HostMemory.Of(results), init);
        }
    }

    /// <summary>Scans an array on the host without an initial value: for <see cref="ScanKind.Inclusive"/>.</summary>
    /// <param name="input">Of the type that it was built for.</param>
    /// <param name="output">Gets as many values; may be the input.</param>
    public void Call<TInput>(TInput[] input, T[] output) where TInput : struct {
        using (var elements = new PinnedValue<TInput>(input))
        using (var results = new PinnedValue<T>(output)) {
            OnHost<TInput>(HostMemory.Of(elements), HostMemory.Of(results), null);
        }
    }

    /// <summary>Scans on the host with an initial value.</summary>
    /// <param name="input">Of the kind that it was built for.</param>
    /// <param name="output">Gets as many values as there are elements.</param>
    /// <param name="count">How many elements there are.</param>
    /// <param name="init">Comes before them.</param>
    public void Call(ElementIterator input, T[] output, ulong count, T init) {
        using (var results = new PinnedValue<T>(output)) {
            OnHost(input, HostMemory.Of(results), count, init);
        }
    }

    /// <summary>Scans on the host without an initial value: for <see cref="ScanKind.Inclusive"/>.</summary>
    public void Call(ElementIterator input, T[] output, ulong count) {
        using (var results = new PinnedValue<T>(output)) {
            OnHost(input, HostMemory.Of(results), count, null);
        }
    }

    private void OnHost<TInput>(HostMemory input, HostMemory output, T? init) where TInput : struct {
        using (ElementIterator elements = ElementIterator.Of<TInput>(input)) {
            OnHost(elements, output, input.Count, init);
        }
    }

    private void OnHost(ElementIterator input, HostMemory output, ulong count, T? init) {
        using (var first = new PinnedValue<T>(init ?? default(T))) {
            CuprumNative.cuprum_parallel_scan(
                UseOnHost(Operation), NativeHandle.None, input.Use(Operation, count),
                output.For(Operation, "output", count), count, init == null ? IntPtr.Zero : first.Address,
                init == null ? 0 : first.Size, NativeHandle.None, 0, 0);
        }
    }
}

public sealed partial class Transform<T> {
    private const string Operation = "transforming";

    /// <summary>Transforms one array on the host.</summary>
    /// <param name="input">Of the type that it was built for.</param>
    /// <param name="output">Gets as many values; may be the input.</param>
    public void Call<TInput>(TInput[] input, T[] output) where TInput : struct {
        using (var elements = new PinnedValue<TInput>(input))
        using (var results = new PinnedValue<T>(output)) {
            OnHost<TInput>(HostMemory.Of(elements), HostMemory.Of(results));
        }
    }

    /// <summary>Transforms two arrays on the host.</summary>
    /// <param name="first">Of the type that it was built for.</param>
    /// <param name="second">The same; as many elements.</param>
    /// <param name="output">Gets as many values; may be an input.</param>
    public void Call<T1, T2>(T1[] first, T2[] second, T[] output) where T1 : struct where T2 : struct {
        using (var left = new PinnedValue<T1>(first))
        using (var right = new PinnedValue<T2>(second))
        using (var results = new PinnedValue<T>(output)) {
            OnHost<T1, T2>(HostMemory.Of(left), HostMemory.Of(right), HostMemory.Of(results));
        }
    }

    /// <summary>Transforms one input on the host.</summary>
    /// <param name="input">Of the kind that it was built for.</param>
    /// <param name="output">Gets as many values as there are elements.</param>
    /// <param name="count">How many elements there are.</param>
    public void Call(ElementIterator input, T[] output, ulong count) {
        Call(input, null, output, count);
    }

    /// <summary>Transforms two inputs on the host.</summary>
    /// <param name="first">Of the kind that it was built for.</param>
    /// <param name="second">The same.</param>
    /// <param name="output">Gets as many values as there are pairs.</param>
    /// <param name="count">How many pairs there are.</param>
    public void Call(ElementIterator first, ElementIterator second, T[] output, ulong count) {
        using (var results = new PinnedValue<T>(output)) {
            OnHost(first, second, HostMemory.Of(results), count);
        }
    }

    private void OnHost<TInput>(HostMemory input, HostMemory output) where TInput : struct {
        using (ElementIterator elements = ElementIterator.Of<TInput>(input)) {
            OnHost(elements, null, output, input.Count);
        }
    }

    private void OnHost<T1, T2>(HostMemory first, HostMemory second, HostMemory output)
        where T1 : struct where T2 : struct {
        using (ElementIterator left = ElementIterator.Of<T1>(first))
        using (ElementIterator right = ElementIterator.Of<T2>(second)) {
            OnHost(left, right, output, first.Count);
        }
    }

    private void OnHost(ElementIterator first, ElementIterator second, HostMemory output, ulong count) {
        CuprumNative.cuprum_parallel_transform(
            UseOnHost(Operation), NativeHandle.None, first.Use(Operation, count),
            second == null ? NativeHandle.None : second.Use(Operation, count), output.For(Operation, "output", count),
            count, NativeHandle.None);
    }
}

public sealed partial class SegmentedReduce<T, TOffset> {
    /// <summary>Reduces each segment of an array on the host.</summary>
    /// <param name="input">Of the type that it was built for.</param>
    /// <param name="output">Gets a value for each segment.</param>
    /// <param name="begins">Positions in the input, not checked: one for each segment.</param>
    /// <param name="ends">As many.</param>
    /// <param name="init">Comes before the elements of each.</param>
    public void Call<TInput>(TInput[] input, T[] output, TOffset[] begins, TOffset[] ends, T init)
        where TInput : struct {
        using (var elements = new PinnedValue<TInput>(input)) {
            HostMemory memory = HostMemory.Of(elements);
            using (ElementIterator iterator = ElementIterator.Of<TInput>(memory)) {
                Call(iterator, output, begins, ends, init);
            }
        }
    }

    /// <summary>Reduces each segment on the host.</summary>
    /// <param name="input">Of the kind that it was built for.</param>
    /// <param name="output">Gets a value for each segment.</param>
    /// <param name="begins">Positions in the input, not checked: one for each segment.</param>
    /// <param name="ends">As many.</param>
    /// <param name="init">Comes before the elements of each.</param>
    public void Call(ElementIterator input, T[] output, TOffset[] begins, TOffset[] ends, T init) {
        using (var results = new PinnedValue<T>(output))
        using (var from = new PinnedValue<TOffset>(begins))
        using (var to = new PinnedValue<TOffset>(ends)) {
            OnHost(input, HostMemory.Of(results), HostMemory.Of(from), HostMemory.Of(to), init);
        }
    }

    private void OnHost(ElementIterator input, HostMemory output, HostMemory begins, HostMemory ends, T init) {
        const string operation = "reducing segments";
        ulong segments = begins.Count;
        using (var first = new PinnedValue<T>(init)) {
            CuprumNative.cuprum_parallel_segmented_reduce(
                UseOnHost(operation), NativeHandle.None, input.Use(operation),
                output.For(operation, "output", segments), segments, begins.Address,
                ends.For(operation, "ends", segments), first.Address, first.Size, NativeHandle.None);
        }
    }
}

public sealed partial class RadixSort<TKey> {
    /// <summary>Sorts on the host.</summary>
    /// <param name="keysIn">Are read.</param>
    /// <param name="keysOut">Gets the keys in order; may be those read.</param>
    /// <param name="bits">Are compared; by default all.</param>
    public void Call(TKey[] keysIn, TKey[] keysOut, BitRange bits = default(BitRange)) {
        HostSorts.Run<TKey>(this, keysIn, keysOut, bits);
    }
}

public sealed partial class RadixSort<TKey, TValue> {
    /// <summary>Sorts on the host.</summary>
    /// <param name="keysIn">Are read.</param>
    /// <param name="keysOut">Gets the keys in order; may be those read.</param>
    /// <param name="valuesIn">Are read; as many.</param>
    /// <param name="valuesOut">Gets the values in their keys' order; may be those read.</param>
    /// <param name="bits">Are compared; by default all.</param>
    public void Call(
        TKey[] keysIn, TKey[] keysOut, TValue[] valuesIn, TValue[] valuesOut, BitRange bits = default(BitRange)) {
        HostSorts.Run(this, keysIn, keysOut, valuesIn, valuesOut, bits);
    }
}

public sealed partial class MergeSort<TKey> {
    /// <summary>Sorts on the host.</summary>
    /// <param name="keysIn">Are read.</param>
    /// <param name="keysOut">Gets the keys in order; may be those read.</param>
    public void Call(TKey[] keysIn, TKey[] keysOut) {
        HostSorts.Run<TKey>(this, keysIn, keysOut, default(BitRange));
    }
}

public sealed partial class MergeSort<TKey, TValue> {
    /// <summary>Sorts on the host.</summary>
    /// <param name="keysIn">Are read.</param>
    /// <param name="keysOut">Gets the keys in order; may be those read.</param>
    /// <param name="valuesIn">Are read; as many.</param>
    /// <param name="valuesOut">Gets the values in their keys' order; may be those read.</param>
    public void Call(TKey[] keysIn, TKey[] keysOut, TValue[] valuesIn, TValue[] valuesOut) {
        HostSorts.Run(this, keysIn, keysOut, valuesIn, valuesOut, default(BitRange));
    }
}

/// <summary>Radix and merge sorts on the host.</summary>
internal static class HostSorts {
    private const string Operation = "sorting";

    public static void Run<TKey>(Algorithm algorithm, TKey[] keysIn, TKey[] keysOut, BitRange bits)
        where TKey : struct {
        using (var source = new PinnedValue<TKey>(keysIn))
        using (var target = new PinnedValue<TKey>(keysOut)) {
            Run(algorithm, HostMemory.Of(source), HostMemory.Of(target), bits);
        }
    }

    public static void Run<TKey, TValue>(
        Algorithm algorithm, TKey[] keysIn, TKey[] keysOut, TValue[] valuesIn, TValue[] valuesOut, BitRange bits)
        where TKey : struct where TValue : struct {
        using (var source = new PinnedValue<TKey>(keysIn))
        using (var target = new PinnedValue<TKey>(keysOut))
        using (var valueSource = new PinnedValue<TValue>(valuesIn))
        using (var valueTarget = new PinnedValue<TValue>(valuesOut)) {
            Run(algorithm, HostMemory.Of(source), HostMemory.Of(target), HostMemory.Of(valueSource),
                HostMemory.Of(valueTarget), bits);
        }
    }

    public static void Run(Algorithm algorithm, HostMemory keysIn, HostMemory keysOut, BitRange bits) {
        CuprumNative.cuprum_parallel_sort(
            algorithm.UseOnHost(Operation), NativeHandle.None, keysIn.Address,
            keysOut.For(Operation, "keysOut", keysIn.Count), 0, 0, keysIn.Count, bits.Begin, bits.End,
            NativeHandle.None, 0, 0);
    }

    public static void Run(
        Algorithm algorithm, HostMemory keysIn, HostMemory keysOut, HostMemory valuesIn, HostMemory valuesOut,
        BitRange bits) {
        ulong count = keysIn.Count;
        CuprumNative.cuprum_parallel_sort(
            algorithm.UseOnHost(Operation), NativeHandle.None, keysIn.Address, keysOut.For(Operation, "keysOut", count),
            valuesIn.For(Operation, "valuesIn", count), valuesOut.For(Operation, "valuesOut", count), count, bits.Begin,
            bits.End, NativeHandle.None, 0, 0);
    }
}

}
