using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// How far results are the same, bit for bit, of the same elements: they differ where elements are combined in another
/// order and that matters, as in sums of floating-point numbers.
/// </summary>
public enum Determinism {
    /// <summary>As the algorithm gives it.</summary>
    NotGuaranteed = CuprumNative.CUPRUM_DETERMINISM_NOT_GUARANTEED,
    /// <summary>The same from call to call on one device.</summary>
    RunToRun = CuprumNative.CUPRUM_DETERMINISM_RUN_TO_RUN,
    /// <summary>The same on every device.</summary>
    GpuToGpu = CuprumNative.CUPRUM_DETERMINISM_GPU_TO_GPU,
}

/// <summary>
/// Where an algorithm runs, or what it is built for: a <see cref="Device"/>, the host's cores (<see cref="Host"/>), or,
/// ahead of time, architectures (<see cref="AheadOfTime"/>). Immutable.
/// </summary>
public sealed class Execution {
    /// <summary>Where calls without an execution run. Whether the device exists is checked at the call.</summary>
    private static readonly Execution device0 = new Execution(CuprumNative.CUPRUM_EXECUTION_DEVICE, 0, null);

    private Execution(
        int kind, int deviceId, string architectureList, Determinism determinism = Determinism.NotGuaranteed) {
        Kind = kind;
        DeviceId = deviceId;
        ArchitectureList = architectureList;
        Determinism = determinism;
    }

    /// <summary>The host's cores, over arrays and spans: needs neither a driver nor a compiler.</summary>
    /// <remarks>
    /// Elements are numbers, bool and complex numbers; structs are only values that move with sorted keys. Operators are
    /// well-known ones (<see cref="OpKind"/>), by name or spelled out ("a + b"), and iterators are those of such elements
    /// and operators. Anything else is an <see cref="UnsupportedException"/>. Calls take no stream, are done when they
    /// return, and may be made by several threads at once. Sums of floating-point numbers are evaluated in an order that
    /// depends on the number of elements and of threads; the environment's OMP_NUM_THREADS limits these.
    /// </remarks>
    public static Execution Host { get; } = new Execution(CuprumNative.CUPRUM_EXECUTION_HOST, 0, null);

    /// <summary>Architectures, without a device: what is built for them can be saved, but not called.</summary>
    /// <param name="architectures">At least one; "sm_90" gives machine code for that one, "compute_80" PTX for it, all
    /// later ones and the simulator.</param>
    public static Execution AheadOfTime(params string[] architectures) {
        if (architectures.Length == 0) {
            throw new ArgumentException(
                "expected at least one architecture, such as \"sm_90\"", nameof(architectures));
        }
        return new Execution(CuprumNative.CUPRUM_EXECUTION_AHEAD_OF_TIME, 0, string.Join(",", architectures));
    }

    /// <summary>A device.</summary>
    public static implicit operator Execution(Device device) {
        return new Execution(
            CuprumNative.CUPRUM_EXECUTION_DEVICE, Cuprum.Require.NotNull(device, nameof(device)).DeviceId, null);
    }

    /// <summary>
    /// The same with a requirement on the results: an algorithm that cannot keep it is an
    /// <see cref="UnsupportedException"/> when it is built. Integers, and what does not combine elements, keep every one;
    /// of a reduction of other elements GpuToGpu costs some speed.
    /// </summary>
    public Execution Require(Determinism determinism) {
        return new Execution(Kind, DeviceId, ArchitectureList, determinism);
    }

    /// <summary>A device, as the conversion has it: to require something of its results.</summary>
    public static Execution On(Device device) {
        return device;
    }

    /// <summary>What is required of results.</summary>
    public Determinism Determinism { get; }

    internal static Execution OrDevice0(Execution execution) {
        return execution ?? device0;
    }

    /// <summary>CUPRUM_EXECUTION_*</summary>
    internal int Kind { get; }

    internal int DeviceId { get; }

    /// <summary>The architectures, joined by commas, if ahead of time; else null.</summary>
    internal string ArchitectureList { get; }

    internal bool IsHost { get { return Kind == CuprumNative.CUPRUM_EXECUTION_HOST; } }
}

}
