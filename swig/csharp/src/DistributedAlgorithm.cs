using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>An algorithm over several devices, compiled for a communicator, types and an operator:
/// <see cref="Distributed"/>.</summary>
public abstract class DistributedAlgorithm : IDisposable {
    /// <summary>A build function of the C ABI.</summary>
    internal delegate IntPtr Build(NativeHandle ranks, string operation);

    private readonly NativeHandle handle;

    internal DistributedAlgorithm(Communicator communicator, string operation, Build build) {
        NativeHandle ranks = Require.NotNull(communicator, nameof(communicator)).Use(operation);
        handle = new NativeHandle(build(ranks, operation), CuprumNative.cuprum_release_distributed_algorithm);
    }

    /// <summary>May be called more than once.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

}
