using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>An algorithm over host memory in pieces, compiled for a device, types and an operator:
/// <see cref="OutOfCore"/>.</summary>
public abstract class OutOfCoreAlgorithm : IDisposable {
    /// <summary>A build function of the C ABI.</summary>
    internal delegate IntPtr Build(int device, ulong limit, NativeHandle resource, string operation);

    private readonly NativeHandle handle;

    internal OutOfCoreAlgorithm(DeviceMemory memory, string operation, Build build) {
        Require.NotNull(memory, nameof(memory));
        NativeHandle resource = memory.Resource == null ? NativeHandle.None : memory.Resource.Use(operation);
        handle = new NativeHandle(build(memory.Device.DeviceId, memory.Limit, resource, operation),
            CuprumNative.cuprum_release_out_of_core_algorithm);
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
