using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// Prefix sums over any associative operator; T is the type of the initial value and of the results. The output may be
/// the input's own memory where the types are the same.
/// </summary>
public sealed partial class Scan<T> : Algorithm where T : struct {
    private const string Operation = "scanning";

    /// <summary>Builds it; the input's kind and type are compiled in.</summary>
    public Scan(BuildTarget target, ScanKind kind, ElementIterator input, Operator op)
        : base(target, (device, architectures) => {
            const string operation = "building a scan";
            IntPtr built;
            CuprumNative.cuprum_parallel_scan_build(
                out built, device, architectures, (int)kind, input.Use(operation), op.Use(operation),
                ElementText<T>.Value);
            return built;
        }) {}

    /// <summary>Scans with an initial value.</summary>
    /// <param name="stream">Where it takes its turn.</param>
    /// <param name="input">Of the kind that it was built for.</param>
    /// <param name="output">Gets as many values as there are elements.</param>
    /// <param name="count">How many elements there are.</param>
    /// <param name="init">Comes before them.</param>
    /// <param name="op">The operator with the state of this call; null for the one it was built with.</param>
    /// <param name="tempStorage">At least TempStorageBytes; null for the device's stream-ordered pool.</param>
    public void Call(
        Stream stream, ElementIterator input, Buffer output, ulong count, T init, Operator op = null,
        Buffer tempStorage = null) {
        using (var memory = new PinnedValue<T>(init)) {
            Call(stream, input, output, count, memory.Address, memory.Size, op, tempStorage);
        }
    }

    /// <summary>Scans without an initial value: for <see cref="ScanKind.Inclusive"/>.</summary>
    public void Call(
        Stream stream, ElementIterator input, Buffer output, ulong count, Operator op = null,
        Buffer tempStorage = null) {
        Call(stream, input, output, count, IntPtr.Zero, 0, op, tempStorage);
    }

    private void Call(
        Stream stream, ElementIterator input, Buffer output, ulong count, IntPtr init, ulong initSize, Operator op,
        Buffer tempStorage) {
        var storage = new TempStorage(tempStorage);
        CuprumNative.cuprum_parallel_scan(
            Use(Operation), stream.Use(Operation), input.UseOnDevice(Operation, count),
            AddressOf<T>(Operation, "output", output, count), count, init, initSize, Use(op, Operation),
            storage.Address, storage.Size);
    }
}

}
