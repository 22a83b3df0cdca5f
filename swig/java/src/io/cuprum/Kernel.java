package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.util.ArrayList;
import java.util.List;

/** A kernel, ready to be launched ({@link Stream#launch}) on any device. */
public final class Kernel extends KernelMembers {
    private final String askedFor;

    Kernel(long handle, String name) {
        super(handle, CuprumNative::cuprum_kernel_destroy);
        askedFor = name;
    }

    /** {@return where each parameter lies, how large it is, and what it is as far as that is known} */
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
     * What the kernel needs.
     *
     * @param device on which
     * @return registers, shared memory and so on
     */
    public KernelAttributes attributes(Device device) {
        return with(Operations.KERNEL_ATTRIBUTES_GET, kernel -> {
            int[] fields = new int[KernelAttributes.FIELD_COUNT];
            CuprumNative.cuprum_kernel_attributes_get(fields, kernel, device.deviceId());
            return KernelAttributes.of(fields);
        });
    }

    @Override
    public String toString() {
        return "Kernel \"" + askedFor + "\"";
    }
}
