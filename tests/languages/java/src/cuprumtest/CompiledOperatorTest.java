package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.CallOptions;
import io.cuprum.CodeType;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.InvalidArgumentException;
import io.cuprum.NvJitLinkException;
import io.cuprum.ObjectCode;
import io.cuprum.Operator;
import io.cuprum.Passing;
import io.cuprum.Stream;
import io.cuprum.Transform;
import io.cuprum.Value;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Operators that were compiled elsewhere and are linked to the algorithm. */
final class CompiledOperatorTest {
    // int twice(int a), and void scaled(void* state, void* a, void* result) with a state of one int, as a compiler
    // writes them; a function that calls one which is elsewhere.
    private static final String FUNCTIONS = """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .func (.param .b32 result) twice(.param .b32 a) {
                .reg .b32 %r<3>;
                ld.param.u32 %r1, [a];
                shl.b32 %r2, %r1, 1;
                st.param.b32 [result], %r2;
                ret;
            }
            .visible .func scaled(.param .b64 state, .param .b64 a, .param .b64 result) {
                .reg .b32 %r<4>;
                .reg .b64 %d<4>;
                ld.param.u64 %d1, [state];
                ld.param.u64 %d2, [a];
                ld.param.u64 %d3, [result];
                ld.u32 %r1, [%d1];
                ld.u32 %r2, [%d2];
                mul.lo.s32 %r3, %r1, %r2;
                st.u32 [%d3], %r3;
                ret;
            }
            """;
    private static final String CALLER = """
            .version 8.0
            .target sm_75
            .address_size 64
            .extern .func (.param .b32 result) twice(.param .b32 a);
            .visible .func (.param .b32 result) fourfold(.param .b32 a) {
                .reg .b32 %r<4>;
                .param .b32 given;
                .param .b32 got;
                ld.param.u32 %r1, [a];
                shl.b32 %r2, %r1, 1;
                st.param.b32 [given], %r2;
                call.uni (got), twice, (given);
                ld.param.b32 %r3, [got];
                st.param.b32 [result], %r3;
                ret;
            }
            """;

    private static ObjectCode code(String ptx) {
        return ObjectCode.fromBytes(ptx.getBytes(StandardCharsets.UTF_8), CodeType.PTX, "elsewhere");
    }

    private static int[] transformed(Operator op, CallOptions options) {
        Device device = new Device(0);
        int[] found = new int[3];
        try (Stream stream = device.createStream();
                Buffer memory = device.allocate(12);
                ElementIterator input = ElementIterator.of(ElementType.INT32, memory);
                Transform transform = new Transform(device, input, op, ElementType.INT32)) {
            memory.copyFrom(new int[] {3, -9, 4});
            transform.call(stream, input, null, memory, 3, options);
            stream.sync();
            memory.copyTo(found);
        }
        return found;
    }

    @Test
    void theyAreLinkedToTheAlgorithm() {
        ElementType scale = ElementType.structure("Scale", ElementType.field("factor", ElementType.INT32));
        try (ObjectCode functions = code(FUNCTIONS);
                ObjectCode caller = code(CALLER);
                Operator twice = Operator.compiled("twice", functions, Passing.VALUES);
                Operator incomplete = Operator.compiled("fourfold", caller, Passing.VALUES);
                Operator fourfold = incomplete.withCode(functions);
                Operator scaled = Operator.compiled("scaled", functions, Passing.POINTERS, Value.of(scale, 5));
                Operator negated = scaled.withState(Value.of(scale, -1))) {
            assertEquals("Operator \"twice\"", twice.toString());
            assertArrayEquals(new int[] {6, -18, 8}, transformed(twice, new CallOptions()));
            assertArrayEquals(new int[] {12, -36, 16}, transformed(fourfold, new CallOptions()));
            assertArrayEquals(new int[] {15, -45, 20}, transformed(scaled, new CallOptions()));
            assertArrayEquals(new int[] {-3, 9, -4}, transformed(scaled, new CallOptions().op(negated)));
            NvJitLinkException missing =
                    assertThrows(NvJitLinkException.class, () -> transformed(incomplete, new CallOptions()));
            assertTrue(missing.getMessage().contains("operator 'fourfold'"), missing.getMessage());
            assertThrows(InvalidArgumentException.class, () -> Operator.compiled("1st", functions, Passing.VALUES));
            assertThrows(InvalidArgumentException.class, () -> new Operator("a + b + 1").withCode(functions));
        }
    }
}
