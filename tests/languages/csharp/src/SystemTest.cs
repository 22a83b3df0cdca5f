using System;
using System.Diagnostics;
using System.Linq;
using Cuprum;
using NUnit.Framework;

/// <summary>GPUs as NVML sees them: on a GPU the driver's NVML, else the simulator's.</summary>
[TestFixture]
public class SystemTest {
    private readonly Device device = new Device(0);
    private SystemDevice gpu;

    [SetUp]
    public void Find() {
        gpu = device.ToSystemDevice();
    }

    [Test]
    public void TheDevicesAreThoseThatCudaSees() {
        Assert.GreaterOrEqual(SystemDevice.Count, Device.Count);
        Assert.AreEqual(device.Uuid, gpu.Uuid);
        Assert.AreEqual(device.Name, gpu.Name);
        Assert.AreEqual(device, gpu.ToCudaDevice());
        Assert.AreEqual(gpu, SystemDevice.OfUuid(gpu.Uuid));
        Assert.AreEqual(gpu, SystemDevice.OfPciBusId(gpu.PciBusId));
        Assert.Throws<InvalidArgumentException>(() => new SystemDevice(4711));
    }

    [Test]
    public void TheDriverHasVersions() {
        StringAssert.Contains(SystemInfo.KernelModeDriverVersion, SystemInfo.NvmlVersion);
        Assert.IsNotEmpty(SystemInfo.DriverBranch);
        Assert.IsNotEmpty(SystemInfo.ProcessName((uint)Process.GetCurrentProcess().Id));
    }

    [Test]
    public void MemoryThatIsUsedIsCounted() {
        SystemMemoryInfo before = gpu.MemoryInfo;
        using (device.Allocate(32ul << 20)) {
            Assert.GreaterOrEqual(gpu.MemoryInfo.Used, before.Used + (32ul << 20));
            uint pid = (uint)Process.GetCurrentProcess().Id;
            Assert.IsTrue(gpu.GetComputeRunningProcesses().Any(process => process.Pid == pid));
        }
        Assert.GreaterOrEqual(before.Total, before.Free + before.Used + before.Reserved);
    }

    [Test]
    public void ADeviceIsMeasured() {
        Assert.That(gpu.Temperature, Is.InRange(10, 120));
        Assert.Greater(gpu.TemperatureThreshold(TemperatureThreshold.Shutdown), 60);
        Assert.That(gpu.PowerUsage, Is.InRange(1000, 2 * gpu.PowerLimit));
        Assert.That(gpu.Clock(ClockType.Sm), Is.InRange(1, gpu.MaxClock(ClockType.Sm)));
        Assert.LessOrEqual(gpu.PciLinkWidth, gpu.PciMaxLinkWidth);
    }

    [Test]
    public void AnEventThatDoesNotHappenIsNull() {
        SystemEvents events = gpu.RegisterEvents(SystemEventTypes.XidCriticalError);
        Assert.IsNull(events.Wait(TimeSpan.FromMilliseconds(5)));
        Assert.Throws<ArgumentOutOfRangeException>(() => events.Wait(TimeSpan.FromMilliseconds(-1)));
        events.Dispose();
        Assert.Throws<InvalidStateException>(() => events.Wait(TimeSpan.FromMilliseconds(5)));
    }
}
