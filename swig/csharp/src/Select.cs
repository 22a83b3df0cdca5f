using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// The elements of which a condition is true, in their order, and how many there are; T is their type. For devices: on
/// the host there are no conditions of one's own.
/// </summary>
public sealed class Select<T> : Algorithm where T : struct {
    /// <summary>Builds it; the input's kind and type, T, are compiled in.</summary>
    public Select(BuildTarget target, ElementIterator input, Operator condition)
        : base(target, (device, architectures) => {
            const string operation = "building a selection";
            input.RequireType<T>(operation);
            IntPtr built;
            CuprumNative.cuprum_parallel_select_build(
                out built, device, architectures, input.Use(operation), condition.Use(operation));
            return built;
        }) {}

    /// <summary>Selects.</summary>
    /// <param name="stream">Where it takes its turn.</param>
    /// <param name="input">Of the kind that it was built for.</param>
    /// <param name="output">Has room for all elements, and gets the selected ones; may not overlap the input.</param>
    /// <param name="selectedCount">Gets how many they are, as a ulong.</param>
    /// <param name="count">How many elements there are.</param>
    /// <param name="op">The condition with the state of this call; null for the one it was built with.</param>
    /// <param name="tempStorage">At least TempStorageBytes; null for the device's stream-ordered pool.</param>
    public void Call(
        Stream stream, ElementIterator input, Buffer output, Buffer selectedCount, ulong count, Operator op = null,
        Buffer tempStorage = null) {
        const string operation = "selecting";
        var storage = new TempStorage(tempStorage);
        CuprumNative.cuprum_parallel_select(
            Use(operation), stream.Use(operation), input.UseOnDevice(operation, count),
            AddressOf<T>(operation, "output", output, count),
            AddressOf<ulong>(operation, "selectedCount", selectedCount, 1), count, Use(op, operation), storage.Address,
            storage.Size);
    }
}

}
