namespace Cuprum {

/// <summary>Where an algorithm runs that is built for no device.</summary>
public static class Execution {
    /// <summary>CUPRUM_DEVICE_HOST.</summary>
    internal const int NativeHost = -1;

    /// <summary>
    /// The host's own cores, over arrays and spans: no driver and no compiler take part.
    /// </summary>
    /// <remarks>
    /// There are numbers, bool and complex numbers, well-known operators (<see cref="OpKind"/>), and iterators of them;
    /// anything else is an <see cref="UnsupportedException"/> when it is built. Calls take no stream, are done when they
    /// return, and may be made by several threads at once. The environment's OMP_NUM_THREADS limits the threads.
    /// </remarks>
    public static BuildTarget Host { get; } = BuildTarget.OfHost();
}

}
