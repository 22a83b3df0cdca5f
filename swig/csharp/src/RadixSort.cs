using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>Which bits of the keys a radix sort compares: from Begin up to and without End, 0 being the lowest.</summary>
public struct BitRange {
    /// <summary>At least one bit.</summary>
    public BitRange(int begin, int end) {
        if (begin < 0 || end <= begin) {
            throw new ArgumentException("the bits from " + begin + " to " + end + " compare nothing");
        }
        Begin = begin;
        End = end;
    }

    /// <summary>The first one.</summary>
    public int Begin { get; }
    /// <summary>The one after the last; 0 in the default, which is all bits.</summary>
    public int End { get; }
}

/// <summary>
/// A stable sort by the bits of the keys, which are numbers. Of floating-point keys -0 and +0 are equal; NaNs with the
/// sign bit set come first of all, other NaNs last (in descending order the other way round). The input is left as it
/// is, and the output may not overlap it.
/// </summary>
public sealed partial class RadixSort<TKey> : Algorithm where TKey : struct {
    /// <summary>Builds a sort of keys alone.</summary>
    public RadixSort(BuildTarget target, SortOrder order)
        : base(target, (device, architectures) =>
            Sorts.BuildRadix(device, architectures, order, ElementText<TKey>.Value, null)) {}

    /// <summary>Sorts.</summary>
    /// <param name="stream">Where it takes its turn.</param>
    /// <param name="keysIn">Are read.</param>
    /// <param name="keysOut">Gets the keys in order.</param>
    /// <param name="count">How many keys there are.</param>
    /// <param name="bits">Are compared; by default all.</param>
    /// <param name="tempStorage">At least TempStorageBytes; null for the device's stream-ordered pool.</param>
    public void Call(
        Stream stream, Buffer keysIn, Buffer keysOut, ulong count, BitRange bits = default(BitRange),
        Buffer tempStorage = null) {
        Sorts.Run<TKey, byte>(this, stream, keysIn, keysOut, null, null, count, bits, null, tempStorage);
    }
}

/// <summary>The same with values, which move with their keys.</summary>
public sealed partial class RadixSort<TKey, TValue> : Algorithm where TKey : struct where TValue : struct {
    /// <summary>Builds a sort of keys with values.</summary>
    public RadixSort(BuildTarget target, SortOrder order)
        : base(target, (device, architectures) =>
            Sorts.BuildRadix(device, architectures, order, ElementText<TKey>.Value, ElementText<TValue>.Value)) {}

    /// <summary>Sorts.</summary>
    /// <param name="stream">Where it takes its turn.</param>
    /// <param name="keysIn">Are read.</param>
    /// <param name="keysOut">Gets the keys in order.</param>
    /// <param name="valuesIn">Are read.</param>
    /// <param name="valuesOut">Gets the values in their keys' order.</param>
    /// <param name="count">How many keys there are.</param>
    /// <param name="bits">Are compared; by default all.</param>
    /// <param name="tempStorage">At least TempStorageBytes; null for the device's stream-ordered pool.</param>
    public void Call(
        Stream stream, Buffer keysIn, Buffer keysOut, Buffer valuesIn, Buffer valuesOut, ulong count,
        BitRange bits = default(BitRange), Buffer tempStorage = null) {
        Sorts.RequireValues(valuesIn, valuesOut);
        Sorts.Run<TKey, TValue>(
            this, stream, keysIn, keysOut, valuesIn, valuesOut, count, bits, null, tempStorage);
    }
}

/// <summary>What the sorts have in common.</summary>
internal static class Sorts {
    private const string Operation = "sorting";

    public static IntPtr BuildRadix(int device, string architectures, SortOrder order, string keys, string values) {
        IntPtr built;
        CuprumNative.cuprum_parallel_radix_sort_build(out built, device, architectures, (int)order, keys, values);
        return built;
    }

    public static IntPtr BuildMerge(int device, string architectures, Operator compare, string keys, string values) {
        IntPtr built;
        CuprumNative.cuprum_parallel_merge_sort_build(
            out built, device, architectures, compare.Use("building a merge sort"), keys, values);
        return built;
    }

    public static void RequireValues(Buffer valuesIn, Buffer valuesOut) {
        if (valuesIn == null || valuesOut == null) {
            throw Errors.InvalidArgument("values", Operation, "are null, and the sort was built with values");
        }
    }

    /// <summary>Values are null in a sort of keys alone.</summary>
    public static void Run<TKey, TValue>(
        Algorithm algorithm, Stream stream, Buffer keysIn, Buffer keysOut, Buffer valuesIn, Buffer valuesOut,
        ulong count, BitRange bits, Operator op, Buffer tempStorage) where TKey : struct where TValue : struct {
        var storage = new TempStorage(tempStorage);
        CuprumNative.cuprum_parallel_sort(
            algorithm.Use(Operation), stream.Use(Operation),
            Algorithm.AddressOf<TKey>(Operation, "keysIn", keysIn, count),
            Algorithm.AddressOf<TKey>(Operation, "keysOut", keysOut, count),
            valuesIn == null ? 0 : Algorithm.AddressOf<TValue>(Operation, "valuesIn", valuesIn, count),
            valuesOut == null ? 0 : Algorithm.AddressOf<TValue>(Operation, "valuesOut", valuesOut, count), count,
            bits.Begin, bits.End, Algorithm.Use(op, Operation), storage.Address, storage.Size);
    }
}

}
