package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostMemory;
import io.cuprum.internal.Operations;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Devices, each a rank with a stream of its own, over which the algorithms of {@link Distributed} work. Calls of several
 * threads share the streams.
 *
 * <p>All ranks are devices of this process, or each process has one of them. There, all processes make the same calls, in
 * one order, each with a list of one shard, that of its own rank. A call whose types, operator or other values are not
 * the same on all ranks is an {@link InvalidArgumentException} in all processes, and one that a rank refuses an
 * {@link InvalidStateException} in the others. A rank that fails later, or dies, ends the call of the others with a
 * {@link DriverException} of {@link ErrorDomain#NCCL}, at the latest after the timeout; their memory is freed, and the
 * communicator can only be closed then.
 *
 * <p>Bytes go from device to device by the driver's copies, or by NCCL, which is opened when it is first asked for. By the
 * driver they go directly where it offers peer access (over NVLink where there is some), otherwise through host memory.
 * Peer access is enabled when the communicator is made, and stays. Algorithms that were built for it, and streams that it
 * has given, go on after it is closed.
 */
public final class Communicator extends CommunicatorMembers {
    /** All devices, in the order of their ordinals. */
    public Communicator() {
        this(Device.getAllDevices());
    }

    /**
     * Rank r is the device at place r.
     *
     * @param devices at least one, each once
     * @throws InvalidArgumentException when there is none, or one is named twice
     */
    public Communicator(List<Device> devices) {
        super(create(devices, null), CuprumNative::cuprum_communicator_destroy);
    }

    /**
     * The same over NCCL.
     *
     * @param devices at least one, each once
     * @param options how
     * @throws InvalidArgumentException when there is none, or one is named twice
     * @throws NotFoundException when there is no NCCL
     * @throws UnsupportedException when NCCL is older than 2.14
     * @throws DriverException when NCCL fails
     */
    public Communicator(List<Device> devices, NcclOptions options) {
        super(create(devices, Objects.requireNonNull(options, "options must not be null")),
                CuprumNative::cuprum_communicator_destroy);
    }

    /**
     * The rank of this process, over NCCL, with {@link NcclOptions#NcclOptions() a minute}.
     *
     * @param device its device
     * @param process which of the processes it is
     */
    public Communicator(Device device, DistributedProcess process) {
        this(device, process, new NcclOptions());
    }

    /**
     * The rank of this process, over NCCL. Returns when all processes have made theirs, or throws, also where some have
     * not after the timeout. What the broadcast throws is thrown.
     *
     * @param device its device
     * @param process which of the processes it is
     * @param options how
     * @throws InvalidArgumentException when the rank is not below the number of processes, or there is no broadcast
     * @throws NotFoundException when there is no NCCL
     * @throws UnsupportedException when NCCL is older than 2.14
     * @throws DriverException when NCCL fails
     */
    public Communicator(Device device, DistributedProcess process, NcclOptions options) {
        super(CuprumNative.create_communicator_of_process(device.deviceId(), process.rank(), process.count(),
                      process.broadcast(), NcclOptions.milliseconds(options.timeout())),
                CuprumNative::cuprum_communicator_destroy);
    }

    private static long create(List<Device> devices, NcclOptions nccl) {
        ByteBuffer ordinals =
                ByteBuffer.allocateDirect(Integer.BYTES * devices.size()).order(ByteOrder.nativeOrder());
        devices.forEach(device -> ordinals.putInt(device.deviceId()));
        long address = HostMemory.addressOf(ordinals.flip());
        long size = (long) Integer.BYTES * devices.size();
        long[] communicator = new long[1];
        if (nccl == null) {
            CuprumNative.cuprum_communicator_create(communicator, address, size);
        } else {
            long milliseconds = NcclOptions.milliseconds(nccl.timeout());
            CuprumNative.cuprum_communicator_create_nccl(communicator, address, size, milliseconds);
        }
        Reference.reachabilityFence(ordinals);
        return communicator[0];
    }

    /**
     * {@return the stream of a rank of this process; the caller closes it, which leaves the rank's own alone} What
     * algorithms read must be written in its order: put the work that writes it there, or let it wait for that.
     *
     * @param rank from 0 on
     * @throws InvalidArgumentException when there is no such rank, or it is one of another process
     */
    public Stream stream(int rank) {
        return with(Operations.COMMUNICATOR_STREAM, communicator -> {
            long[] stream = new long[1];
            CuprumNative.cuprum_communicator_stream(stream, communicator, Integer.toUnsignedLong(rank));
            return new Stream(stream[0]);
        });
    }

    /**
     * Sends all messages at once: an all-to-all with counts, of which gathering and broadcasting are cases.
     *
     * <p>In the order of the ranks' streams: each source is read after the work so far in its rank's stream, each
     * destination is written in its rank's, and later work in the stream of either finds its messages copied. Returns
     * before that: the memory must stay until then, or until {@link #sync()}. Messages between ranks of other processes
     * are left out, so that all processes may give the same list; those of two ranks are in one order in the lists of
     * both. After another error than the one below some of the messages may be under way: {@link #sync()}.
     *
     * @param messages in any order
     * @throws InvalidArgumentException when there is no such rank, memory is of another device than its rank's, or a
     *         message does not fit into its buffer
     */
    public void exchange(List<Message> messages) {
        String operation = Operations.COMMUNICATOR_EXCHANGE;
        List<Message> given = List.copyOf(messages);
        ByteBuffer from = numbers(given, Message::from);
        ByteBuffer to = numbers(given, Message::to);
        ByteBuffer sourceOffsets = numbers(given, Message::sourceOffset);
        ByteBuffer destinationOffsets = numbers(given, Message::destinationOffset);
        ByteBuffer sizes = numbers(given, Message::size);
        long bytes = sizes.capacity();
        try {
            CuprumNative.cuprum_communicator_exchange(open(operation), HostMemory.addressOf(from), bytes,
                    HostMemory.addressOf(to), bytes, handles(given, Message::source, operation),
                    HostMemory.addressOf(sourceOffsets), bytes, handles(given, Message::destination, operation),
                    HostMemory.addressOf(destinationOffsets), bytes, HostMemory.addressOf(sizes), bytes);
        } finally {
            Reference.reachabilityFence(this);
            Reference.reachabilityFence(given);
            Reference.reachabilityFence(List.of(from, to, sourceOffsets, destinationOffsets, sizes));
        }
    }

    private static ByteBuffer numbers(List<Message> messages, ToLongFunction<Message> number) {
        ByteBuffer memory = ByteBuffer.allocateDirect(Long.BYTES * messages.size()).order(ByteOrder.nativeOrder());
        messages.forEach(message -> memory.putLong(number.applyAsLong(message)));
        return memory.flip();
    }

    private static long[] handles(
            List<Message> messages, Function<Message, Buffer> side, String operation) {
        return messages.stream().map(side).mapToLong(buffer -> buffer == null ? 0 : buffer.open(operation)).toArray();
    }
}
