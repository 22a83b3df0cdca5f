using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// op(x) of every element, or op(x, y) of every pair of elements; T is the type of the results. The output may be an
/// input's own memory where the types are the same. Needs no temporary storage.
/// </summary>
public sealed partial class Transform<T> : Algorithm where T : struct {
    /// <summary>Builds op(x); the input's kind and type are compiled in.</summary>
    public Transform(BuildTarget target, ElementIterator input, Operator op) : this(target, input, null, op) {}

    /// <summary>Builds op(x, y); the inputs' kinds and types are compiled in.</summary>
    public Transform(BuildTarget target, ElementIterator first, ElementIterator second, Operator op)
        : base(target, (device, architectures) => {
            const string operation = "building a transformation";
            IntPtr built;
            CuprumNative.cuprum_parallel_transform_build(
                out built, device, architectures, first.Use(operation),
                second == null ? NativeHandle.None : second.Use(operation), op.Use(operation), ElementText<T>.Value);
            return built;
        }) {}

    /// <summary>Transforms one input.</summary>
    /// <param name="stream">Where it takes its turn.</param>
    /// <param name="input">Of the kind that it was built for.</param>
    /// <param name="output">Gets as many values as there are elements.</param>
    /// <param name="count">How many elements there are.</param>
    /// <param name="op">The operator with the state of this call; null for the one it was built with.</param>
    public void Call(Stream stream, ElementIterator input, Buffer output, ulong count, Operator op = null) {
        Call(stream, input, null, output, count, op);
    }

    /// <summary>Transforms two inputs.</summary>
    /// <param name="stream">Where it takes its turn.</param>
    /// <param name="first">Of the kind that it was built for.</param>
    /// <param name="second">The same.</param>
    /// <param name="output">Gets as many values as there are pairs.</param>
    /// <param name="count">How many pairs there are.</param>
    /// <param name="op">The operator with the state of this call; null for the one it was built with.</param>
    public void Call(
        Stream stream, ElementIterator first, ElementIterator second, Buffer output, ulong count, Operator op = null) {
        CuprumNative.cuprum_parallel_transform(
            Use(Operation), stream.Use(Operation), first.UseOnDevice(Operation, count),
            second == null ? NativeHandle.None : second.UseOnDevice(Operation, count),
            AddressOf<T>(Operation, "output", output, count), count, Use(op, Operation));
    }
}

}
