// Several devices: each computes a part, and copies it to the first one. With one device it has all parts.
// usage: java -cp cuprum.jar:examples SeveralDevices

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;
import java.util.ArrayList;
import java.util.List;

public final class SeveralDevices {
    private static final String SOURCE = """
            extern "C" __global__ void squares(int* values, int first, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) values[i] = (first + i) * (first + i);
            }
            """;
    private static final int PARTS = 4;
    private static final int N = 1000;    // values in a part
    private static final int PART_SIZE = N * Integer.BYTES;

    private SeveralDevices() {}

    /** What a device is at work on. */
    private record Part(Stream stream, Buffer values) {}

    public static void main(String[] arguments) {
        List<Device> devices = Device.getAllDevices();
        int[] result;
        try (Program program = new Program(SOURCE, new ProgramOptions().name("squares.cu"));
                ObjectCode code = program.compile();
                Kernel squares = code.getKernel("squares")) {    // it runs on every device
            List<Part> atWork = new ArrayList<>();
            for (int number = 0; number < PARTS; ++number) {
                atWork.add(begin(devices.get(number % devices.size()), number * N, squares));
            }
            result = collect(devices.get(0), atWork);
        }
        int wrong = 0;
        for (int i = 0; i < result.length; ++i) {
            wrong += result[i] == i * i ? 0 : 1;
        }
        System.out.printf("%d parts by %d device(s), the first is %s: %d wrong%n", PARTS, devices.size(),
                devices.get(0).name(), wrong);
        System.exit(wrong == 0 ? 0 : 1);
    }

    private static Part begin(Device device, int first, Kernel squares) {
        Stream stream = device.createStream();
        Buffer values = device.allocate(PART_SIZE, stream);
        stream.launch(LaunchConfig.forNumElements(N, 128), squares, values, first, N);
        return new Part(stream, values);
    }

    private static int[] collect(Device device, List<Part> atWork) {
        int[] result = new int[PARTS * N];
        try (Stream stream = device.createStream();
                Buffer whole = device.allocate((long) PARTS * PART_SIZE, stream)) {
            for (int number = 0; number < PARTS; ++number) {
                Part part = atWork.get(number);
                stream.waitFor(part.stream());    // which may be another device's
                try (Buffer there =
                        Buffer.fromHandle(device, whole.handle() + (long) number * PART_SIZE, PART_SIZE)) {
                    there.copyFrom(part.values(), stream);
                }
            }
            whole.copyTo(result, stream);
            stream.sync();
        }
        for (Part part : atWork) {
            part.values().close();
            part.stream().close();
        }
        return result;
    }
}
