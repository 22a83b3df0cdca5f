package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Compiled code. Loaded into the driver at first use. Its kernels stay usable after it is closed. */
public final class ObjectCode extends ObjectCodeMembers {
    ObjectCode(long handle) {
        super(handle, CuprumNative::cuprum_object_code_destroy);
    }

    /**
     * Takes a copy of code.
     *
     * @param code the code's bytes
     * @param type the type of the code; not NATIVE
     * @param name the name of the code in messages
     * @return the object code; the caller closes it
     */
    public static ObjectCode fromBytes(byte[] code, CodeType type, String name) {
        Objects.requireNonNull(code, "code must not be null");
        ByteBuffer direct = ByteBuffer.allocateDirect(code.length).put(code);
        try {
            long[] objectCode = new long[1];
            CuprumNative.cuprum_object_code_create(
                    objectCode, CuprumNative.host_address(direct), code.length, type.value, name);
            return new ObjectCode(objectCode[0]);
        } finally {
            Reference.reachabilityFence(direct);
        }
    }

    /**
     * Reads code from a file.
     *
     * @param path the file's path
     * @param type the type of the code in it; not NATIVE
     * @return the object code; the caller closes it
     * @throws IOException when the file cannot be read
     */
    public static ObjectCode fromFile(Path path, CodeType type) throws IOException {
        // Not from a device or a pipe, which may never end. Throws if the file is missing.
        if (!Files.readAttributes(path, BasicFileAttributes.class).isRegularFile()) {
            throw new IOException(path + " is not a regular file: copy the code to a file, or pass its bytes");
        }
        return fromBytes(Files.readAllBytes(path), type, path.toString());
    }

    /** {@return the type of the code} */
    public CodeType codeType() {
        return with(Operations.OBJECT_CODE_TYPE, objectCode -> {
            int[] type = new int[1];
            CuprumNative.cuprum_object_code_type(type, objectCode);
            return CodeType.of(type[0]);
        });
    }

    /** {@return a copy of the code; PTX without a NUL at its end} */
    public byte[] code() {
        return with(Operations.OBJECT_CODE_BYTES, objectCode -> {
            byte[][] code = new byte[1][];
            CuprumNative.cuprum_object_code_bytes(code, objectCode);
            return code[0];
        });
    }

    /** {@return the names that {@link #getKernel} accepts: the name expressions, and the names of all other kernels} */
    public List<String> kernelNames() {
        return with(Operations.OBJECT_CODE_KERNEL_COUNT, objectCode -> {
            long[] count = new long[1];
            CuprumNative.cuprum_object_code_kernel_count(count, objectCode);
            List<String> names = new ArrayList<>();
            String[] name = new String[1];
            for (long i = 0; i < count[0]; ++i) {
                CuprumNative.cuprum_object_code_kernel_name(name, objectCode, i);
                names.add(name[0]);
            }
            return names;
        });
    }

    /**
     * Finds a kernel.
     *
     * @param name the kernel's name, or a name expression that was given to {@link Program#compile}
     * @return the kernel, which keeps the code loaded; the caller closes it
     * @throws KernelNotFoundException when the code has no such kernel; the message lists those it has
     */
    public Kernel getKernel(String name) {
        Objects.requireNonNull(name, "name must not be null");
        return with(Operations.OBJECT_CODE_GET_KERNEL, objectCode -> {
            long[] kernel = new long[1];
            CuprumNative.cuprum_object_code_get_kernel(kernel, objectCode, name);
            return new Kernel(kernel[0], name);
        });
    }

    /**
     * Finds a {@code __device__}, {@code __constant__} or {@code __managed__} variable.
     *
     * @param device the device
     * @param name the variable's name, or the name expression {@code "&name"} that was given to {@link Program#compile}
     * @return its memory, which belongs to the code and keeps it loaded; the caller closes it
     * @throws InvalidArgumentException when the code has no such variable
     */
    public GlobalVariable getGlobal(Device device, String name) {
        Objects.requireNonNull(device, "device must not be null");
        Objects.requireNonNull(name, "name must not be null");
        return with(Operations.OBJECT_CODE_GET_GLOBAL, objectCode -> {
            long[] buffer = new long[1];
            CuprumNative.cuprum_object_code_get_global(buffer, objectCode, device.deviceId(), name);
            return new GlobalVariable(buffer[0], name);
        });
    }
}
