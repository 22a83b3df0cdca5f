using System;
using Cuprum;
using NUnit.Framework;

/// <summary>Ranges and marks; live objects by kind.</summary>
[TestFixture]
public class NvtxTest {
    [Test]
    public void RangesNestWithinAThread() {
        using (Nvtx.Range("outer")) {
            Assert.AreEqual(1, Nvtx.PushRange("inner"));
            Nvtx.Mark("here");
            Assert.AreEqual(1, Nvtx.PopRange());
        }
        Assert.AreEqual(-1, Nvtx.PopRange());
        ulong number = Nvtx.StartRange("long");
        Assert.AreNotEqual(0, number);
        Nvtx.EndRange(number);
        Nvtx.EndRange(number);
        Assert.Throws<ArgumentNullException>(() => Nvtx.Mark(null));
    }

    [Test]
    public void LiveObjectsAreCountedByKind() {
        ulong before = CuprumLibrary.LiveObjects["stream"];
        using (new Device(0).CreateStream()) {
            Assert.AreEqual(before + 1, CuprumLibrary.LiveObjects["stream"]);
        }
        Assert.AreEqual(before, CuprumLibrary.LiveObjects["stream"]);
    }
}
