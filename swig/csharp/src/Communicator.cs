using System;
using System.Collections.Generic;
using System.Linq;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// Devices of this process, each a rank with a stream of its own, over which the algorithms of <see cref="Distributed"/>
/// work. Calls of several threads share the streams.
/// </summary>
/// <remarks>
/// Bytes go from device to device by the driver's copies, directly where it offers peer access (over NVLink where there is
/// some), otherwise through host memory. Peer access is enabled when the communicator is made, and stays. Algorithms that
/// were built for it, and streams that it has given, go on after it is disposed of.
/// </remarks>
public sealed partial class Communicator : IDisposable {
    private readonly NativeHandle handle;

    /// <summary>All devices, in the order of their ordinals.</summary>
    public Communicator() : this(Cuprum.Device.GetAllDevices()) {}

    /// <summary>Rank r is the device at place r.</summary>
    /// <param name="devices">At least one, each once.</param>
    /// <exception cref="InvalidArgumentException">There is none, or one is named twice.</exception>
    public Communicator(IEnumerable<Device> devices) {
        int[] ordinals = Require.NotNull(devices, nameof(devices))
            .Select(each => Require.NotNull(each, nameof(devices)).DeviceId).ToArray();
        IntPtr communicator;
        using (var memory = new PinnedValue<int>(ordinals)) {
            CuprumNative.cuprum_communicator_create(out communicator, memory.Address, memory.Size);
        }
        handle = new NativeHandle(communicator, CuprumNative.cuprum_release_communicator);
    }

    /// <summary>The stream of a rank; the caller disposes of it, which leaves the rank's own alone. What algorithms read
    /// must be written in its order: put the work that writes it there, or let it wait for that.</summary>
    /// <param name="rank">From 0 on.</param>
    /// <exception cref="InvalidArgumentException">There is no such rank.</exception>
    public Stream Stream(uint rank) {
        IntPtr stream;
        CuprumNative.cuprum_communicator_stream(out stream, Use(Operations.CommunicatorStream), rank);
        return new Stream(stream);
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
