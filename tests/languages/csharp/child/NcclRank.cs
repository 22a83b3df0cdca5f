using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using Cuprum;
using Buffer = Cuprum.Buffer;

/// <summary>One of two processes with a device each, over NCCL, which NcclTest starts.</summary>
internal static class NcclRank {
    /// <summary>Of 1, 2 and 3 in all, of which rank 1 has one.</summary>
    public static int Sum(Communicator communicator) {
        var inputs = new List<Shard>();
        var outputs = new List<Shard>();
        try {
            for (int place = 0; place < communicator.LocalSize; ++place) {
                int rank = (int)communicator.FirstLocalRank + place;
                int[] elements = rank == 0 ? new[] { 1, 2 } : new[] { 3 };
                Device device = communicator.Device((uint)rank);
                inputs.Add(Shard.Of<int>(device.Allocate((ulong)elements.Length * 4)));
                outputs.Add(Shard.Of<int>(device.Allocate(4)));
                inputs[place].Memory.CopyFrom(elements);
            }
            using (var plus = new Operator("plus"))
            using (var reduce = new Distributed.Reduce<int, int>(communicator, plus)) {
                reduce.Call(inputs, outputs);
            }
            var result = new int[1];
            outputs.Last().Memory.CopyTo(result);
            return result[0];
        } finally {
            foreach (Shard shard in inputs.Concat(outputs)) {
                shard.Memory.Dispose();
            }
        }
    }

    /// <summary>As MPI would, where no TCP is to be used.</summary>
    private static void BroadcastByFile(string file, int rank, byte[] bytes) {
        if (rank == 0) {
            File.WriteAllBytes(file + ".new", bytes);
            File.Move(file + ".new", file);
            return;
        }
        while (!File.Exists(file)) {
            Thread.Sleep(5);
        }
        Array.Copy(File.ReadAllBytes(file), bytes, bytes.Length);
    }

    private static void Require(bool condition, string what) {
        if (!condition) {
            throw new InvalidOperationException(what);
        }
    }

    public static void Run() {
        DistributedProcess process = DistributedProcess.FromEnvironment();
        string file = Environment.GetEnvironmentVariable("CUPRUM_TEST_BROADCAST_FILE");
        if (file != null) {
            Require(process.Broadcast == null, "there is a broadcast by TCP");
            process.Broadcast = bytes => BroadcastByFile(file, process.Rank, bytes);
        }
        var device = new Device(process.LocalRank);
        using (var communicator = new Communicator(device, process))
        using (Buffer own = device.Allocate(4), all = device.Allocate(8)) {
            Require(communicator.Size == 2 && communicator.LocalSize == 1, "other ranks");
            Require((int)communicator.FirstLocalRank == process.Rank, "another rank");
            Require(Sum(communicator) == 6, "another sum");
            // Each sends its number to both, which both list alike.
            own.CopyFrom(new[] { 10 + process.Rank });
            var messages = new List<Message>();
            for (uint from = 0; from < 2; ++from) {
                for (uint to = 0; to < 2; ++to) {
                    messages.Add(new Message(from, to, own, 0, all, 4 * from, 4));
                }
            }
            communicator.Exchange(messages);
            communicator.Sync();
            var received = new int[2];
            all.CopyTo(received);
            Require(received.SequenceEqual(new[] { 10, 11 }), string.Join(", ", received));
        }
    }

    /// <summary>Prints why there is no communicator.</summary>
    public static void WithoutNccl() {
        try {
            new Communicator(Device.GetAllDevices(), new NcclOptions()).Dispose();
        } catch (CuprumException error) {
            Console.WriteLine(error.Status + " " + error.Message);
        }
    }
}
