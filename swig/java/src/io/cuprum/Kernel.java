package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.NativeHandle;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/** A kernel, ready to be launched ({@link Stream#launch}) on any device. */
public final class Kernel implements AutoCloseable {
    private final NativeHandle handle;
    private final String askedFor;

    Kernel(long handle, String name) {
        askedFor = name;
        this.handle = new NativeHandle(this, handle, CuprumNative::cuprum_kernel_destroy);
    }

    /** {@return the CUkernel, as an integer; valid until this kernel is closed} */
    public long handle() {
        return with("asking a kernel for its handle", kernel -> {
            long[] handle = new long[1];
            CuprumNative.cuprum_kernel_native(handle, kernel);
            return handle[0];
        });
    }

    /** {@return the name or name expression that it was asked for by} */
    public String name() {
        return with("asking a kernel for its name", kernel -> {
            String[] name = new String[1];
            CuprumNative.cuprum_kernel_name(name, kernel);
            return name[0];
        });
    }

    /** {@return how many parameters it has} */
    public int numArguments() {
        return with("asking a kernel for its parameters", kernel -> {
            long[] count = new long[1];
            CuprumNative.cuprum_kernel_argument_count(count, kernel);
            return (int) count[0];
        });
    }

    /** {@return where each parameter lies, how large it is, and what it is as far as that is known} */
    public List<KernelArgumentInfo> argumentsInfo() {
        return with("asking a kernel for its parameters", kernel -> {
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
     * What the kernel needs.
     *
     * @param device on which
     * @return registers, shared memory and so on
     */
    public KernelAttributes attributes(Device device) {
        return with("asking a kernel for its attributes", kernel -> {
            int[] fields = new int[KernelAttributes.FIELD_COUNT];
            CuprumNative.cuprum_kernel_attributes_get(fields, kernel, device.deviceId());
            return KernelAttributes.of(fields);
        });
    }

    /**
     * How many blocks one multiprocessor holds at once.
     *
     * @param device on which
     * @param blockSize threads in a block
     * @param dynamicSharedMemory bytes for each block
     * @return the number of blocks
     */
    public int maxActiveBlocksPerMultiprocessor(Device device, int blockSize, long dynamicSharedMemory) {
        return with("asking a kernel for its occupancy", kernel -> {
            int[] blocks = new int[1];
            CuprumNative.cuprum_kernel_max_active_blocks(
                    blocks, kernel, device.deviceId(), blockSize, dynamicSharedMemory);
            return blocks[0];
        });
    }

    /**
     * Allows more dynamic shared memory; beyond 48 KiB it must be asked for.
     *
     * @param device on which
     * @param bytes for each block
     */
    public void setMaxDynamicSharedSize(Device device, int bytes) {
        with("setting a kernel's dynamic shared memory", kernel -> {
            CuprumNative.cuprum_kernel_set_max_dynamic_shared_size(kernel, device.deviceId(), bytes);
            return null;
        });
    }

    /** {@return whether {@link #close()} has been called} */
    public boolean isClosed() {
        return handle.isClosed();
    }

    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return "Kernel \"" + askedFor + "\"";
    }

    /** The native handle. The caller keeps this kernel reachable while it uses it. */
    long open(String operation) {
        if (handle.isClosed()) {
            throw Errors.closed(this, operation);
        }
        return handle.value();
    }

    private <T> T with(String operation, LongFunction<T> action) {
        try {
            return action.apply(open(operation));
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
