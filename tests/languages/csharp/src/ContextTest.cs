using System;
using System.Linq;
using System.Threading;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Contexts, green ones, and events that processes share.</summary>
[TestFixture]
public class ContextTest : LeavesNothing {
    private readonly Device device = new Device(0);

    [Test]
    public void ADevicesContextIsItsPrimaryOne() {
        using (Context context = device.Context)
        using (Stream stream = device.CreateStream())
        using (Context ofStream = stream.Context)
        using (Event made = device.CreateEvent())
        using (Context ofEvent = made.Context) {
            Assert.AreEqual(context, ofStream);
            Assert.AreEqual(context, ofEvent);
            Assert.AreEqual(context.GetHashCode(), ofStream.GetHashCode());
            Assert.IsFalse(context.IsGreen);
            Assert.AreEqual(device, context.Device);
            Assert.AreEqual(device.Properties.MultiprocessorCount, context.SMResource.SMCount);
        }
        Context closed = device.Context;
        closed.Dispose();
        Assert.Throws<InvalidStateException>(() => closed.IsGreen.ToString());
    }

    [Test]
    public void GreenContextsHaveTheWorkqueueThatTheyWereMadeWith() {
        if (CuprumLibrary.DriverVersion < 13010) {
            var error = Assert.Throws<UnsupportedException>(() => device.WorkqueueResource.ToString());
            Fixtures.AssertMentions(error, "a driver for CUDA 13.1");
            using (Context primary = device.Context) {
                Assert.Throws<UnsupportedException>(() => primary.WorkqueueResource.ToString());
            }
            Assert.Throws<ArgumentNullException>(
                () => device.CreateContext((WorkqueueResource)null, device.SMResource));
            return;
        }
        WorkqueueResource workqueue = device.WorkqueueResource;
        workqueue.SharingScope = WorkqueueSharingScope.GreenContextBalanced;
        workqueue.ConcurrencyLimit = 3;
        Assert.Throws<ArgumentOutOfRangeException>(() => workqueue.ConcurrencyLimit = 0);
        using (Context green = device.CreateContext(workqueue, device.SMResource)) {
            Assert.AreEqual(3, green.WorkqueueResource.ConcurrencyLimit);
            Assert.AreEqual(WorkqueueSharingScope.GreenContextBalanced, green.WorkqueueResource.SharingScope);
        }
    }

    [Test]
    public void GreenContextsHaveAPartOfTheMultiprocessors() {
        SMResource all = device.SMResource;
        SMResourceSplit split = all.Split(0);
        SMResource group = split.Groups[0];
        Assert.AreEqual(Math.Min(all.MinPartitionSize, all.SMCount), group.SMCount);
        Assert.AreEqual(all.SMCount, group.SMCount + split.Remainder.SMCount);
        Assert.Greater(all.CoscheduledAlignment, 0);
        Assert.AreEqual(device, group.Device);
        Stream stream;
        using (Context green = device.CreateContext(group))
        using (Context primary = device.Context) {
            Assert.IsTrue(green.IsGreen);
            Assert.AreNotEqual(primary, green);
            Assert.AreEqual(group.SMCount, green.SMResource.SMCount);
            Assert.Throws<InvalidArgumentException>(
                () => green.CreateStream(new StreamOptions { Nonblocking = false }));
            stream = green.CreateStream();
        }
        // The stream keeps it.
        using (stream)
        using (Context itsOwn = stream.Context)
        using (Buffer memory = device.Allocate(16, stream)) {
            Assert.IsTrue(itsOwn.IsGreen);
            var back = new byte[16];
            memory.CopyFrom(Enumerable.Range(1, 16).Select(each => (byte)each).ToArray(), stream);
            memory.CopyTo(back, stream);
            stream.Sync();
            Assert.AreEqual(16, back[15]);
        }
        Assert.Throws<InvalidArgumentException>(() => all.Split(all.SMCount, 2));
        Assert.Throws<InvalidArgumentException>(() => all.Split(-1));
        Assert.Throws<InvalidArgumentException>(() => device.CreateContext());
    }

    [Test]
    public void AContextIsCurrentOnTheThreadThatMakesItSo() {
        Exception failure = null;
        var other = new Thread(() => {
            try {
                Assert.IsNull(Context.Current);
                using (Context green = device.CreateContext(device.SMResource.Split(0).Groups.ToArray())) {
                    green.SetCurrent();
                    using (Context current = Context.Current) {
                        Assert.AreEqual(green, current);
                        Assert.IsTrue(current.IsGreen);
                        Assert.AreEqual(device, Device.Current);
                    }
                    device.SetCurrent();
                }
            } catch (Exception error) {
                failure = error;
            }
        });
        other.Start();
        other.Join();
        Assert.IsNull(failure, failure == null ? "" : failure.ToString());
    }

    [Test]
    public void AnotherProcessWaitsForASharedEvent() {
        using (Stream stream = device.CreateStream())
        using (Event shared = device.CreateEvent(new EventOptions { IpcEnabled = true })) {
            Assert.IsTrue(shared.IsIpcEnabled);
            byte[] handle = shared.IpcHandle();
            Assert.AreEqual(64, handle.Length);
            stream.Record(shared);
            stream.Sync();
            string digits = string.Concat(handle.Select(one => one.ToString("x2")));
            ChildProcess child = new ChildProcess().Environment("CUPRUM_TEST_EVENT", digits).Run("shared-event");
            Assert.AreEqual("done: True", child.Output.Trim());
            // A process cannot open an event of its own.
            Assert.Throws<DriverException>(() => Event.FromIpcHandle(device, handle));
        }
        using (Event alone = device.CreateEvent()) {
            Assert.Throws<InvalidStateException>(() => alone.IpcHandle());
        }
        Assert.Throws<InvalidArgumentException>(
            () => device.CreateEvent(new EventOptions { IpcEnabled = true, TimingEnabled = true }));
        Assert.Throws<InvalidArgumentException>(() => Event.FromIpcHandle(device, new byte[3]));
    }
}
