package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cuprum.Buffer;
import io.cuprum.CheckpointProcess;
import io.cuprum.Device;
import io.cuprum.DriverException;
import io.cuprum.InvalidArgumentException;
import io.cuprum.Stream;
import io.cuprum.UnsupportedException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Checkpoints of this process. */
class CheckpointProcessTest {
    private final CheckpointProcess self = new CheckpointProcess(ProcessHandle.current().pid());
    private final Device device = new Device(0);

    @Test
    void memoryStays() {
        assumeTrue(device.isSimulator(), "a GPU's driver wants another process to do it");
        int[] values = {1, 2, 3};
        try (Stream stream = device.createStream();
                Buffer buffer = device.allocate(12, stream)) {
            stream.sync(); // the copies are in the default stream, which does not wait for this one
            buffer.copyFrom(values);
            assertEquals(CheckpointProcess.State.RUNNING, self.state());
            self.lock(1000);
            self.checkpoint();
            CheckpointProcess.State state = self.state();
            int thread = self.restoreThreadId();
            self.restore();
            self.unlock();
            assertEquals(CheckpointProcess.State.CHECKPOINTED, state);
            assertEquals(self.pid(), thread);
            assertEquals(CheckpointProcess.State.RUNNING, self.state());
            int[] found = new int[3];
            buffer.copyTo(found);
            assertArrayEquals(values, found);
        }
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new CheckpointProcess(0));
        assertThrows(IllegalArgumentException.class, () -> self.lock(-1));
        Map<String, String> wrong = Map.of(device.uuid(), "GPU-1");
        String message = assertThrows(InvalidArgumentException.class, () -> self.restore(wrong)).getMessage();
        assertTrue(message.contains("'GPU-1' is no UUID of a GPU"), message);
        assumeTrue(device.isSimulator());
        assertThrows(DriverException.class, self::unlock);
        long parent = ProcessHandle.current().parent().orElseThrow().pid();
        assertThrows(UnsupportedException.class, () -> new CheckpointProcess(parent).lock());
    }
}
