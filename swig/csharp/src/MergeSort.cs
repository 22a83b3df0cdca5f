namespace Cuprum {

/// <summary>
/// A stable sort by a comparison, whether <c>a</c> comes before <c>b</c>: a strict weak ordering, in which NaNs need a
/// place. The output may be the input's own memory, and may not overlap it otherwise.
/// </summary>
public sealed partial class MergeSort<TKey> : Algorithm where TKey : struct {
    /// <summary>Builds a sort of keys alone.</summary>
    public MergeSort(BuildTarget target, Operator compare)
        : base(target, (device, architectures) =>
            Sorts.BuildMerge(device, architectures, compare, ElementText<TKey>.Value, null)) {}

    /// <summary>Sorts.</summary>
    /// <param name="stream">Where it takes its turn.</param>
    /// <param name="keysIn">Are read.</param>
    /// <param name="keysOut">Gets the keys in order.</param>
    /// <param name="count">How many keys there are.</param>
    /// <param name="op">The comparison with the state of this call; null for the one it was built with.</param>
    /// <param name="tempStorage">At least TempStorageBytes; null for the device's stream-ordered pool.</param>
    public void Call(
        Stream stream, Buffer keysIn, Buffer keysOut, ulong count, Operator op = null, Buffer tempStorage = null) {
        Sorts.Run<TKey, byte>(
            this, stream, keysIn, keysOut, null, null, count, default(BitRange), op, tempStorage);
    }
}

/// <summary>The same with values, which move with their keys.</summary>
public sealed partial class MergeSort<TKey, TValue> : Algorithm where TKey : struct where TValue : struct {
    /// <summary>Builds a sort of keys with values.</summary>
    public MergeSort(BuildTarget target, Operator compare)
        : base(target, (device, architectures) =>
            Sorts.BuildMerge(device, architectures, compare, ElementText<TKey>.Value, ElementText<TValue>.Value)) {}

    /// <summary>Sorts.</summary>
    /// <param name="stream">Where it takes its turn.</param>
    /// <param name="keysIn">Are read.</param>
    /// <param name="keysOut">Gets the keys in order.</param>
    /// <param name="valuesIn">Are read.</param>
    /// <param name="valuesOut">Gets the values in their keys' order.</param>
    /// <param name="count">How many keys there are.</param>
    /// <param name="op">The comparison with the state of this call; null for the one it was built with.</param>
    /// <param name="tempStorage">At least TempStorageBytes; null for the device's stream-ordered pool.</param>
    public void Call(
        Stream stream, Buffer keysIn, Buffer keysOut, Buffer valuesIn, Buffer valuesOut, ulong count,
        Operator op = null, Buffer tempStorage = null) {
        Sorts.RequireValues(valuesIn, valuesOut);
        Sorts.Run<TKey, TValue>(
            this, stream, keysIn, keysOut, valuesIn, valuesOut, count, default(BitRange), op, tempStorage);
    }
}

}
