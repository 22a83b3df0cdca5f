using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>An element with its position.</summary>
public struct Indexed<T> where T : struct {
    /// <summary>-1 where there is none.</summary>
    public long Index;
    /// <summary>0 where there is none.</summary>
    public T Value;
}

/// <summary>
/// The first of the smallest or largest elements, and where it is. Of floating-point elements a NaN counts as the
/// extreme: the first NaN is the answer where there is one.
/// </summary>
public sealed partial class ArgReduce<T> : Algorithm where T : struct {
    /// <summary>Builds it; the input's kind and type, T, are compiled in.</summary>
    public ArgReduce(BuildTarget target, ArgKind kind, ElementIterator input)
        : base(target, (device, architectures) => {
            const string operation = "building an arg-reduction";
            input.RequireType<T>(operation);
            IntPtr built;
            CuprumNative.cuprum_parallel_arg_reduce_build(
                out built, device, architectures, (int)kind, input.Use(operation));
            return built;
        }) {}

    /// <summary>Finds the element.</summary>
    /// <param name="stream">Where it takes its turn.</param>
    /// <param name="input">Of the kind that it was built for.</param>
    /// <param name="output">Gets one <see cref="Indexed{T}"/>.</param>
    /// <param name="count">How many elements there are.</param>
    /// <param name="tempStorage">At least TempStorageBytes; null for the device's stream-ordered pool.</param>
    public void Call(Stream stream, ElementIterator input, Buffer output, ulong count, Buffer tempStorage = null) {
        const string operation = "finding the extreme element";
        var storage = new TempStorage(tempStorage);
        CuprumNative.cuprum_parallel_arg_reduce(
            Use(operation), stream.Use(operation), input.UseOnDevice(operation, count),
            AddressOf<Indexed<T>>(operation, "output", output, 1), count, storage.Address, storage.Size);
    }
}

}
