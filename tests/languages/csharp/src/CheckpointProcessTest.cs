using System;
using System.Collections.Generic;
using System.Diagnostics;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;
using ProcessState = Cuprum.ProcessState;

/// <summary>Checkpoints of this process.</summary>
[TestFixture]
public class CheckpointProcessTest {
    private readonly CheckpointProcess self = new CheckpointProcess(Process.GetCurrentProcess().Id);
    private readonly Device device = new Device(0);

    [Test]
    public void MemoryStays() {
        if (!device.IsSimulator) {
            Assert.Ignore("a GPU's driver wants another process to do it");
        }
        int[] values = { 1, 2, 3 };
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(12, stream)) {
            stream.Sync();    // the copies are in the default stream, which does not wait for this one
            buffer.CopyFrom(values);
            Assert.AreEqual(ProcessState.Running, self.State);
            self.Lock(TimeSpan.FromSeconds(1));
            self.Checkpoint();
            ProcessState state = self.State;
            int thread = self.RestoreThreadId;
            self.Restore();
            self.Unlock();
            Assert.AreEqual(ProcessState.Checkpointed, state);
            Assert.AreEqual(self.Pid, thread);
            Assert.AreEqual(ProcessState.Running, self.State);
            var found = new int[3];
            buffer.CopyTo(found);
            CollectionAssert.AreEqual(values, found);
        }
    }

    [Test]
    public void WhatCannotBeIsRefused() {
        Assert.Throws<ArgumentOutOfRangeException>(() => new CheckpointProcess(0));
        Assert.Throws<ArgumentOutOfRangeException>(() => self.Lock(TimeSpan.FromSeconds(-1)));
        var wrong = new Dictionary<string, string> { { device.Uuid, "GPU-1" } };
        StringAssert.Contains("'GPU-1' is no UUID of a GPU",
                              Assert.Throws<InvalidArgumentException>(() => self.Restore(wrong)).Message);
        if (device.IsSimulator) {
            Assert.Throws<DriverException>(() => self.Unlock());
            Assert.Throws<UnsupportedException>(() => new CheckpointProcess(1).Lock());
        }
    }
}
