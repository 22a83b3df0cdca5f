using System;
using System.Runtime.InteropServices;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Virtual memory resources, whose buffers can grow.</summary>
[TestFixture]
public class VirtualMemoryTest : LeavesNothing {
    private readonly Device device = new Device(0);

    [Test]
    public void ABufferGrowsWithItsContent() {
        using (var resource = new VirtualMemoryResource(device)) {
            ulong unit = resource.Granularity;
            Buffer buffer = resource.Allocate(16L);
            buffer.CopyFrom(new[] {1, 2, 3, 4});
            foreach (ulong units in new ulong[] {1, 2, 5}) {
                Buffer grown = resource.ModifyAllocation(buffer, units * unit);
                Assert.IsTrue(buffer.IsClosed);
                Assert.AreEqual(units * unit, grown.Size);
                Assert.AreEqual(0UL, grown.Handle % unit);
                Assert.AreSame(resource, grown.MemoryResource);
                buffer = grown;
            }
            var back = new int[4];
            buffer.CopyTo(back);
            Assert.AreEqual(4, back[3]);
            buffer.Dispose();
        }
    }

    [Test]
    public void OnlyBuffersOfTheResourceGrow() {
        using (var resource = new VirtualMemoryResource(device))
        using (Buffer other = device.Allocate(16L))
        using (Buffer buffer = resource.Allocate(16L)) {
            Assert.Throws<InvalidArgumentException>(() => resource.ModifyAllocation(other, 32));
            Assert.Throws<InvalidArgumentException>(() => resource.ModifyAllocation(buffer, 8));
            Assert.Throws<ArgumentNullException>(() => resource.ModifyAllocation(null, 8));
            Assert.AreEqual(16UL, buffer.Size);
            buffer.Dispose();
            Assert.Throws<InvalidStateException>(() => resource.ModifyAllocation(buffer, 32));
        }
    }

    [Test]
    public void HostMemoryIsUsedInPlaceAndGrows() {
        foreach (MemoryLocation location in
                 new[] {MemoryLocation.Host, MemoryLocation.HostNuma(0), MemoryLocation.HostNumaCurrent}) {
            using (var resource =
                       new VirtualMemoryResource(device, new VirtualMemoryResourceOptions {Location = location})) {
                Assert.IsTrue(resource.IsHostAccessible);
                Buffer buffer = resource.Allocate(16L);
                using (HostMemoryView view = buffer.AsHostMemory()) {
                    Marshal.WriteInt32(view.Address, 4, 7);
                }
                using (Buffer grown = resource.ModifyAllocation(buffer, 3 * resource.Granularity))
                using (HostMemoryView view = grown.AsHostMemory()) {
                    Assert.AreEqual(7, Marshal.ReadInt32(view.Address, 4));
                    var refused = Assert.Throws<InvalidStateException>(
                        () => resource.ModifyAllocation(grown, 9 * resource.Granularity));
                    StringAssert.Contains("viewed as host memory", refused.Message);
                    Assert.AreEqual(7, Marshal.ReadInt32(view.Address, 4));
                }
            }
        }
    }

    [Test]
    public void ABufferGrowsWithOtherOptions() {
        var minimum = new VirtualMemoryResourceOptions {MinimumGranularity = true, Location = device};
        using (var resource = new VirtualMemoryResource(device)) {
            Buffer buffer = resource.Allocate(16L);
            buffer.CopyFrom(new[] {1, 2, 3, 4});
            buffer = resource.ModifyAllocation(buffer, 16, minimum);
            Assert.Throws<InvalidArgumentException>(
                () => resource.ModifyAllocation(
                    buffer, 16, new VirtualMemoryResourceOptions {Location = MemoryLocation.Host}));
            Assert.Throws<ArgumentNullException>(() => resource.ModifyAllocation(buffer, 16, null));
            using (Buffer grown = resource.ModifyAllocation(buffer, 2 * resource.Granularity, minimum)) {
                var back = new int[4];
                grown.CopyTo(back);
                Assert.AreEqual(4, back[3]);
            }
        }
    }

    [Test]
    public void OptionsAreTaken() {
        var options = new VirtualMemoryResourceOptions {
            Peers = new[] {device}, MinimumGranularity = true, AddressAlignment = 1 << 22
        };
        using (var resource = new VirtualMemoryResource(device, options))
        using (Buffer buffer = resource.Allocate(1L)) {
            Assert.AreEqual(0UL, buffer.Handle % (1 << 22));
        }
        Assert.Throws<InvalidArgumentException>(
            () => new VirtualMemoryResource(device, new VirtualMemoryResourceOptions {AddressAlignment = 3}));
    }
}
