using System;
using System.Collections.Generic;
using System.Linq;
using Cuprum.Native;

namespace Cuprum {

/// <summary>An algorithm over host memory in pieces, compiled for one device or several, types and an operator:
/// <see cref="OutOfCore"/>.</summary>
public abstract class OutOfCoreAlgorithm : IDisposable {
    /// <summary>A build function of the C ABI.</summary>
    internal delegate IntPtr Build(IntPtr memory, ulong memorySize, string operation);

    private readonly NativeHandle handle;

    internal OutOfCoreAlgorithm(DeviceMemory memory, string operation, Build build)
        : this(new[] { memory }, operation, build) {}

    internal OutOfCoreAlgorithm(IEnumerable<DeviceMemory> memory, string operation, Build build) {
        DeviceMemory[] devices = Require.NotNull(memory, nameof(memory))
            .Select(each => Require.NotNull(each, nameof(memory))).ToArray();
        using (var packed = new PinnedValue<ulong>(devices.SelectMany(each => Pack(each, operation)).ToArray())) {
            handle = new NativeHandle(build(packed.Address, packed.Size, operation),
                CuprumNative.cuprum_release_out_of_core_algorithm);
        }
        GC.KeepAlive(devices);
    }

    /// <summary>The words of C's cuprum_device_memory, of little-endian processors.</summary>
    private static ulong[] Pack(DeviceMemory memory, string operation) {
        ulong resource = memory.Resource == null ? 0 : memory.Resource.Use(operation).Value;
        return new[] { (ulong)(uint)memory.Device.DeviceId, memory.Limit, resource };
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
