using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading.Tasks;
using Cuprum;
using NUnit.Framework;

/// <summary>Communicators over NCCL, of one process and of several: the test csharp_distributed_over_nccl. That the
/// algorithms do over it what they do without it, DistributedTest shows, which runs over it too.</summary>
[TestFixture]
public class NcclTest : LeavesNothing {
    private static readonly Broadcast nothing = bytes => {};
    private string folder;

    [SetUp]
    public void MakeFolder() {
        if (System.Environment.GetEnvironmentVariable("CUPRUM_TEST_OVER_NCCL") == null) {
            Assert.Ignore("runs in csharp_distributed_over_nccl");
        }
        folder = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        Directory.CreateDirectory(folder);
    }

    [TearDown]
    public void RemoveFolder() {
        if (folder != null) {
            Directory.Delete(folder, true);
        }
    }

    private static Device[] TwoDevices { get { return new[] { new Device(1), new Device(0) }; } }

    [Test]
    public void DevicesOfOneProcessAreRanks() {
        var options = new NcclOptions { Timeout = TimeSpan.FromSeconds(30) };
        using (var communicator = new Communicator(TwoDevices, options)) {
            Assert.AreEqual(2, communicator.Size);
            Assert.AreEqual(2, communicator.LocalSize);
            Assert.AreEqual(0, communicator.FirstLocalRank);
            Assert.IsTrue(communicator.IsLocal(1) && !communicator.IsLocal(2) && !communicator.CanReadPeers);
            Assert.AreEqual(6, NcclRank.Sum(communicator));
            communicator.Abort();
            Fixtures.AssertMentions(Assert.Throws<InvalidStateException>(() => NcclRank.Sum(communicator)),
                                    "the program gave it up");
        }
    }

    [Test]
    public void ABroadcastGets128Bytes() {
        var given = new List<byte[]>();
        using (var communicator = new Communicator(new Device(0), new DistributedProcess(0, 1, 0, given.Add))) {
            Assert.AreEqual(3, NcclRank.Sum(communicator));
        }
        Assert.AreEqual(1, given.Count);
        Assert.AreEqual(128, given[0].Length);
        Assert.AreNotEqual(0, given[0][0]);
    }

    [Test]
    public void WhatABroadcastThrowsGoesToTheCaller() {
        var thrown = new NotImplementedException("the network is down");
        var process = new DistributedProcess(0, 1, 0, bytes => { throw thrown; });
        var error = Assert.Throws<NotImplementedException>(() => new Communicator(new Device(0), process));
        Assert.AreSame(thrown, error);
        StringAssert.Contains("WhatABroadcastThrowsGoesToTheCaller", error.StackTrace);
        // An error of Cuprum's own as well.
        process.Broadcast = bytes => DistributedProcess.FromEnvironment();
        Fixtures.AssertMentions(
            Assert.Throws<InvalidStateException>(() => new Communicator(new Device(0), process)), "torchrun");
    }

    private static void AssertRefused(DistributedProcess process, string words) {
        Fixtures.AssertMentions(
            Assert.Throws<InvalidArgumentException>(() => new Communicator(new Device(0), process)), words);
    }

    [Test]
    public void ProcessesThatThereAreNotAreRefused() {
        AssertRefused(new DistributedProcess(2, 2, 0, nothing), "there are 2 processes, expected a rank below that");
        AssertRefused(new DistributedProcess(0, 1, 0, null), "it has no broadcast");
        var process = new DistributedProcess(0, 1, 0, nothing);
        Assert.Throws<ArgumentOutOfRangeException>(() => new DistributedProcess(-1, 2, 0, nothing));
        Assert.Throws<ArgumentOutOfRangeException>(() => new DistributedProcess(0, -1, 0, nothing));
        Assert.Throws<InvalidArgumentException>(() => new Communicator(new Device(99), process));
        Assert.Throws<ArgumentNullException>(() => new Communicator(null, process));
        Assert.Throws<ArgumentNullException>(() => new Communicator(new Device(0), null));
        Assert.Throws<ArgumentNullException>(() => new Communicator(TwoDevices, null));
        var negative = new NcclOptions { Timeout = TimeSpan.FromMilliseconds(-1) };
        Assert.Throws<ArgumentOutOfRangeException>(() => new Communicator(TwoDevices, negative));
        Assert.Throws<ArgumentOutOfRangeException>(() => DistributedProcess.FromEnvironment(TimeSpan.FromDays(50)));
        Fixtures.AssertMentions(Assert.Throws<InvalidStateException>(() => DistributedProcess.FromEnvironment()), "torchrun");
    }

    private static int FreePort() {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        int port = ((IPEndPoint)listener.LocalEndpoint).Port;
        listener.Stop();
        return port;
    }

    private void AssertTwoProcessesWork(params string[] variables) {
        Task<ChildProcess>[] ranks = Enumerable.Range(0, 2).Select(rank => Task.Run(() => {
            ChildProcess child = new ChildProcess()
                .Environment("OMPI_COMM_WORLD_RANK", rank.ToString()).Environment("OMPI_COMM_WORLD_SIZE", "2")
                .Environment("OMPI_COMM_WORLD_LOCAL_RANK", rank.ToString())
                .Environment("CUPRUM_TEST_NCCL_FOLDER", folder);
            for (int i = 0; i < variables.Length; i += 2) {
                child.Environment(variables[i], variables[i + 1]);
            }
            return child.Run("nccl-rank");
        })).ToArray();
        foreach (Task<ChildProcess> rank in ranks) {
            Assert.AreEqual(0, rank.Result.ExitStatus, rank.Result.Output);
        }
    }

    [Test]
    public void TwoProcessesMeetByTcp() {
        AssertTwoProcessesWork("MASTER_ADDR", "127.0.0.1", "CUPRUM_MASTER_PORT", FreePort().ToString());
    }

    [Test]
    public void TwoProcessesMeetByABroadcastOfTheirOwn() {
        string file = Path.Combine(folder, "bytes");
        AssertTwoProcessesWork("CUPRUM_TEST_BROADCAST_FILE", file);
        Assert.IsTrue(File.Exists(file));
    }

    [Test]
    public void NcclThatDoesNotServeIsAnError() {
        ChildProcess missing = new ChildProcess().Hide("libnccl").Environment("LD_LIBRARY_PATH", "").Run("no-nccl");
        Assert.AreEqual(0, missing.ExitStatus, missing.Output);
        StringAssert.StartsWith("LibraryNotFound", missing.Output);
        StringAssert.Contains("nvidia-nccl-cu13", missing.Output);
        ChildProcess old = new ChildProcess().Environment("CUPRUM_TEST_NCCL", "version=2.10").Run("no-nccl");
        StringAssert.StartsWith("Unsupported", old.Output);
        StringAssert.Contains("expected NCCL 2.14 or newer", old.Output);
    }
}
