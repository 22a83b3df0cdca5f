package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A part of a device's multiprocessors, or all of them. A value. */
public final class SMResource {
    /**
     * What a split has made.
     *
     * @param groups have no multiprocessor in common
     * @param remainder what is left; may have no multiprocessor
     */
    public record Split(List<SMResource> groups, SMResource remainder) {}

    private final byte[] bytes;
    private final int deviceId;
    private final int smCount;
    private final int minPartitionSize;
    private final int coscheduledAlignment;

    private SMResource(byte[] bytes) {
        this.bytes = bytes;
        int[][] numbers = new int[4][1];
        ByteBuffer direct = direct(List.of(bytes));
        CuprumNative.cuprum_sm_resource_info(numbers[0], numbers[1], numbers[2], numbers[3],
                CuprumNative.host_address(direct), direct.capacity());
        Reference.reachabilityFence(direct);
        deviceId = numbers[0][0];
        smCount = numbers[1][0];
        minPartitionSize = numbers[2][0];
        coscheduledAlignment = numbers[3][0];
    }

    static SMResource of(Device device) {
        byte[][] bytes = new byte[1][];
        CuprumNative.cuprum_sm_resource_of_device(bytes, device.deviceId());
        return new SMResource(bytes[0]);
    }

    static SMResource of(Context context) {
        return context.with(Operations.SM_RESOURCE_OF_CONTEXT, handle -> {
            byte[][] bytes = new byte[1][];
            CuprumNative.cuprum_sm_resource_of_context(bytes, handle);
            return new SMResource(bytes[0]);
        });
    }

    /** {@return the device that it is a part of} */
    public Device device() {
        return new Device(deviceId);
    }

    /** {@return multiprocessors} */
    public int smCount() {
        return smCount;
    }

    /** {@return the fewest multiprocessors that a part can have; 0 for what a split has made} */
    public int minPartitionSize() {
        return minPartitionSize;
    }

    /**
     * {@return what the number of each part is a multiple of: so many run a cluster together; 0 for what a split has made}
     */
    public int coscheduledAlignment() {
        return coscheduledAlignment;
    }

    /**
     * Splits into groups of at least {@code count} multiprocessors.
     *
     * @param count multiprocessors in each group, which may get more; 0: as few as there can be
     * @param groups how many
     * @return the groups, and what is left
     * @throws InvalidArgumentException when there are not enough for all groups
     * @throws DriverException for what a split has made: that is split again only as the resource of a context
     */
    public Split split(int count, int groups) {
        return split(count, groups, false);
    }

    /**
     * The same, with finer counts.
     *
     * @param count multiprocessors in each group, which may get more; 0: as few as there can be
     * @param groups how many
     * @param backfill finer counts, of multiprocessors that need not be able to run one cluster together
     * @return the groups, and what is left
     */
    public Split split(int count, int groups, boolean backfill) {
        ByteBuffer direct = direct(List.of(bytes));
        byte[][] all = new byte[1][];
        CuprumNative.cuprum_sm_resource_split(
                all, CuprumNative.host_address(direct), direct.capacity(), count, groups, backfill ? 1 : 0);
        Reference.reachabilityFence(direct);
        List<SMResource> parts = new ArrayList<>();
        int size = CuprumNative.CUPRUM_SM_RESOURCE_SIZE;
        for (int begin = 0; begin < all[0].length; begin += size) {
            parts.add(new SMResource(Arrays.copyOfRange(all[0], begin, begin + size)));
        }
        SMResource remainder = parts.remove(parts.size() - 1);
        return new Split(List.copyOf(parts), remainder);
    }

    /** The resources one after another, outside of the Java heap. */
    static ByteBuffer together(List<SMResource> resources) {
        List<byte[]> all = new ArrayList<>();
        for (SMResource each : resources) {
            all.add(each.bytes);
        }
        return direct(all);
    }

    private static ByteBuffer direct(List<byte[]> all) {
        ByteBuffer direct = ByteBuffer.allocateDirect(all.size() * CuprumNative.CUPRUM_SM_RESOURCE_SIZE);
        for (byte[] each : all) {
            direct.put(each);
        }
        return direct;
    }

    @Override
    public String toString() {
        return smCount + " multiprocessors of device " + deviceId;
    }
}
