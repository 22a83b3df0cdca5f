package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostMemory;
import io.cuprum.internal.Operations;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Devices of this process, each a rank with a stream of its own, over which the algorithms of {@link Distributed} work.
 * Calls of several threads share the streams.
 *
 * <p>Bytes go from device to device by the driver's copies, directly where it offers peer access (over NVLink where there
 * is some), otherwise through host memory. Peer access is enabled when the communicator is made, and stays. Algorithms that
 * were built for it, and streams that it has given, go on after it is closed.
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
        super(create(devices), CuprumNative::cuprum_communicator_destroy);
    }

    private static long create(List<Device> devices) {
        ByteBuffer ordinals =
                ByteBuffer.allocateDirect(Integer.BYTES * devices.size()).order(ByteOrder.nativeOrder());
        devices.forEach(device -> ordinals.putInt(device.deviceId()));
        long[] communicator = new long[1];
        CuprumNative.cuprum_communicator_create(
                communicator, HostMemory.addressOf(ordinals.flip()), (long) Integer.BYTES * devices.size());
        Reference.reachabilityFence(ordinals);
        return communicator[0];
    }

    /**
     * {@return the stream of a rank; the caller closes it, which leaves the rank's own alone} What algorithms read must be
     * written in its order: put the work that writes it there, or let it wait for that.
     *
     * @param rank from 0 on
     * @throws InvalidArgumentException when there is no such rank
     */
    public Stream stream(int rank) {
        return with(Operations.COMMUNICATOR_STREAM, communicator -> {
            long[] stream = new long[1];
            CuprumNative.cuprum_communicator_stream(stream, communicator, Integer.toUnsignedLong(rank));
            return new Stream(stream[0]);
        });
    }
}
