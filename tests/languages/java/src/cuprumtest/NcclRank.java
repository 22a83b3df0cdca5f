package cuprumtest;

import io.cuprum.Buffer;
import io.cuprum.Communicator;
import io.cuprum.CuprumException;
import io.cuprum.Device;
import io.cuprum.Distributed;
import io.cuprum.ElementType;
import io.cuprum.Message;
import io.cuprum.NcclOptions;
import io.cuprum.Operator;
import io.cuprum.DistributedProcess;
import io.cuprum.Shard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One of two processes with a device each, over NCCL, which NcclTest starts. */
final class NcclRank {
    private NcclRank() {}

    /** Of 1, 2 and 3 in all, of which rank 1 has one. */
    static int sum(Communicator communicator) {
        List<Shard> inputs = new ArrayList<>();
        List<Shard> outputs = new ArrayList<>();
        try (Operator plus = new Operator("plus");
                Distributed.Reduce reduce =
                        new Distributed.Reduce(communicator, ElementType.INT32, plus, ElementType.INT32)) {
            for (int place = 0; place < communicator.localSize(); ++place) {
                int rank = communicator.firstLocalRank() + place;
                int[] elements = rank == 0 ? new int[] {1, 2} : new int[] {3};
                Device device = communicator.device(rank);
                inputs.add(Shard.of(ElementType.INT32, device.allocate(4L * elements.length)));
                outputs.add(Shard.of(ElementType.INT32, device.allocate(4)));
                inputs.get(place).memory().copyFrom(elements);
            }
            reduce.call(inputs, outputs);
            int[] result = new int[1];
            outputs.get(outputs.size() - 1).memory().copyTo(result);
            return result[0];
        } finally {
            inputs.forEach(shard -> shard.memory().close());
            outputs.forEach(shard -> shard.memory().close());
        }
    }

    /** As MPI would, where no TCP is to be used. */
    private static void broadcastByFile(Path file, int rank, byte[] bytes) {
        try {
            if (rank == 0) {
                Path whole = Files.write(file.resolveSibling("new"), bytes);
                Files.move(whole, file);
                return;
            }
            while (!Files.exists(file)) {
                Thread.onSpinWait();
            }
            System.arraycopy(Files.readAllBytes(file), 0, bytes, 0, bytes.length);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    static void run() {
        DistributedProcess process = DistributedProcess.fromEnvironment();
        String file = System.getenv("CUPRUM_TEST_BROADCAST_FILE");
        if (file != null) {
            require(process.broadcast() == null, "there is a broadcast by TCP");
            int rank = process.rank();
            process = process.withBroadcast(bytes -> broadcastByFile(Path.of(file), rank, bytes));
        }
        Device device = new Device(process.localRank());
        try (Communicator communicator = new Communicator(device, process);
                Buffer own = device.allocate(4);
                Buffer all = device.allocate(8)) {
            require(communicator.size() == 2 && communicator.localSize() == 1, "other ranks");
            require(communicator.firstLocalRank() == process.rank(), "another rank");
            require(sum(communicator) == 6, "another sum");
            // Each sends its number to both, which both list alike.
            own.copyFrom(new int[] {10 + process.rank()});
            List<Message> messages = new ArrayList<>();
            for (int from = 0; from < 2; ++from) {
                for (int to = 0; to < 2; ++to) {
                    messages.add(new Message(from, to, own, 0, all, 4L * from, 4));
                }
            }
            communicator.exchange(messages);
            communicator.sync();
            int[] received = new int[2];
            all.copyTo(received);
            require(Arrays.equals(received, new int[] {10, 11}), Arrays.toString(received));
        }
    }

    /** Prints why there is no communicator. */
    static void withoutNccl() {
        try (Communicator none = new Communicator(Device.getAllDevices(), new NcclOptions())) {
            throw new AssertionError(none + " was made");
        } catch (CuprumException error) {
            System.out.println(error.status() + " " + error.getMessage());
        }
    }
}
