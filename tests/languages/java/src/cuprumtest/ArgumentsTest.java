package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.ArgumentMismatchException;
import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementType;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.Stream;
import io.cuprum.Value;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class ArgumentsTest {
    private static final LaunchConfig ONE = new LaunchConfig(1, 1);

    private final Device device = new Device(0);

    /** What a kernel of one parameter of that type finds in it, as bytes. */
    private byte[] seenByKernel(String type, int size, Object argument) {
        String source = "extern \"C\" __global__ void see(unsigned char* out, " + type + " value) {"
                + "  for (int i = 0; i < sizeof value; ++i) out[i] = ((unsigned char*)&value)[i]; }";
        try (Kernel kernel = Fixtures.kernel(source, "see");
                Stream stream = device.createStream();
                Buffer out = device.allocate(size)) {
            stream.launch(ONE, kernel, out, argument);
            byte[] bytes = new byte[size];
            out.copyTo(bytes, stream);
            return bytes;
        }
    }

    private static byte[] littleEndian(long bits, int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; ++i) {
            bytes[i] = (byte) (bits >> (8 * i));
        }
        return bytes;
    }

    @Test
    void eachTypeArrivesWithItsWidthAndValue() {
        assertArrayEquals(littleEndian(0x80, 1), seenByKernel("char", 1, (byte) 0x80));
        assertArrayEquals(littleEndian(1, 1), seenByKernel("bool", 1, true));
        assertArrayEquals(littleEndian(0x8001, 2), seenByKernel("short", 2, (short) 0x8001));
        assertArrayEquals(littleEndian(0x80000001L, 4), seenByKernel("int", 4, 0x80000001));
        assertArrayEquals(littleEndian(Fixtures.WIDE, 8), seenByKernel("long long", 8, Fixtures.WIDE));
        assertArrayEquals(littleEndian(Float.floatToRawIntBits(-1.5f), 4), seenByKernel("float", 4, -1.5f));
        assertArrayEquals(littleEndian(Double.doubleToRawLongBits(0.1), 8), seenByKernel("double", 8, 0.1));
    }

    @Test
    void aBufferArrivesAsItsAddress() {
        try (Buffer buffer = device.allocate(16)) {
            assertArrayEquals(littleEndian(buffer.handle(), 8), seenByKernel("void*", 8, buffer));
            assertArrayEquals(littleEndian(buffer.handle(), 8), seenByKernel("void*", 8, buffer.handle()));
        }
    }

    @Test
    void aWidthIsNeverChangedToFit() {
        for (Object wrong : List.of(1L, 1.0, (short) 1, (byte) 1, true)) {
            ArgumentMismatchException error =
                    assertThrows(ArgumentMismatchException.class, () -> seenByKernel("int", 4, wrong));
            assertTrue(error.getMessage().contains("argument 1"), error.getMessage());
        }
    }

    @Test
    void anUnsupportedTypeIsNamedWithItsPosition() {
        for (Object wrong : new Object[] {"text", 'c', new int[] {1}, new Object()}) {
            IllegalArgumentException error =
                    assertThrows(IllegalArgumentException.class, () -> seenByKernel("int", 4, wrong));
            assertTrue(error.getMessage().contains("argument 1"), error.getMessage());
            assertTrue(error.getMessage().contains(wrong.getClass().getName()), error.getMessage());
        }
        IllegalArgumentException error =
                assertThrows(IllegalArgumentException.class, () -> seenByKernel("int*", 8, null));
        assertTrue(error.getMessage().contains("argument 1"), error.getMessage());
        assertTrue(error.getMessage().contains("null"), error.getMessage());
    }

    private static final ElementType MIXED = ElementType.structure("Mixed",
            ElementType.field("a", ElementType.INT8), ElementType.field("b", ElementType.FLOAT64),
            ElementType.field("c", ElementType.INT16));

    @Test
    void aStructArrivesAsItIsLaidOut() {
        String source = "struct Mixed { char a; double b; short c; };"
                + "extern \"C\" __global__ void see(double* out, Mixed m, int last) {"
                + "  out[0] = m.a; out[1] = m.b; out[2] = m.c; out[3] = last; }";
        try (Kernel kernel = Fixtures.kernel(source, "see");
                Stream stream = device.createStream();
                Buffer out = device.allocate(4 * Double.BYTES)) {
            stream.launch(ONE, kernel, out, Value.of(MIXED, 'x' - 0, 2.25, -7), 42);
            double[] result = new double[4];
            out.copyTo(result, stream);
            assertArrayEquals(new double[] {'x', 2.25, -7, 42}, result);
        }
    }

    @Test
    void aValueOfANumberIsThatNumber() {
        assertArrayEquals(littleEndian(0xFFFFFFFFL, 4), seenByKernel("unsigned", 4, Value.of(ElementType.UINT32, -1)));
        assertArrayEquals(littleEndian(0x3C00, 2), seenByKernel("short", 2, Value.of(ElementType.INT16, 0x3C00)));
        assertThrows(ArgumentMismatchException.class, () -> seenByKernel("int", 4, Value.of(1.0f)));
    }

    @Test
    void aStructMustHaveTheParametersSize() {
        ElementType pair = ElementType.structure("Pair",
                ElementType.field("x", ElementType.INT32), ElementType.field("y", ElementType.INT32));
        ArgumentMismatchException error =
                assertThrows(ArgumentMismatchException.class, () -> seenByKernel("int3", 12, Value.of(pair, 1, 2)));
        assertTrue(error.getMessage().contains("argument 1"), error.getMessage());
        assertTrue(error.getMessage().contains("12 bytes"), error.getMessage());
        assertTrue(error.getMessage().contains("8 bytes"), error.getMessage());
    }

    @Test
    void aKernelMayHaveManyParameters() {
        int count = 60;
        String parameters = IntStream.range(0, count).mapToObj(i -> "int p" + i).collect(Collectors.joining(", "));
        String sum = IntStream.range(0, count).mapToObj(i -> (i + 1) + " * p" + i).collect(Collectors.joining(" + "));
        String source = "extern \"C\" __global__ void sum(int* out, " + parameters + ") { *out = " + sum + "; }";
        Object[] arguments = new Object[count + 1];
        Arrays.setAll(arguments, i -> i);
        int expected = IntStream.range(0, count).map(i -> (i + 1) * (i + 1)).sum();
        try (Kernel kernel = Fixtures.kernel(source, "sum");
                Stream stream = device.createStream();
                Buffer out = device.allocate(Integer.BYTES)) {
            arguments[0] = out;
            stream.launch(ONE, kernel, arguments);
            int[] result = new int[1];
            out.copyTo(result, stream);
            assertEquals(expected, result[0]);
        }
    }
}
