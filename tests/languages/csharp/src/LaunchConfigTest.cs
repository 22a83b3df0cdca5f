using System;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

[TestFixture]
public class LaunchConfigTest : LeavesNothing {
    private const string Add = "extern \"C\" __global__ void add(int* x) { atomicAdd(x, 1); }";

    private readonly Device device = new Device(0);

    [Test]
    public void WhatALaunchAsksForReachesTheDriver() {
        using (Kernel add = Fixtures.Kernel(Add, "add"))
        using (Stream stream = device.CreateStream())
        using (Buffer x = device.Allocate(sizeof(int))) {
            x.CopyFrom(new int[1]);
            var window = new AccessPolicyWindow(x.Handle, x.Size, 0.5f, miss: AccessProperty.Normal);
            var configs = new[] {
                new LaunchConfig(2, 16, programmaticStreamSerialization: true),
                new LaunchConfig(2, 16, isCooperative: true),
                new LaunchConfig(2, 16, cluster: 1),
                new LaunchConfig(2, 16, priority: -1),
                new LaunchConfig(2, 16, preferredSharedMemoryCarveout: 100),
                new LaunchConfig(2, 16, memorySyncDomain: MemorySyncDomain.Remote,
                                 memorySyncDomainMap: new MemorySyncDomainMap(0, 0)),
                new LaunchConfig(2, 16, accessPolicyWindow: window),
            };
            foreach (LaunchConfig config in configs) {
                stream.Launch(config, add, x);
            }
            stream.Sync();
            var result = new int[1];
            x.CopyTo(result);
            Assert.AreEqual(configs.Length * 32, result[0]);
        }
    }

    [Test]
    public void WhatTheDeviceDoesNotHaveIsRefused() {
        using (Kernel add = Fixtures.Kernel(Add, "add"))
        using (Stream stream = device.CreateStream())
        using (Buffer x = device.Allocate(sizeof(int))) {
            var carveout = new LaunchConfig(1, 1, preferredSharedMemoryCarveout: 101);
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => stream.Launch(carveout, add, x)), "carveout", "101");
            var domains = new LaunchConfig(1, 1, memorySyncDomainMap: new MemorySyncDomainMap(255, 255));
            Assert.Catch<CuprumException>(() => stream.Launch(domains, add, x));
            if (device.Name.Contains("imulator")) {
                var clusters = new LaunchConfig(1, 32, cluster: 2);
                Fixtures.AssertMentions(
                    Assert.Throws<UnsupportedException>(() => stream.Launch(clusters, add, x)), "(2, 1, 1)");
            }
            stream.Sync();
        }
    }

    [Test]
    public void AKernelTellsWhatClustersADeviceTakes() {
        var clusters = new LaunchConfig(4, 32, cluster: 2);
        using (Kernel add = Fixtures.Kernel(Add, "add"))
        using (Stream stream = device.CreateStream()) {
            if (device.Name.Contains("imulator")) {
                Fixtures.AssertMentions(
                    Assert.Throws<UnsupportedException>(() => add.MaxPotentialClusterSize(clusters, stream)),
                    "asking for the largest cluster");
                Assert.Throws<UnsupportedException>(() => add.MaxActiveClusters(clusters, stream));
            } else {
                Assert.AreEqual(8, add.MaxPotentialClusterSize(clusters, stream));
                Assert.Greater(add.MaxActiveClusters(clusters, stream), 0);
            }
            Assert.Throws<ArgumentNullException>(() => add.MaxActiveClusters(null, stream));
            Assert.Throws<ArgumentNullException>(() => add.MaxPotentialClusterSize(clusters, null));
        }
    }

    [Test]
    public void WhatNoLaunchCanHaveIsRefused() {
        Assert.Throws<ArgumentException>(() => new LaunchConfig(1, 1, cluster: default(Dimensions)));
        Assert.Throws<ArgumentOutOfRangeException>(() => new MemorySyncDomainMap(-1, 0));
        Assert.Throws<ArgumentOutOfRangeException>(() => new AccessPolicyWindow(0, 0));
    }

    [Test]
    public void AGridHasAThreadForEachElement() {
        Assert.AreEqual(new Dimensions(4), LaunchConfig.ForNumElements(1024, 256).Grid);
        Assert.AreEqual(new Dimensions(5), LaunchConfig.ForNumElements(1025, 256).Grid);
        Assert.AreEqual(new Dimensions(1), LaunchConfig.ForNumElements(0, 256).Grid);
        Assert.Throws<ArgumentOutOfRangeException>(() => LaunchConfig.ForNumElements(-1, 256));
        Assert.Throws<ArgumentOutOfRangeException>(() => LaunchConfig.ForNumElements(1, 0));
        Assert.Throws<ArgumentOutOfRangeException>(() => LaunchConfig.ForNumElements(long.MaxValue, 1));
    }
}
