// Two streams: the second one waits for an event of the first, and other events measure how long a kernel takes.
// usage: java -cp cuprum.jar:examples Events

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Event;
import io.cuprum.EventOptions;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;

public final class Events {
    private static final String SOURCE = """
            extern "C" __global__ void grow(int* values, int factor, int summand, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) values[i] = values[i] * factor + summand;
            }
            """;
    private static final int N = 100_000;

    private Events() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        LaunchConfig config = LaunchConfig.forNumElements(N, 256);
        int[] result = new int[N];
        float milliseconds;
        try (Program program = new Program(SOURCE, new ProgramOptions().name("grow.cu"));
                ObjectCode code = program.compile();
                Kernel grow = code.getKernel("grow");
                Stream first = device.createStream();
                Stream second = device.createStream();
                Event start = device.createEvent(EventOptions.timing());
                Event end = device.createEvent(EventOptions.timing());
                Buffer values = device.allocate(N * Integer.BYTES, first)) {
            values.fill(0, 4, first);

            first.record(start);
            first.launch(config, grow, values, 1, 3, N);
            first.record(end);
            second.waitFor(end);    // not this thread: it goes on
            second.launch(config, grow, values, 5, 1, N);
            values.copyTo(result, second);
            first.waitFor(second);    // in which the memory is freed
            first.sync();
            milliseconds = Event.elapsedTime(start, end);
        }
        int wrong = 0;
        for (int value : result) {
            wrong += value == 16 ? 0 : 1;
        }
        System.out.printf("%d values in two streams, the first kernel in %.3f ms, on %s: %d wrong%n", N, milliseconds,
                device.name(), wrong);
        System.exit(wrong == 0 && milliseconds >= 0 ? 0 : 1);
    }
}
