// Calls on the host (Execution.Host) over spans, in place, where the platform has Span<T>: see BufferSpans.cs.
#if NETSTANDARD2_1_OR_GREATER || NETCOREAPP || CUPRUM_SPAN
using System;
using System.Runtime.InteropServices;

namespace Cuprum {

public sealed partial class Reduce<T> {
    /// <summary>Reduces a span on the host.</summary>
    /// <param name="input">Of the type that it was built for.</param>
    /// <param name="init">Comes before the elements.</param>
    public unsafe T Call<TInput>(ReadOnlySpan<TInput> input, T init) where TInput : struct {
        fixed (byte* start = &HostSpan.Start(input)) {
            return OnHost<TInput>(new HostMemory((IntPtr)start, (ulong)input.Length), init);
        }
    }
}

public sealed partial class ArgReduce<T> {
    /// <summary>Finds the element of a span on the host.</summary>
    public unsafe Indexed<T> Call(ReadOnlySpan<T> input) {
        fixed (byte* start = &HostSpan.Start(input)) {
            return OnHost(new HostMemory((IntPtr)start, (ulong)input.Length));
        }
    }
}

public sealed partial class Scan<T> {
    /// <summary>Scans a span on the host with an initial value.</summary>
    /// <param name="input">Of the type that it was built for.</param>
    /// <param name="output">Gets as many values; may be the input.</param>
    /// <param name="init">Comes before the elements.</param>
    public void Call<TInput>(ReadOnlySpan<TInput> input, Span<T> output, T init) where TInput : struct {
        OnHost(input, output, init);
    }

    /// <summary>Scans a span on the host without an initial value: for <see cref="ScanKind.Inclusive"/>.</summary>
    /// <param name="input">Of the type that it was built for.</param>
    /// <param name="output">Gets as many values; may be the input.</param>
    public void Call<TInput>(ReadOnlySpan<TInput> input, Span<T> output) where TInput : struct {
        OnHost(input, output, null);
    }

    private unsafe void OnHost<TInput>(ReadOnlySpan<TInput> input, Span<T> output, T? init) where TInput : struct {
        fixed (byte* start = &HostSpan.Start(input), target = &HostSpan.Start<T>(output)) {
            OnHost<TInput>(
                new HostMemory((IntPtr)start, (ulong)input.Length),
                new HostMemory((IntPtr)target, (ulong)output.Length), init);
        }
    }
}

public sealed partial class Transform<T> {
    /// <summary>Transforms one span on the host.</summary>
    /// <param name="input">Of the type that it was built for.</param>
    /// <param name="output">Gets as many values; may be the input.</param>
    public unsafe void Call<TInput>(ReadOnlySpan<TInput> input, Span<T> output) where TInput : struct {
        fixed (byte* start = &HostSpan.Start(input), target = &HostSpan.Start<T>(output)) {
            OnHost<TInput>(
                new HostMemory((IntPtr)start, (ulong)input.Length),
                new HostMemory((IntPtr)target, (ulong)output.Length));
        }
    }

    /// <summary>Transforms two spans on the host.</summary>
    /// <param name="first">Of the type that it was built for.</param>
    /// <param name="second">The same; as many elements.</param>
    /// <param name="output">Gets as many values; may be an input.</param>
    public unsafe void Call<T1, T2>(ReadOnlySpan<T1> first, ReadOnlySpan<T2> second, Span<T> output)
        where T1 : struct where T2 : struct {
        fixed (byte* left = &HostSpan.Start(first), right = &HostSpan.Start(second),
               target = &HostSpan.Start<T>(output)) {
            OnHost<T1, T2>(
                new HostMemory((IntPtr)left, (ulong)first.Length), new HostMemory((IntPtr)right, (ulong)second.Length),
                new HostMemory((IntPtr)target, (ulong)output.Length));
        }
    }
}

public sealed partial class SegmentedReduce<T, TOffset> {
    /// <summary>Reduces each segment of a span on the host.</summary>
    /// <param name="input">Of the type that it was built for.</param>
    /// <param name="output">Gets a value for each segment.</param>
    /// <param name="begins">Positions in the input, not checked: one for each segment.</param>
    /// <param name="ends">As many.</param>
    /// <param name="init">Comes before the elements of each.</param>
    public unsafe void Call<TInput>(
        ReadOnlySpan<TInput> input, Span<T> output, ReadOnlySpan<TOffset> begins, ReadOnlySpan<TOffset> ends, T init)
        where TInput : struct {
        fixed (byte* start = &HostSpan.Start(input), target = &HostSpan.Start<T>(output),
               from = &HostSpan.Start(begins), to = &HostSpan.Start(ends)) {
            using (ElementIterator elements =
                       ElementIterator.Of<TInput>(new HostMemory((IntPtr)start, (ulong)input.Length))) {
                OnHost(elements, new HostMemory((IntPtr)target, (ulong)output.Length),
                       new HostMemory((IntPtr)from, (ulong)begins.Length),
                       new HostMemory((IntPtr)to, (ulong)ends.Length), init);
            }
        }
    }
}

public sealed partial class RadixSort<TKey> {
    /// <summary>Sorts spans on the host.</summary>
    /// <param name="keysIn">Are read.</param>
    /// <param name="keysOut">Gets the keys in order; may be those read.</param>
    /// <param name="bits">Are compared; by default all.</param>
    public void Call(ReadOnlySpan<TKey> keysIn, Span<TKey> keysOut, BitRange bits = default(BitRange)) {
        HostSpan.Sort(this, keysIn, keysOut, bits);
    }
}

public sealed partial class RadixSort<TKey, TValue> {
    /// <summary>Sorts spans on the host.</summary>
    /// <param name="keysIn">Are read.</param>
    /// <param name="keysOut">Gets the keys in order; may be those read.</param>
    /// <param name="valuesIn">Are read; as many.</param>
    /// <param name="valuesOut">Gets the values in their keys' order; may be those read.</param>
    /// <param name="bits">Are compared; by default all.</param>
    public void Call(
        ReadOnlySpan<TKey> keysIn, Span<TKey> keysOut, ReadOnlySpan<TValue> valuesIn, Span<TValue> valuesOut,
        BitRange bits = default(BitRange)) {
        HostSpan.Sort(this, keysIn, keysOut, valuesIn, valuesOut, bits);
    }
}

public sealed partial class MergeSort<TKey> {
    /// <summary>Sorts spans on the host.</summary>
    /// <param name="keysIn">Are read.</param>
    /// <param name="keysOut">Gets the keys in order; may be those read.</param>
    public void Call(ReadOnlySpan<TKey> keysIn, Span<TKey> keysOut) {
        HostSpan.Sort(this, keysIn, keysOut, default(BitRange));
    }
}

public sealed partial class MergeSort<TKey, TValue> {
    /// <summary>Sorts spans on the host.</summary>
    /// <param name="keysIn">Are read.</param>
    /// <param name="keysOut">Gets the keys in order; may be those read.</param>
    /// <param name="valuesIn">Are read; as many.</param>
    /// <param name="valuesOut">Gets the values in their keys' order; may be those read.</param>
    public void Call(
        ReadOnlySpan<TKey> keysIn, Span<TKey> keysOut, ReadOnlySpan<TValue> valuesIn, Span<TValue> valuesOut) {
        HostSpan.Sort(this, keysIn, keysOut, valuesIn, valuesOut, default(BitRange));
    }
}

internal static unsafe class HostSpan {
    /// <summary>Where it begins, for a `fixed` statement.</summary>
    public static ref byte Start<T>(ReadOnlySpan<T> span) where T : struct {
        return ref MemoryMarshal.GetReference(MemoryMarshal.AsBytes(span));
    }

    public static void Sort<TKey>(Algorithm algorithm, ReadOnlySpan<TKey> keysIn, Span<TKey> keysOut, BitRange bits)
        where TKey : struct {
        fixed (byte* source = &Start(keysIn), target = &Start<TKey>(keysOut)) {
            HostSorts.Run(
                algorithm, new HostMemory((IntPtr)source, (ulong)keysIn.Length),
                new HostMemory((IntPtr)target, (ulong)keysOut.Length), bits);
        }
    }

    public static void Sort<TKey, TValue>(
        Algorithm algorithm, ReadOnlySpan<TKey> keysIn, Span<TKey> keysOut, ReadOnlySpan<TValue> valuesIn,
        Span<TValue> valuesOut, BitRange bits) where TKey : struct where TValue : struct {
        fixed (byte* source = &Start(keysIn), target = &Start<TKey>(keysOut), valueSource = &Start(valuesIn),
               valueTarget = &Start<TValue>(valuesOut)) {
            HostSorts.Run(
                algorithm, new HostMemory((IntPtr)source, (ulong)keysIn.Length),
                new HostMemory((IntPtr)target, (ulong)keysOut.Length),
                new HostMemory((IntPtr)valueSource, (ulong)valuesIn.Length),
                new HostMemory((IntPtr)valueTarget, (ulong)valuesOut.Length), bits);
        }
    }
}

}
#endif
