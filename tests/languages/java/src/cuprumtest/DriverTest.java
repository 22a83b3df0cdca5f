package cuprumtest;

import static io.cuprum.bindings.Driver.*;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.cuprum.bindings.Bindings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The device's primary context, current in each test, and what tests of the driver's functions share. */
abstract class DriverTest {
    /** Adds `amount` and the variable `offset` to each of `count` numbers. */
    static final String ADD = """
            .version 7.0
            .target sm_70
            .address_size 64
            .visible .const .align 4 .u32 offset;
            .visible .entry add(.param .u64 numbers, .param .u32 amount, .param .u32 count) {
                .reg .pred %outside;
                .reg .b32 %r<8>;
                .reg .b64 %address, %index;
                mov.u32 %r1, %ctaid.x;
                mov.u32 %r2, %ntid.x;
                mov.u32 %r3, %tid.x;
                mad.lo.u32 %r1, %r1, %r2, %r3;
                ld.param.u32 %r4, [count];
                setp.ge.u32 %outside, %r1, %r4;
                @%outside ret;
                ld.param.u64 %address, [numbers];
                cvta.to.global.u64 %address, %address;
                mul.wide.u32 %index, %r1, 4;
                add.u64 %address, %address, %index;
                ld.param.u32 %r5, [amount];
                ld.const.u32 %r6, [offset];
                ld.global.u32 %r7, [%address];
                add.u32 %r7, %r7, %r5;
                add.u32 %r7, %r7, %r6;
                st.global.u32 [%address], %r7;
                ret;
            }
            """;
    static final int NON_BLOCKING = 1;

    final long[] context = new long[1];

    @BeforeEach
    void retainContext() {
        ok(cuInit(0));
        ok(cuDevicePrimaryCtxRetain(context, 0));
        ok(cuCtxSetCurrent(context[0]));
    }

    @AfterEach
    void releaseContext() {
        ok(cuCtxSetCurrent(0));
        ok(cuDevicePrimaryCtxRelease(0));
    }

    static void ok(CUresult status) {
        assertSame(CUresult.CUDA_SUCCESS, status);
    }

    /** A text with its end, as C has it. */
    static ByteBuffer text(String text) {
        byte[] bytes = (text + "\0").getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    static long allocated(long bytes) {
        long[] memory = new long[1];
        ok(cuMemAlloc(memory, bytes));
        return memory[0];
    }

    static ByteBuffer copied(long memory, int bytes) {
        ByteBuffer back = Fixtures.direct(bytes);
        ok(cuMemcpyDtoH(Bindings.address(back), memory, bytes));
        return back;
    }

    static long stream() {
        long[] stream = new long[1];
        ok(cuStreamCreate(stream, NON_BLOCKING));
        return stream[0];
    }

    static long event() {
        long[] event = new long[1];
        ok(cuEventCreate(event, 0));
        return event[0];
    }
}
