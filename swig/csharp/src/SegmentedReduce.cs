using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// One reduction per segment of the input: segment i is the elements from begin i up to and without end i. Segments may
/// overlap, leave gaps and be empty. T is the type of the initial value and of the results, TOffset that of the begins
/// and ends: int or long. Needs no temporary storage.
/// </summary>
public sealed partial class SegmentedReduce<T, TOffset> : Algorithm where T : struct where TOffset : struct {
    /// <summary>Builds it; the input's kind and type are compiled in.</summary>
    public SegmentedReduce(BuildTarget target, ElementIterator input, Operator op)
        : base(target, (device, architectures) => {
            const string operation = "building a segmented reduction";
            IntPtr built;
            CuprumNative.cuprum_parallel_segmented_reduce_build(
                out built, device, architectures, input.Use(operation), op.Use(operation), ElementText<T>.Value,
                ElementText<TOffset>.Value);
            return built;
        }) {}

    /// <summary>Reduces each segment.</summary>
    /// <param name="stream">Where it takes its turn.</param>
    /// <param name="input">Of the kind that it was built for.</param>
    /// <param name="output">Gets as many values as there are segments.</param>
    /// <param name="segments">How many there are.</param>
    /// <param name="begins">Positions in the input; not checked, as they are on the device.</param>
    /// <param name="ends">The same.</param>
    /// <param name="init">Comes before the elements of each.</param>
    /// <param name="op">The operator with the state of this call; null for the one it was built with.</param>
    public void Call(
        Stream stream, ElementIterator input, Buffer output, ulong segments, Buffer begins, Buffer ends, T init,
        Operator op = null) {
        const string operation = "reducing segments";
        using (var memory = new PinnedValue<T>(init)) {
            CuprumNative.cuprum_parallel_segmented_reduce(
                Use(operation), stream.Use(operation), input.UseOnDevice(operation, 0),
                AddressOf<T>(operation, "output", output, segments), segments,
                AddressOf<TOffset>(operation, "begins", begins, segments),
                AddressOf<TOffset>(operation, "ends", ends, segments), memory.Address, memory.Size, Use(op, operation));
        }
    }
}

}
