using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// Devices, each a rank with a stream of its own, over which the algorithms of <see cref="Distributed"/> work. Calls of
/// several threads share the streams.
/// </summary>
/// <remarks>
/// <para>All ranks are devices of this process, or each process has one of them. There, all processes make the same calls,
/// in one order, each with a list of one shard, that of its own rank. A call whose types, operator or other values are not
/// the same on all ranks is an <see cref="InvalidArgumentException"/> in all processes, and one that a rank refuses an
/// <see cref="InvalidStateException"/> in the others. A rank that fails later, or dies, ends the call of the others with a
/// <see cref="DriverException"/> of <see cref="ErrorDomain.Nccl"/>, at the latest after the timeout; their memory is freed,
/// and the communicator can only be disposed of then.</para>
/// <para>Bytes go from device to device by the driver's copies, or by NCCL, which is opened when it is first asked for. By
/// the driver they go directly where it offers peer access (over NVLink where there is some), otherwise through host memory.
/// Peer access is enabled when the communicator is made, and stays. Algorithms that were built for it, and streams that it
/// has given, go on after it is disposed of.</para>
/// </remarks>
public sealed partial class Communicator : IDisposable {
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int BroadcastFunction(IntPtr userData, IntPtr bytes, ulong size);

    private readonly NativeHandle handle;

    /// <summary>All devices, in the order of their ordinals.</summary>
    public Communicator() : this(Cuprum.Device.GetAllDevices()) {}

    /// <summary>Rank r is the device at place r.</summary>
    /// <param name="devices">At least one, each once.</param>
    /// <exception cref="InvalidArgumentException">There is none, or one is named twice.</exception>
    public Communicator(IEnumerable<Device> devices) : this(Create(devices, null)) {}

    /// <summary>The same over NCCL.</summary>
    /// <param name="devices">At least one, each once.</param>
    /// <param name="options">How.</param>
    /// <exception cref="InvalidArgumentException">There is none, or one is named twice.</exception>
    /// <exception cref="NotFoundException">There is no NCCL.</exception>
    /// <exception cref="UnsupportedException">NCCL is older than 2.14.</exception>
    /// <exception cref="DriverException">NCCL fails.</exception>
    public Communicator(IEnumerable<Device> devices, NcclOptions options)
        : this(Create(devices, Require.NotNull(options, nameof(options)))) {}

    /// <summary>The rank of this process, over NCCL. Returns when all processes have made theirs, or throws, also where some
    /// have not after the timeout. What the broadcast throws is thrown.</summary>
    /// <param name="device">Its device.</param>
    /// <param name="process">Which of the processes it is.</param>
    /// <param name="options">How; null for a minute.</param>
    /// <exception cref="InvalidArgumentException">The rank is not below the number of processes, or there is no broadcast.
    /// </exception>
    /// <exception cref="NotFoundException">There is no NCCL.</exception>
    /// <exception cref="UnsupportedException">NCCL is older than 2.14.</exception>
    /// <exception cref="DriverException">NCCL fails.</exception>
    public Communicator(Device device, DistributedProcess process, NcclOptions options = null)
        : this(Create(Require.NotNull(device, nameof(device)), Require.NotNull(process, nameof(process)),
                      options ?? new NcclOptions())) {}

    private Communicator(IntPtr communicator) {
        handle = new NativeHandle(communicator, CuprumNative.cuprum_release_communicator);
    }

    private static IntPtr Create(IEnumerable<Device> devices, NcclOptions nccl) {
        int[] ordinals = Require.NotNull(devices, nameof(devices))
            .Select(each => Require.NotNull(each, nameof(devices)).DeviceId).ToArray();
        IntPtr communicator;
        using (var memory = new PinnedValue<int>(ordinals)) {
            if (nccl == null) {
                CuprumNative.cuprum_communicator_create(out communicator, memory.Address, memory.Size);
            } else {
                CuprumNative.cuprum_communicator_create_nccl(out communicator, memory.Address, memory.Size,
                                                             NcclOptions.Milliseconds(nccl.Timeout));
            }
        }
        return communicator;
    }

    private static IntPtr Create(Device device, DistributedProcess process, NcclOptions options) {
        ExceptionDispatchInfo thrown = null;
        // No exception may go through native code.
        BroadcastFunction broadcast = (userData, address, size) => {
            try {
                var bytes = new byte[size];
                Marshal.Copy(address, bytes, 0, bytes.Length);
                process.Broadcast(bytes);
                Marshal.Copy(bytes, 0, address, bytes.Length);
                return (int)Status.Success;
            } catch (Exception error) {
                thrown = ExceptionDispatchInfo.Capture(error);
                return (int)Status.Internal;
            }
        };
        ulong function = process.Broadcast == null
            ? 0 : (ulong)Marshal.GetFunctionPointerForDelegate(broadcast).ToInt64();
        try {
            IntPtr communicator;
            CuprumNative.cuprum_csharp_create_communicator_of_process(
                out communicator, device.DeviceId, (uint)process.Rank, (uint)process.Count, function,
                NcclOptions.Milliseconds(options.Timeout));
            return communicator;
        } catch (CuprumException) when (thrown != null) {
            thrown.Throw();
            throw;
        } finally {
            GC.KeepAlive(broadcast);
        }
    }

    /// <summary>The stream of a rank of this process; the caller disposes of it, which leaves the rank's own alone. What
    /// algorithms read must be written in its order: put the work that writes it there, or let it wait for that.</summary>
    /// <param name="rank">From 0 on.</param>
    /// <exception cref="InvalidArgumentException">There is no such rank, or it is one of another process.</exception>
    public Stream Stream(uint rank) {
        IntPtr stream;
        CuprumNative.cuprum_communicator_stream(out stream, Use(Operations.CommunicatorStream), rank);
        return new Stream(stream);
    }

    /// <summary>Sends all messages at once: an all-to-all with counts, of which gathering and broadcasting are cases.
    /// </summary>
    /// <remarks>
    /// In the order of the ranks' streams: each source is read after the work so far in its rank's stream, each destination
    /// is written in its rank's, and later work in the stream of either finds its messages copied. Returns before that: the
    /// memory must stay until then, or until <see cref="Sync"/>. Messages between ranks of other processes are left out, so
    /// that all processes may give the same list; those of two ranks are in one order in the lists of both. After another
    /// error than the one below some of the messages may be under way: <see cref="Sync"/>.
    /// </remarks>
    /// <param name="messages">In any order.</param>
    /// <exception cref="InvalidArgumentException">There is no such rank, memory is of another device than its rank's, or a
    /// message does not fit into its buffer.</exception>
    public void Exchange(IEnumerable<Message> messages) {
        const string operation = Operations.CommunicatorExchange;
        Message[] given = Require.NotNull(messages, nameof(messages))
            .Select(each => Require.NotNull(each, nameof(messages))).ToArray();
        using (var from = Numbers(given, each => each.From))
        using (var to = Numbers(given, each => each.To))
        using (var sourceOffsets = Numbers(given, each => each.SourceOffset))
        using (var destinationOffsets = Numbers(given, each => each.DestinationOffset))
        using (var sizes = Numbers(given, each => each.Size)) {
            CuprumNative.cuprum_communicator_exchange(
                Use(operation), from.Address, from.Size, to.Address, to.Size,
                Handles(given, each => each.Source, operation), sourceOffsets.Address, sourceOffsets.Size,
                Handles(given, each => each.Destination, operation), destinationOffsets.Address, destinationOffsets.Size,
                sizes.Address, sizes.Size);
        }
    }

    private static PinnedValue<ulong> Numbers(Message[] messages, Func<Message, ulong> number) {
        return new PinnedValue<ulong>(messages.Select(number).ToArray());
    }

    private static NativeHandle[] Handles(Message[] messages, Func<Message, Buffer> side, string operation) {
        return messages.Select(side).Select(each => each == null ? NativeHandle.None : each.Use(operation)).ToArray();
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
