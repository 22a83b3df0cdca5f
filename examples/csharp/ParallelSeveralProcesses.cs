// One of several processes with a device each, which sort numbers together over NCCL:
//   torchrun --no-python --nproc-per-node=2 mono ParallelSeveralProcesses.exe
// mpirun and srun will do, with MASTER_ADDR and MASTER_PORT set. Started alone, it is the only one.

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelSeveralProcesses {
    private const int Each = 5000;

    private static DistributedProcess FindProcess() {
        try {
            return DistributedProcess.FromEnvironment();
        } catch (InvalidStateException) {
            return new DistributedProcess(0, 1, 0, bytes => {});    // a broadcast to nobody
        }
    }

    private static int Main() {
        DistributedProcess process = FindProcess();
        var device = new Device(process.LocalRank);
        int n = process.Count * Each, first = process.Rank * Each;
        try {
            using (var communicator = new Communicator(device, process))
            using (Buffer memory = device.Allocate(Each * sizeof(int)), largest = device.Allocate(sizeof(int)))
            using (var maximum = new Operator(OpKind.Maximum))
            using (var reduce = new Distributed.Reduce<int, int>(communicator, maximum))
            using (var sort = new Distributed.RadixSort<int>(communicator, SortOrder.Ascending)) {
                // n - 1, n - 2, ... 0 in all, of which this process has its part.
                memory.CopyFrom(Enumerable.Range(first, Each).Select(number => n - 1 - number).ToArray());
                Shard[] numbers = { Shard.Of<int>(memory) };
                reduce.Call(numbers, new[] { Shard.Of<int>(largest) });
                sort.Call(numbers, numbers);    // in place

                var found = new int[Each];
                var greatest = new int[1];
                memory.CopyTo(found);
                largest.CopyTo(greatest);
                bool ok = found.SequenceEqual(Enumerable.Range(first, Each)) && greatest[0] == n - 1;
                Console.WriteLine("process {0} of {1} has {2} to {3}: {4}", process.Rank, process.Count, found[0],
                                  found[Each - 1], ok ? "ok" : "WRONG");
                return ok ? 0 : 1;
            }
        } catch (NotFoundException error) {
            Console.WriteLine("this machine has no NCCL\n" + error.Message);
            return 0;
        }
    }
}
