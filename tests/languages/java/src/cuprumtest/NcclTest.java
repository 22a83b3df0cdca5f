package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cuprum.Broadcast;
import io.cuprum.Communicator;
import io.cuprum.CuprumException;
import io.cuprum.Device;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.NcclOptions;
import io.cuprum.DistributedProcess;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Communicators over NCCL, of one process and of several: the test java_distributed_over_nccl. That the algorithms do over
 * it what they do without it, DistributedTest shows, which runs over it too.
 */
@ExtendWith(NoLeaks.class)
final class NcclTest {
    private static final Broadcast NOTHING = bytes -> {};

    @BeforeEach
    void checkThatThereIsNccl() {
        assumeTrue(System.getenv("CUPRUM_TEST_OVER_NCCL") != null, "runs in java_distributed_over_nccl");
    }

    private static List<Device> twoDevices() {
        return List.of(new Device(1), new Device(0));
    }

    @Test
    void devicesOfOneProcessAreRanks() {
        try (Communicator communicator = new Communicator(twoDevices(), new NcclOptions(Duration.ofSeconds(30)))) {
            assertEquals(2, communicator.size());
            assertEquals(2, communicator.localSize());
            assertEquals(0, communicator.firstLocalRank());
            assertTrue(communicator.isLocal(1) && !communicator.isLocal(2) && !communicator.canReadPeers());
            assertEquals(6, NcclRank.sum(communicator));
            communicator.abort();
            InvalidStateException error =
                    assertThrows(InvalidStateException.class, () -> NcclRank.sum(communicator));
            assertTrue(error.getMessage().contains("the program gave it up"), error.getMessage());
        }
    }

    @Test
    void aBroadcastGets128Bytes() {
        List<byte[]> given = new ArrayList<>();
        Device device = new Device(0);
        try (Communicator communicator = new Communicator(device, new DistributedProcess(0, 1, 0, given::add))) {
            assertEquals(3, NcclRank.sum(communicator));
        }
        assertEquals(1, given.size());
        assertEquals(128, given.get(0).length);
        assertNotEquals(0, given.get(0)[0]);
    }

    private static void assertThrown(Throwable thrown) {
        DistributedProcess process = new DistributedProcess(0, 1, 0, bytes -> NcclTest.<RuntimeException>sneak(thrown));
        Throwable error = assertThrows(thrown.getClass(), () -> new Communicator(new Device(0), process));
        assertSame(thrown, error);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void whatABroadcastThrowsGoesToTheCaller() {
        for (Throwable thrown : List.of(
                new IllegalStateException("the network is down"), new StackOverflowError(), new IOException("closed"))) {
            assertThrown(thrown);
        }
        // An error of Cuprum's own as well.
        DistributedProcess process = new DistributedProcess(0, 1, 0, bytes -> DistributedProcess.fromEnvironment());
        InvalidStateException error =
                assertThrows(InvalidStateException.class, () -> new Communicator(new Device(0), process));
        assertTrue(error.getMessage().contains("torchrun"), error.getMessage());
    }

    private static void assertRefused(DistributedProcess process, String words) {
        InvalidArgumentException error =
                assertThrows(InvalidArgumentException.class, () -> new Communicator(new Device(0), process));
        assertTrue(error.getMessage().contains(words), error.getMessage());
    }

    @Test
    void processesThatThereAreNotAreRefused() {
        assertRefused(new DistributedProcess(2, 2, 0, NOTHING), "there are 2 processes, expected a rank below that");
        assertRefused(new DistributedProcess(-1, 2, 0, NOTHING), "expected a rank below that");
        assertRefused(new DistributedProcess(0, 1, 0, null), "it has no broadcast");
        DistributedProcess process = new DistributedProcess(0, 1, 0, NOTHING);
        assertThrows(CuprumException.class, () -> new Communicator(new Device(99), process));
        assertThrows(NullPointerException.class, () -> new Communicator((Device) null, process));
        assertThrows(NullPointerException.class, () -> new Communicator(new Device(0), (DistributedProcess) null));
        assertThrows(NullPointerException.class, () -> new Communicator(twoDevices(), null));
        assertThrows(IllegalArgumentException.class, () -> new NcclOptions(Duration.ofMillis(-1)));
        assertThrows(IllegalArgumentException.class, () -> new NcclOptions(Duration.ofDays(50)));
        InvalidStateException error = assertThrows(InvalidStateException.class, DistributedProcess::fromEnvironment);
        assertTrue(error.getMessage().contains("torchrun"), error.getMessage());
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static ChildProcess.Builder rank(int rank, Path folder) {
        return new ChildProcess.Builder()
                .environment("OMPI_COMM_WORLD_RANK", String.valueOf(rank))
                .environment("OMPI_COMM_WORLD_SIZE", "2")
                .environment("OMPI_COMM_WORLD_LOCAL_RANK", String.valueOf(rank))
                .environment("CUPRUM_TEST_NCCL_FOLDER", folder.toString());
    }

    private static void assertTwoProcessesWork(ChildProcess.Builder first, ChildProcess.Builder second)
            throws Exception {
        java.lang.Process started = first.start("nccl-rank");
        ChildProcess other = second.run("nccl-rank");
        ChildProcess one = ChildProcess.finish(started);
        assertEquals(0, one.exitStatus, one.output);
        assertEquals(0, other.exitStatus, other.output);
    }

    @Test
    void twoProcessesMeetByTcp(@TempDir Path folder) throws Exception {
        String port = String.valueOf(freePort());
        ChildProcess.Builder[] ranks = new ChildProcess.Builder[2];
        for (int rank = 0; rank < 2; ++rank) {
            ranks[rank] =
                    rank(rank, folder).environment("MASTER_ADDR", "127.0.0.1").environment("CUPRUM_MASTER_PORT", port);
        }
        assertTwoProcessesWork(ranks[0], ranks[1]);
    }

    @Test
    void twoProcessesMeetByABroadcastOfTheirOwn(@TempDir Path folder) throws Exception {
        String file = folder.resolve("bytes").toString();
        assertTwoProcessesWork(rank(0, folder).environment("CUPRUM_TEST_BROADCAST_FILE", file),
                rank(1, folder).environment("CUPRUM_TEST_BROADCAST_FILE", file));
        assertTrue(Files.exists(Path.of(file)));
    }

    @Test
    void ncclThatDoesNotServeIsAnError() throws Exception {
        ChildProcess missing = new ChildProcess.Builder().hide("libnccl").environment("LD_LIBRARY_PATH", "").run("no-nccl");
        assertEquals(0, missing.exitStatus, missing.output);
        assertTrue(missing.output.startsWith("LIBRARY_NOT_FOUND") && missing.output.contains("nvidia-nccl-cu13"),
                missing.output);
        ChildProcess old = new ChildProcess.Builder().environment("CUPRUM_TEST_NCCL", "version=2.10").run("no-nccl");
        assertTrue(old.output.startsWith("UNSUPPORTED") && old.output.contains("expected NCCL 2.14 or newer"),
                old.output);
        assertNull(System.getenv("CUPRUM_TEST_NCCL"));
    }
}
