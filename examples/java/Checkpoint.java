// A checkpoint of this process: while its GPU memory is in the host's, it holds no GPU, which others may use. A GPU's driver
// leaves that to another process; there this one says so.
// usage: java -cp cuprum.jar:examples Checkpoint

import io.cuprum.Buffer;
import io.cuprum.CheckpointProcess;
import io.cuprum.Device;
import io.cuprum.Stream;

public final class Checkpoint {
    private static final int N = 1000;

    private Checkpoint() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        if (!device.isSimulator()) {
            System.out.printf("checkpoint on %s: has to be made by another process%n", device.name());
            return;
        }
        int[] values = new int[N];
        int wrong = 0;
        try (Stream stream = device.createStream();
                Buffer buffer = device.allocate(Integer.BYTES * (long) N, stream)) {
            buffer.fill(42, 4, stream);
            stream.sync();

            CheckpointProcess process = new CheckpointProcess(ProcessHandle.current().pid());
            process.lock(); // from here on every other call of CUDA waits
            process.checkpoint(); // the GPU is free
            wrong += process.state() == CheckpointProcess.State.CHECKPOINTED ? 0 : 1;
            process.restore();
            process.unlock();

            buffer.copyTo(values);
        }
        for (int each : values) {
            wrong += each == 42 ? 0 : 1;
        }
        System.out.printf("checkpoint on %s: %d wrong%n", device.name(), wrong);
        System.exit(wrong == 0 ? 0 : 1);
    }
}
