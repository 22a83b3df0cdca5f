using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

[TestFixture]
public class LifetimeTest : LeavesNothing {
    private readonly Device device = new Device(0);

    [Test]
    public void DisposingDestroysAtOnceAndOnlyOnce() {
        ulong before = CuprumLibrary.LiveHandles;
        var program = new Program(Fixtures.Saxpy);
        ObjectCode code = program.Compile();
        Kernel kernel = code.GetKernel("saxpy");
        Stream stream = device.CreateStream();
        Event recorded = device.CreateEvent();
        Buffer buffer = device.Allocate(16);
        ulong left = 6;
        Assert.AreEqual(before + left, CuprumLibrary.LiveHandles);
        foreach (IDisposable owner in new IDisposable[] { program, code, kernel, stream, recorded, buffer }) {
            for (int i = 0; i < 3; ++i) {
                owner.Dispose();
            }
            Assert.AreEqual(before + --left, CuprumLibrary.LiveHandles);
        }
        Assert.IsTrue(program.IsClosed && code.IsClosed && kernel.IsClosed && stream.IsClosed && recorded.IsClosed
                      && buffer.IsClosed);
    }

    [Test]
    public void UsingAClosedObjectIsAnErrorThatNamesIt() {
        var program = new Program(Fixtures.Saxpy);
        ObjectCode code = program.Compile();
        Kernel kernel = code.GetKernel("saxpy");
        Stream stream = device.CreateStream();
        Event recorded = device.CreateEvent();
        Buffer buffer = device.Allocate(16);
        foreach (IDisposable owner in new IDisposable[] { program, code, kernel, stream, recorded, buffer }) {
            owner.Dispose();
        }
        AssertClosed("Program", () => program.Compile());
        AssertClosed("ObjectCode", () => code.GetKernel("saxpy"));
        AssertClosed("ObjectCode", () => code.Code());
        AssertClosed("Kernel \"saxpy\"", () => Read(kernel.Name));
        AssertClosed("Stream", () => stream.Sync());
        AssertClosed("Stream", () => Read(stream.IsDone));
        AssertClosed("Stream", () => device.Allocate(16, stream));
        AssertClosed("Event", () => recorded.Sync());
        AssertClosed("Buffer", () => Read(buffer.Size));
        AssertClosed("Buffer", () => buffer.CopyFrom(new int[1]));
        AssertClosed("Buffer", () => buffer.CopyTo(new int[1]));
        using (Stream open = device.CreateStream())
        using (Kernel openKernel = Fixtures.Kernel(Fixtures.Saxpy, "saxpy"))
        using (Buffer x = device.Allocate(16))
        using (Buffer y = device.Allocate(16)) {
            AssertClosed("Event", () => open.Record(recorded));
            AssertClosed("Event", () => open.Wait(recorded));
            AssertClosed("Stream", () => open.Wait(stream));
            AssertClosed("Stream", () => x.CopyFrom(new int[1], stream));
            AssertClosed("Buffer", () => x.CopyFrom(buffer, open));
            AssertClosed("Kernel", () => open.Launch(Fixtures.One, kernel, 1.0f, x, y, 1));
            AssertClosed("Stream", () => stream.Launch(Fixtures.One, openKernel, 1.0f, x, y, 1));
            AssertClosed("Buffer", () => open.Launch(Fixtures.One, openKernel, 1.0f, buffer, y, 1));
            Fixtures.AssertStillUsable(open, openKernel, x, y);
        }
    }

    private static void Read(object value) {
        GC.KeepAlive(value);
    }

    private static void AssertClosed(string owner, TestDelegate use) {
        var error = Assert.Throws<InvalidStateException>(use);
        Assert.AreEqual(Status.InvalidState, error.Status);
        StringAssert.StartsWith(owner, error.Object);
        Fixtures.AssertMentions(error, "closed");
        Assert.IsNotEmpty(error.Operation);
    }

    [Test]
    public void WhatNobodyRefersToIsDestroyed() {
        ulong before = CuprumLibrary.LiveHandles;
        // In a thread of its own, so that nothing of it stays on this stack.
        var thread = new Thread(() => {
            for (int i = 0; i < 20; ++i) {
                Stream stream = device.CreateStream();
                Buffer buffer = device.Allocate(1 << 16, stream);
                buffer.CopyFrom(new byte[1 << 16], stream);
                stream.Record(device.CreateEvent());
            }
            new Program(Fixtures.Saxpy).Compile().GetKernel("saxpy");
        });
        thread.Start();
        thread.Join();
        Fixtures.AwaitLiveHandles(before);
    }

    [Test]
    public void KernelsOutliveTheirCodeAndBuffersTheirStream() {
        Stream first = device.CreateStream();
        using (Kernel kernel = Fixtures.Kernel(Fixtures.Saxpy, "saxpy"))
        using (Buffer x = device.Allocate(16, first))
        using (Buffer y = device.Allocate(16, first))
        using (Stream second = device.CreateStream()) {
            first.Sync();
            first.Dispose();
            Fixtures.AssertStillUsable(second, kernel, x, y);
        }
    }

    [Test]
    public void DisposingOfAStreamWaitsForCopiesOfArraysAndForNothingElse() {
        device.SetCurrent();
        using (var gate = new Gate())
        using (Buffer buffer = device.Allocate(16)) {
            foreach (bool copies in new[] { true, false }) {
                Stream stream = device.CreateStream();
                gate.Stop((IntPtr)(long)stream.Handle);
                var opener = new Thread(() => {
                    Thread.Sleep(20);
                    device.SetCurrent();
                    gate.Open();
                });
                if (copies) {
                    opener.Start();
                    buffer.CopyFrom(new byte[16], stream);
                }
                using (Event end = stream.Record()) {
                    stream.Dispose();
                    Assert.AreEqual(copies, end.IsDone);
                    if (!copies) {
                        opener.Start();
                    }
                    opener.Join();
                    end.Sync();
                }
                gate.Shut();
            }
        }
    }

    [Test]
    public void ThreadsShareObjects() {
        const int threads = 8;
        const int launches = 50;
        const string source = "extern \"C\" __global__ void count(int* p) { atomicAdd(p, 1); }";
        using (Kernel kernel = Fixtures.Kernel(source, "count"))
        using (Stream shared = device.CreateStream())
        using (Buffer counter = device.Allocate(sizeof(int))) {
            counter.CopyFrom(new int[1]);
            var tasks = new List<Task>();
            for (int t = 0; t < threads; ++t) {
                int wrong = 1000 + t;
                tasks.Add(Task.Factory.StartNew(() => {
                    for (int i = 0; i < launches; ++i) {
                        shared.Launch(Fixtures.One, kernel, counter);
                        using (Stream own = device.CreateStream())
                        using (Event recorded = device.CreateEvent()) {
                            own.Launch(Fixtures.One, kernel, counter);
                            own.Record(recorded);
                            recorded.Sync();
                        }
                        // Each thread has an error of its own.
                        Fixtures.AssertMentions(
                            Assert.Throws<InvalidArgumentException>(() => new Device(wrong)), wrong.ToString());
                    }
                }, TaskCreationOptions.LongRunning));
            }
            Task.WaitAll(tasks.ToArray());
            shared.Sync();
            var count = new int[1];
            counter.CopyTo(count);
            Assert.AreEqual(2 * threads * launches, count[0]);
        }
    }

    [Test]
    public void DisposingUnderOtherThreadsIsAnErrorForThemAndNoCrash() {
        int uses = 0;
        for (int round = 0; round < 10; ++round) {
            Buffer buffer = device.Allocate(1 << 16);
            var tasks = new List<Task<Exception>>();
            for (int t = 0; t < 2; ++t) {
                tasks.Add(Task.Factory.StartNew(() => {
                    var back = new byte[1 << 16];
                    try {
                        while (true) {
                            buffer.CopyTo(back);
                            Interlocked.Increment(ref uses);
                        }
                    } catch (CuprumException closed) {
                        return (Exception)closed;
                    } catch (ObjectDisposedException closed) {
                        return closed;    // between the check and the call
                    }
                }, TaskCreationOptions.LongRunning));
            }
            int seen = Volatile.Read(ref uses);
            Assert.IsTrue(SpinWait.SpinUntil(() => Volatile.Read(ref uses) > seen, 60000), "nobody uses the buffer");
            buffer.Dispose();
            Assert.IsTrue(buffer.IsClosed, "whoever still uses it");
            Task.WaitAll(tasks.ToArray());
        }
    }

    [Test]
    public void EveryObjectSaysThatItIsClosedAndIsClosedByAnyThread() {
        foreach (IDisposable each in EveryObject.Make()) {
            Exception failure = null;
            foreach (Action work in new Action[] { () => EveryObject.Use(each), each.Dispose }) {
                var other = new Thread(() => {
                    try {
                        work();
                    } catch (Exception error) {
                        failure = error;
                    }
                });
                other.Start();
                other.Join();
                Assert.IsNull(failure, each.GetType().Name + ": " + failure);
            }
            var closed = Assert.Throws<InvalidStateException>(() => EveryObject.Use(each), each.GetType().Name);
            Fixtures.AssertMentions(closed, "closed");
            Assert.IsNotEmpty(closed.Operation);
            Assert.IsNotEmpty(closed.Object);
        }
    }

    [Test]
    public void TheProcessMayEndWithEveryObjectOpen() {
        ChildProcess child = new ChildProcess().Run("exit-with-every-object");
        Assert.AreEqual(0, child.ExitStatus, child.Output);
        Assert.AreEqual("leaving with True\n", child.Output);
    }

    [Test]
    public void AnotherDevicesObjectsAreRefusedInWords() {
        if (!device.IsSimulator) {
            return;
        }
        ChildProcess child = new ChildProcess().Environment("CUPRUM_SIM", "devices=2").Run("another-device");
        Assert.AreEqual(0, child.ExitStatus, child.Output);
        StringAssert.Contains("it is one of device 1, the algorithm was built for device 0", child.Output);
        StringAssert.Contains("it is memory of device 1, the algorithm was built for device 0", child.Output);
        StringAssert.Contains("the stream is one of device 0, which cannot use that memory of device 1", child.Output);
    }

    [Test]
    public void TheProcessMayEndWithWorkUnderWay() {
        ChildProcess child = new ChildProcess().Run("exit-with-work");
        Assert.AreEqual(0, child.ExitStatus, child.Output);
        Assert.AreEqual("leaving with 12\n", child.Output);
    }

    [Test, Timeout(60000)]
    public void TheProcessMayEndWithAKernelThatNeverDoes() {
        ChildProcess child = new ChildProcess().Run("exit-with-endless-kernel");
        Assert.AreEqual(0, child.ExitStatus, child.Output);
        Assert.AreEqual("leaving\n", child.Output);
    }
}
