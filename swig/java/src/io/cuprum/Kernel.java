package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntToLongFunction;

/** A kernel, ready to be launched ({@link Stream#launch}) on any device. */
public final class Kernel extends KernelMembers {
    private final String askedFor;

    Kernel(long handle, String name) {
        super(handle, CuprumNative::cuprum_kernel_destroy);
        askedFor = name;
    }

    /** {@return the offset and size of each parameter, and its type as far as it is known} */
    public List<KernelArgumentInfo> argumentsInfo() {
        return with(Operations.KERNEL_ARGUMENT_INFO, kernel -> {
            long[] count = new long[1];
            CuprumNative.cuprum_kernel_argument_count(count, kernel);
            List<KernelArgumentInfo> parameters = new ArrayList<>();
            long[] offset = new long[1];
            long[] size = new long[1];
            int[] kind = new int[1];
            String[] type = new String[1];
            for (long i = 0; i < count[0]; ++i) {
                CuprumNative.cuprum_kernel_argument_info(offset, size, kernel, i);
                CuprumNative.cuprum_kernel_argument_type(kind, type, kernel, i);
                parameters.add(new KernelArgumentInfo(offset[0], size[0], ArgumentKind.of(kind[0]), type[0]));
            }
            return parameters;
        });
    }

    /**
     * The kernel's attributes on a device.
     *
     * @param device the device
     * @return registers, shared memory and so on
     */
    public KernelAttributes attributes(Device device) {
        return with(Operations.KERNEL_ATTRIBUTES_GET, kernel -> {
            int[] fields = new int[KernelAttributes.FIELD_COUNT];
            CuprumNative.cuprum_kernel_attributes_get(fields, kernel, device.deviceId());
            return KernelAttributes.of(fields);
        });
    }

    /**
     * Sets an attribute on one device, for all launches of the kernel from then on.
     *
     * @param device the device
     * @param attribute the attribute to set
     * @param value the new value; 1 or 0 for true or false
     * @throws DriverException when the driver rejects the value
     */
    public void setAttribute(Device device, KernelAttribute attribute, int value) {
        Objects.requireNonNull(device, "device must not be null");
        Objects.requireNonNull(attribute, "attribute must not be null");
        with(Operations.KERNEL_SET_ATTRIBUTE, kernel -> {
            CuprumNative.cuprum_kernel_set_attribute(kernel, device.deviceId(), attribute.value, value);
            return null;
        });
    }

    /**
     * The block size at which the most threads run at once, and how many such blocks fill the device.
     *
     * @param device the device
     * @param dynamicSharedMemorySize dynamic shared memory for each block, in bytes
     * @param blockSizeLimit the most threads that a block may have; 0 for as many as the kernel allows
     * @return blocks and threads
     */
    public MaxPotentialBlockSizeOccupancyResult maxPotentialBlockSize(
            Device device, long dynamicSharedMemorySize, int blockSizeLimit) {
        Objects.requireNonNull(device, "device must not be null");
        return with(Operations.KERNEL_MAX_POTENTIAL_BLOCK_SIZE, kernel -> {
            int[] grid = new int[1];
            int[] block = new int[1];
            CuprumNative.cuprum_kernel_max_potential_block_size(
                    grid, block, kernel, device.deviceId(), dynamicSharedMemorySize, blockSizeLimit);
            return new MaxPotentialBlockSizeOccupancyResult(grid[0], block[0]);
        });
    }

    /**
     * The same where blocks of different sizes need different amounts of dynamic shared memory.
     *
     * @param device the device
     * @param dynamicSharedMemorySize returns the bytes for a block with this many threads; called for every size that a
     *     block of this kernel can have
     * @param blockSizeLimit the most threads that a block may have; 0 for as many as the kernel allows
     * @return blocks and threads
     */
    public MaxPotentialBlockSizeOccupancyResult maxPotentialBlockSize(
            Device device, IntToLongFunction dynamicSharedMemorySize, int blockSizeLimit) {
        Objects.requireNonNull(device, "device must not be null");
        Objects.requireNonNull(dynamicSharedMemorySize, "dynamicSharedMemorySize must not be null");
        int most = attributes(device).maxThreadsPerBlock();
        ByteBuffer sizes = ByteBuffer.allocateDirect(most * Long.BYTES).order(ByteOrder.nativeOrder());
        for (int threads = 1; threads <= most; ++threads) {
            sizes.putLong(dynamicSharedMemorySize.applyAsLong(threads));
        }
        try {
            return with(Operations.KERNEL_MAX_POTENTIAL_BLOCK_SIZE, kernel -> {
                int[] grid = new int[1];
                int[] block = new int[1];
                CuprumNative.cuprum_kernel_max_potential_block_size_of_sizes(
                        grid,
                        block,
                        kernel,
                        device.deviceId(),
                        CuprumNative.host_address(sizes),
                        sizes.capacity(),
                        blockSizeLimit);
                return new MaxPotentialBlockSizeOccupancyResult(grid[0], block[0]);
            });
        } finally {
            Reference.reachabilityFence(sizes);
        }
    }

    /**
     * The most blocks that a cluster can have when the kernel is launched with this block and shared memory; more than
     * 8 only after {@link KernelAttribute#NON_PORTABLE_CLUSTER_SIZE_ALLOWED} was set.
     *
     * @param config the configuration, whose own cluster is ignored
     * @param stream the stream of the launch
     * @return the number of blocks
     * @throws UnsupportedException on a device without clusters
     */
    public int maxPotentialClusterSize(LaunchConfig config, Stream stream) {
        return ask(
                Operations.KERNEL_MAX_POTENTIAL_CLUSTER_SIZE, CuprumNative::cuprum_kernel_max_potential_cluster_size,
                config, stream);
    }

    /**
     * How many clusters run at once on the stream's device, or on its part of it.
     *
     * @param config the configuration, with a cluster unless the kernel has one of its own
     * @param stream the stream of the launch
     * @return the number of clusters; 0 where neither the configuration nor the kernel gives a cluster's dimensions
     * @throws UnsupportedException on a device without clusters
     */
    public int maxActiveClusters(LaunchConfig config, Stream stream) {
        return ask(
                Operations.KERNEL_MAX_ACTIVE_CLUSTERS, CuprumNative::cuprum_kernel_max_active_clusters, config, stream);
    }

    private int ask(String operation, LaunchConfig.ClusterQuery query, LaunchConfig config, Stream stream) {
        Objects.requireNonNull(config, "config must not be null");
        Objects.requireNonNull(stream, "stream must not be null");
        return with(operation, kernel -> stream.with(operation, in -> config.ask(query, kernel, in)));
    }

    /**
     * A kernel that other code has loaded. The caller keeps its library loaded for as long as the kernel is used.
     *
     * @param handle the CUkernel
     * @return the kernel; the caller closes it
     */
    public static Kernel fromHandle(long handle) {
        return taken(handle, 0);
    }

    /**
     * A kernel that other code has loaded.
     *
     * @param handle the CUkernel
     * @param objectCode the code that it belongs to, which the kernel keeps loaded
     * @return the kernel; the caller closes it
     */
    public static Kernel fromHandle(long handle, ObjectCode objectCode) {
        Objects.requireNonNull(objectCode, "objectCode must not be null");
        return objectCode.with(Operations.KERNEL_FROM_NATIVE, code -> taken(handle, code));
    }

    private static Kernel taken(long handle, long objectCode) {
        long[] kernel = new long[1];
        CuprumNative.cuprum_kernel_from_native(kernel, handle, objectCode);
        String[] name = new String[1];
        CuprumNative.cuprum_kernel_name(name, kernel[0]);
        return new Kernel(kernel[0], name[0]);
    }

    @Override
    public String toString() {
        return "Kernel \"" + askedFor + "\"";
    }
}
