// One of several processes with a device each, which sort numbers together over NCCL:
//   torchrun --no-python --nproc-per-node=2 java -cp cuprum.jar:examples ParallelSeveralProcesses
// mpirun and srun will do, with MASTER_ADDR and MASTER_PORT set. Started alone, it is the only one.

import io.cuprum.Buffer;
import io.cuprum.Communicator;
import io.cuprum.Device;
import io.cuprum.Distributed;
import io.cuprum.ElementType;
import io.cuprum.InvalidStateException;
import io.cuprum.NotFoundException;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.DistributedProcess;
import io.cuprum.Shard;
import io.cuprum.SortOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

public final class ParallelSeveralProcesses {
    private static final int EACH = 5000;

    private ParallelSeveralProcesses() {}

    private static DistributedProcess findProcess() {
        try {
            return DistributedProcess.fromEnvironment();
        } catch (InvalidStateException alone) {
            return new DistributedProcess(0, 1, 0, bytes -> {});    // a broadcast to nobody
        }
    }

    private static boolean run() {
        DistributedProcess process = findProcess();
        Device device = new Device(process.localRank());
        int n = process.count() * EACH;
        int first = process.rank() * EACH;
        try (Communicator communicator = new Communicator(device, process);
                Buffer memory = device.allocate((long) EACH * Integer.BYTES);
                Buffer largest = device.allocate(Integer.BYTES);
                Operator maximum = new Operator(OpKind.MAXIMUM);
                Distributed.Reduce reduce =
                        new Distributed.Reduce(communicator, ElementType.INT32, maximum, ElementType.INT32);
                Distributed.RadixSort sort =
                        new Distributed.RadixSort(communicator, SortOrder.ASCENDING, ElementType.INT32)) {
            // n - 1, n - 2, ... 0 in all, of which this process has its part.
            memory.copyFrom(IntStream.range(first, first + EACH).map(i -> n - 1 - i).toArray());
            List<Shard> numbers = List.of(Shard.of(ElementType.INT32, memory));
            reduce.call(numbers, List.of(Shard.of(ElementType.INT32, largest)));
            sort.call(numbers, numbers);    // in place

            int[] found = new int[EACH];
            int[] greatest = new int[1];
            memory.copyTo(found);
            largest.copyTo(greatest);
            boolean ok = Arrays.equals(found, IntStream.range(first, first + EACH).toArray()) && greatest[0] == n - 1;
            System.out.println("process " + process.rank() + " of " + process.count() + " has " + found[0] + " to "
                    + found[EACH - 1] + ": " + (ok ? "ok" : "WRONG"));
            return ok;
        }
    }

    public static void main(String[] arguments) {
        try {
            System.exit(run() ? 0 : 1);
        } catch (NotFoundException error) {
            System.out.println("this machine has no NCCL\n" + error.getMessage());
        }
    }
}
