using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// A reduction, op(...op(init, x0)..., xn-1), in any order of evaluation; T is the type of the initial value and of the
/// result. A transform iterator as input makes it a transform-reduction. Of no elements the result is the initial value.
/// </summary>
public sealed partial class Reduce<T> : Algorithm where T : struct {
    /// <summary>Builds it; the input's kind and type are compiled in.</summary>
    public Reduce(BuildTarget target, ElementIterator input, Operator op) : base(target, (device, architectures) => {
        const string operation = "building a reduction";
        IntPtr built;
        CuprumNative.cuprum_parallel_reduce_build(
            out built, device, architectures, input.Use(operation), op.Use(operation), ElementText<T>.Value);
        return built;
    }) {}

    /// <summary>Reduces.</summary>
    /// <param name="stream">Where it takes its turn.</param>
    /// <param name="input">Of the kind that it was built for.</param>
    /// <param name="output">Gets one value.</param>
    /// <param name="count">How many elements there are.</param>
    /// <param name="init">Comes before them.</param>
    /// <param name="op">The operator with the state of this call; null for the one it was built with.</param>
    /// <param name="tempStorage">At least TempStorageBytes; null for the device's stream-ordered pool.</param>
    public void Call(
        Stream stream, ElementIterator input, Buffer output, ulong count, T init, Operator op = null,
        Buffer tempStorage = null) {
        const string operation = "reducing";
        var storage = new TempStorage(tempStorage);
        using (var memory = new PinnedValue<T>(init)) {
            CuprumNative.cuprum_parallel_reduce(
                Use(operation), stream.Use(operation), input.UseOnDevice(operation, count),
                AddressOf<T>(operation, "output", output, 1), count, memory.Address, memory.Size, Use(op, operation),
                storage.Address, storage.Size);
        }
    }
}

}
