package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.Stream;
import io.cuprum.TensorMapDataType;
import io.cuprum.TensorMapDescriptor;
import io.cuprum.TensorMapDescriptorOptions;
import io.cuprum.TensorMapTensor;
import io.cuprum.UnsupportedException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tensor maps: refused where the device has none, else made and given to kernels. */
@ExtendWith(NoLeaks.class)
class TensorMapTest {
    private static final TensorMapDescriptorOptions PLAIN = new TensorMapDescriptorOptions();
    private static final String SOURCE = """
            struct alignas(64) Map { unsigned long long words[16]; };
            extern "C" __global__ void copy_map(const __grid_constant__ Map map, unsigned long long* out) {
                out[threadIdx.x] = map.words[threadIdx.x];
            }
            """;

    private final Device device = new Device(0);

    @Test
    void aKernelIsGivenTheMap() {
        try (Buffer memory = device.allocate(8192)) {
            TensorMapTensor tensor = new TensorMapTensor(memory, TensorMapDataType.FLOAT32, 32, 64);
            if (device.computeCapability().major() < 9) {
                assertThrows(UnsupportedException.class,
                        () -> TensorMapDescriptor.tiled(device, tensor, new int[] {8, 16}, PLAIN));
                return;
            }
            TensorMapDescriptor map = TensorMapDescriptor.tiled(device, tensor, new int[] {8, 16}, PLAIN);
            assertEquals(device, map.device());
            byte[] before = map.bytes();
            try (Program program = new Program(SOURCE); ObjectCode code = program.compile();
                    Kernel kernel = code.getKernel("copy_map"); Stream stream = device.createStream();
                    Buffer out = device.allocate(128)) {
                stream.launch(new LaunchConfig(1, 16), kernel, map, out);
                stream.sync();
                byte[] found = new byte[128];
                out.copyTo(found);
                assertArrayEquals(before, found);
            }
            map.replaceAddress(memory.handle() + 1024);
            assertFalse(Arrays.equals(before, map.bytes()));
            map.replaceAddress(memory.handle());
            assertArrayEquals(before, map.bytes());
            assertEquals(128, TensorMapDescriptor.im2col(device,
                    new TensorMapTensor(memory, TensorMapDataType.FLOAT32, 1, 8, 8, 16), new int[] {-1, -1},
                    new int[] {-1, -1}, 16, 64, PLAIN).bytes().length);
        }
    }

    @Test
    void numbersFitTheTensor() {
        try (Buffer memory = device.allocate(8192)) {
            TensorMapTensor tensor = new TensorMapTensor(memory, TensorMapDataType.FLOAT32, 32, 64);
            assertThrows(IllegalArgumentException.class,
                    () -> TensorMapDescriptor.tiled(device, tensor, new int[] {8}, PLAIN));
            assertThrows(IllegalArgumentException.class, () -> TensorMapDescriptor.tiled(device,
                    new TensorMapTensor(memory, TensorMapDataType.FLOAT32), new int[] {}, PLAIN));
            assertThrows(IllegalArgumentException.class, () -> TensorMapDescriptor.im2col(
                    device, tensor, new int[] {1}, new int[] {1}, 1, 1, PLAIN));
        }
    }
}
