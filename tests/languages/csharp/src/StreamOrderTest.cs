using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Host functions, and words of memory that streams wait for and write.</summary>
[TestFixture]
public class StreamOrderTest : LeavesNothing {
    private readonly Device device = new Device(0);

    [Test]
    public void HostFunctionsRunBetweenTheWorkOfTheirStream() {
        using (var pinned = new LegacyPinnedMemoryResource())
        using (Stream stream = device.CreateStream())
        using (Stream standard = device.DefaultStream)
        using (Buffer memory = pinned.Allocate(64, stream))
        using (HostMemoryView words = memory.AsHostMemory()) {
            foreach (Stream each in new[] { stream, standard }) {
                int seen = 0, thread = 0;
                each.WriteValue32(memory, 0, 7);
                each.LaunchHostFunction(() => {
                    seen = Marshal.ReadInt32(words.Address);
                    thread = Thread.CurrentThread.ManagedThreadId;
                });
                each.WriteValue32(memory, 0, 8);
                each.Sync();
                Assert.AreEqual(7, seen);
                Assert.AreEqual(8, Marshal.ReadInt32(words.Address));
                Assert.AreNotEqual(Thread.CurrentThread.ManagedThreadId, thread);
            }
        }
    }

    [Test]
    public void WhatAHostFunctionThrowsIsAnEventAndTheStreamGoesOn() {
        var thrown = new List<object>();
        EventHandler<UnhandledExceptionEventArgs> handler = (sender, arguments) => {
            lock (thrown) {
                thrown.Add(arguments.ExceptionObject);
            }
            throw new InvalidOperationException("a handler's own");
        };
        Stream.HostFunctionException += handler;
        try {
            using (Stream stream = device.CreateStream()) {
                bool goesOn = false;
                stream.LaunchHostFunction(() => { throw new InvalidOperationException("out of paper"); });
                stream.LaunchHostFunction(() => goesOn = true);
                stream.Sync();
                Assert.AreEqual("out of paper", ((Exception)thrown[0]).Message);
                Assert.AreEqual(1, thrown.Count);
                Assert.IsTrue(goesOn);
            }
        } finally {
            Stream.HostFunctionException -= handler;
        }
    }

    [Test]
    public void HostFunctionsAreKeptUntilTheyWereCalled() {
        const int count = 200;
        int calls = 0;
        using (Stream stream = device.CreateStream()) {
            for (int i = 0; i < count; ++i) {
                var held = new byte[1 << 16];
                stream.LaunchHostFunction(() => calls += held.Length >> 16);
            }
            GC.Collect();
            stream.Sync();
        }
        Assert.AreEqual(count, calls);
    }

    [Test]
    public void WhatCannotBeLaunchedIsRefused() {
        Stream stream = device.CreateStream();
        Assert.Throws<ArgumentNullException>(() => stream.LaunchHostFunction(null));
        stream.Dispose();
        var error = Assert.Throws<InvalidStateException>(() => stream.LaunchHostFunction(() => {}));
        StringAssert.Contains("launching a host function", error.Message);
    }

    [Test]
    public void AStreamWaitsUntilAWordFulfilsTheCondition() {
        var cases = new Dictionary<WaitCondition, uint[]> {
            { WaitCondition.GreaterOrEqual, new uint[] { 5, 4, 6 } },
            { WaitCondition.Equal, new uint[] { 5, 6, 5 } },
            { WaitCondition.BitwiseAnd, new uint[] { 6, 9, 4 } },
            { WaitCondition.BitwiseNor, new uint[] { 0xFFFFFFF0, 0xF, 0x7 } },
        };
        using (var pinned = new LegacyPinnedMemoryResource())
        using (Stream stream = device.CreateStream())
        using (Buffer memory = pinned.Allocate(64, stream))
        using (HostMemoryView words = memory.AsHostMemory()) {
            foreach (KeyValuePair<WaitCondition, uint[]> one in cases) {
                Marshal.WriteInt32(words.Address, (int)one.Value[1]);
                stream.WaitValue32(memory, 0, one.Value[0], one.Key);
                Assert.IsFalse(stream.IsDone);
                Marshal.WriteInt32(words.Address, (int)one.Value[2]);
                stream.Sync();

                Marshal.WriteInt64(words.Address, 8, (long)Wide(one.Value[1]));
                stream.WaitValue64(memory, 8, Wide(one.Value[0]), one.Key);
                Assert.IsFalse(stream.IsDone);
                Marshal.WriteInt64(words.Address, 8, (long)Wide(one.Value[2]));
                stream.Sync();
            }
            stream.WriteValue64(memory, 16, 0xFFFFFFFF00000001);
            stream.WriteValue32(memory, 24, 0xFFFFFFFF);
            stream.Sync();
            Assert.AreEqual(0xFFFFFFFF00000001, (ulong)Marshal.ReadInt64(words.Address, 16));
            Assert.AreEqual(0xFFFFFFFF, (uint)Marshal.ReadInt32(words.Address, 24));
        }
    }

    [Test]
    public void WordsLieInsideOfTheirBufferAndAligned() {
        using (Stream stream = device.CreateStream())
        using (Buffer memory = device.Allocate(64)) {
            foreach (ulong offset in new[] { 64ul, 62ul, 1ul << 40, ulong.MaxValue }) {
                Assert.Throws<InvalidArgumentException>(() => stream.WaitValue32(memory, offset, 0));
            }
            var error = Assert.Throws<InvalidArgumentException>(() => stream.WriteValue64(memory, 4, 0));
            StringAssert.Contains("writing a value in a stream", error.Message);
            StringAssert.Contains("not aligned", error.Message);
        }
    }

    private static ulong Wide(uint half) {
        return (ulong)half << 32 | half;
    }
}
