package cuprumtest;

import static cuprumtest.Fixtures.WIDE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.CuprumException;
import io.cuprum.Device;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidHandleException;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.OutOfMemoryException;
import io.cuprum.Stream;
import io.cuprum.internal.CuprumNative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** 64-bit values stay 64 bits wide on every way through the interface. Cut to 32 bits, WIDE would be 1. */
@ExtendWith(NoLeaks.class)
class WidthTest {
    private static final String DECIMAL = Long.toUnsignedString(WIDE);

    private final Device device = new Device(0);

    private static void assertSeenWhole(Class<? extends CuprumException> type, String value, Executable call) {
        CuprumException error = assertThrows(type, call);
        assertTrue(error.getMessage().toLowerCase().contains(value), error.getMessage());
    }

    @Test
    void addressesAndSizesOfBorrowedMemory() {
        try (Buffer buffer = Buffer.fromHandle(device, WIDE, 16)) {
            assertEquals(WIDE, buffer.handle());
        }
        try (Buffer buffer = Buffer.fromHandle(device, 16, WIDE)) {
            assertEquals(WIDE, buffer.size());
        }
    }

    @Test
    void handlesOfBorrowedStreams() {
        try (Stream stream = device.createStream(); Stream borrowed = Stream.fromHandle(device, stream.handle())) {
            assertEquals(stream.handle(), borrowed.handle());
        }
        if (device.isSimulator()) {    // a real driver follows it
            assertSeenWhole(CuprumException.class, Long.toHexString(WIDE), () -> Stream.fromHandle(device, WIDE));
        }
    }

    @Test
    void handlesPassedIn() {
        String hex = Long.toHexString(WIDE);
        assertSeenWhole(InvalidHandleException.class, hex, () -> CuprumNative.cuprum_stream_sync(WIDE));
        assertSeenWhole(InvalidHandleException.class, hex, () -> CuprumNative.cuprum_event_sync(WIDE));
        assertSeenWhole(InvalidHandleException.class, hex, () -> CuprumNative.cuprum_buffer_size(new long[1], WIDE));
        assertSeenWhole(InvalidHandleException.class, hex, () -> CuprumNative.cuprum_kernel_name(new String[1], WIDE));
        assertSeenWhole(InvalidHandleException.class, hex,
                () -> CuprumNative.cuprum_object_code_type(new int[1], WIDE));
        assertSeenWhole(InvalidHandleException.class, hex,
                () -> CuprumNative.cuprum_program_compile(new long[1], WIDE, 0, new String[0]));
        assertSeenWhole(InvalidHandleException.class, hex,
                () -> CuprumNative.cuprum_launch(
                        WIDE, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, WIDE,
                        new long[0]));
    }

    @Test
    void handlesOfBuffersAmongKernelArguments() {
        String source = "extern \"C\" __global__ void one(int* p) {}";
        try (Kernel one = Fixtures.kernel(source, "one"); Stream stream = device.createStream()) {
            long[] arguments = {CuprumNative.CUPRUM_ARGUMENT_BUFFER, WIDE};
            assertSeenWhole(InvalidHandleException.class, Long.toHexString(WIDE), () -> CuprumNative.cuprum_launch(
                    nativeHandleOf(stream), 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                    nativeHandleOf(one), arguments));
        }
    }

    @Test
    void sizesAndOffsetsPassedIn() {
        assertSeenWhole(OutOfMemoryException.class, DECIMAL,
                () -> CuprumNative.cuprum_buffer_allocate(new long[1], 0, WIDE, 0));
        try (Buffer buffer = device.allocate(8); Stream stream = device.createStream()) {
            assertSeenWhole(InvalidArgumentException.class, DECIMAL,
                    () -> buffer.copyFrom(Fixtures.direct(1), WIDE, null));
            assertSeenWhole(InvalidArgumentException.class, DECIMAL,
                    () -> buffer.copyTo(Fixtures.direct(1), WIDE, null));
            assertSeenWhole(InvalidArgumentException.class, DECIMAL, () -> buffer.copyTo(
                    java.nio.IntBuffer.allocate(1), WIDE, null));
            long address = CuprumNative.host_address(Fixtures.direct(8));
            long handle = nativeHandleOf(buffer);
            assertSeenWhole(InvalidArgumentException.class, DECIMAL,
                    () -> CuprumNative.cuprum_buffer_copy_from_host(handle, 0, address, WIDE, 0));
            assertSeenWhole(InvalidArgumentException.class, DECIMAL,
                    () -> CuprumNative.cuprum_buffer_copy_to_host(address, WIDE, handle, 0, 0));
            assertSeenWhole(InvalidArgumentException.class, DECIMAL,
                    () -> CuprumNative.cuprum_buffer_copy(handle, WIDE, handle, 0, 1, nativeHandleOf(stream)));
            assertSeenWhole(InvalidArgumentException.class, DECIMAL,
                    () -> CuprumNative.cuprum_buffer_copy(handle, 0, handle, WIDE, 1, nativeHandleOf(stream)));
        }
    }

    @Test
    void sizesGivenOut() {
        assertTrue(device.totalMemory() > 0 && device.freeMemory() > 0);
        String source = "struct Big { char bytes[4000]; };\n"
                + "extern \"C\" __global__ void big(Big first, char second) {}";
        try (Kernel kernel = Fixtures.kernel(source, "big")) {
            assertEquals(4000, kernel.argumentsInfo().get(0).size());
            assertEquals(4000, kernel.argumentsInfo().get(1).offset());
        }
    }

    @Test
    void longsThatAKernelReadsAndWrites() {
        String source = "extern \"C\" __global__ void add(unsigned long long* p, unsigned long long a) { *p += a; }";
        try (Kernel add = Fixtures.kernel(source, "add");
                Stream stream = device.createStream();
                Buffer buffer = device.allocate(8)) {
            buffer.copyFrom(new long[] {0x1_0000_0000L});
            stream.launch(new LaunchConfig(1, 1), add, buffer.handle(), WIDE - 0x1_0000_0000L);
            long[] result = new long[1];
            buffer.copyTo(result, stream);
            assertEquals(WIDE, result[0]);
        }
    }

    /** The handle of the C ABI, which the package keeps to itself. */
    private static long nativeHandleOf(Object owner) {
        try {
            java.lang.reflect.Field field = Class.forName("io.cuprum.NativeObject").getDeclaredField("handle");
            field.setAccessible(true);
            return ((io.cuprum.internal.NativeHandle) field.get(owner)).value();
        } catch (ReflectiveOperationException error) {
            throw new AssertionError(error);
        }
    }
}
