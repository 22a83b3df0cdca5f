// What a program does, for tools to see: ranges and marks of NVTX, which Nsight Systems and Cuprum's own trace show
// (cuprum trace -- java ...); and how many objects are alive.
// usage: java -cp cuprum.jar:examples Ranges

import java.util.Map;

import io.cuprum.Buffer;
import io.cuprum.Cuprum;
import io.cuprum.Device;
import io.cuprum.Nvtx;
import io.cuprum.Stream;

public final class Ranges {
    private static final int N = 1000;

    private Ranges() {}

    /** Whether that many streams and buffers more are alive. */
    private static boolean areMore(Map<String, Long> before, int more) {
        Map<String, Long> now = Cuprum.liveObjects();
        return now.get("stream") == before.get("stream") + more && now.get("buffer") == before.get("buffer") + more;
    }

    public static void main(String[] arguments) {
        Device device = new Device(0);
        int[] values = new int[N];
        int wrong = 0;
        Map<String, Long> before = Cuprum.liveObjects();
        Nvtx.pushRange("fill and copy");
        try (Stream stream = device.createStream();
                Buffer buffer = device.allocate(Integer.BYTES * (long) N, stream)) {
            long copying = Nvtx.startRange("copying");
            buffer.fill(42, 4, stream);
            Nvtx.mark("filled");
            stream.sync();
            buffer.copyTo(values);
            Nvtx.endRange(copying);
            wrong += areMore(before, 1) ? 0 : 1;
        }
        Nvtx.popRange();
        for (int each : values) {
            wrong += each == 42 ? 0 : 1;
        }
        wrong += areMore(before, 0) ? 0 : 1;
        System.out.printf("ranges on %s: %d wrong%n", device.name(), wrong);
        System.exit(wrong == 0 ? 0 : 1);
    }
}
