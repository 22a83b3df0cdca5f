package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.Cuprum;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;

/** What the tests share. They run on the simulator (CUPRUM_DRIVER=sim) and on a GPU (CUPRUM_DRIVER=gpu). */
final class Fixtures {
    static final String SAXPY = """
            extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) y[i] = a * x[i] + y[i];
            }
            """;
    static final long WIDE = 0xFFFFFFFF00000001L;

    private Fixtures() {}

    static Kernel kernel(String source, String name) {
        try (Program program = new Program(source, new ProgramOptions().name(name + ".cu"));
                ObjectCode code = program.compile()) {
            return code.getKernel(name);
        }
    }

    static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** Launches saxpy once more over buffers of four ones, and finds that it works. */
    static void assertStillUsable(Stream stream, Kernel saxpy, Buffer x, Buffer y) {
        float[] ones = {1, 1, 1, 1};
        stream.sync();  // a copy without a stream does not wait for what is still in this one
        x.copyFrom(ones);
        y.copyFrom(ones);
        stream.launch(new LaunchConfig(1, 32), saxpy, 2.0f, x, y, 4);
        float[] result = new float[4];
        y.copyTo(result, stream);
        for (float value : result) {
            assertEquals(3.0f, value);
        }
    }

    /**
     * How many native objects are in use. Garbage of earlier tests is collected first, so that it does not go, and
     * change the count, during the test that counts. What other threads still hold stays, after five attempts.
     */
    static long liveHandlesWithoutGarbage() throws InterruptedException {
        for (int attempt = 0; attempt < 5 && Cuprum.liveHandles() > 0; ++attempt) {
            System.gc();
            Thread.sleep(20);    // the Cleaner's thread runs behind the collector
        }
        return Cuprum.liveHandles();
    }

    /**
     * Collects garbage until no more native objects are in use than these; fewer, when garbage of earlier tests goes as
     * well.
     */
    static void awaitLiveHandles(long expected) throws InterruptedException {
        Instant deadline = Instant.now().plus(Duration.ofSeconds(20));
        while (Cuprum.liveHandles() > expected && Instant.now().isBefore(deadline)) {
            System.gc();
            Thread.sleep(10);
        }
        assertTrue(Cuprum.liveHandles() <= expected, () -> Cuprum.liveHandles() + " native objects, not " + expected);
    }
}
