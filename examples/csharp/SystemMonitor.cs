// A GPU as NVML sees it: its memory, temperature, power and clocks, and that it counts the memory of this program.
// usage: mono SystemMonitor.exe

using System;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class SystemMonitor {
    private const ulong Size = 64 << 20;

    private static int Main() {
        return Run() ? 0 : 1;
    }

    private static bool Run() {
        var device = new Device(0);
        device.Allocate(4ul).Dispose();    // the device is in use from here on
        SystemDevice gpu = device.ToSystemDevice();
        ulong before = gpu.MemoryInfo.Used;
        ulong grown;
        using (Buffer buffer = device.Allocate(Size)) {
            grown = gpu.MemoryInfo.Used - before;
        }
        int clock = gpu.Clock(ClockType.Sm);
        bool right = grown >= Size && gpu.ToCudaDevice().Equals(device) && clock <= gpu.MaxClock(ClockType.Sm);
        Console.WriteLine("{0}: {1} MiB more, {2} degrees, {3} W, {4} MHz, one of {5}: {6}", gpu.Name, grown >> 20,
                          gpu.Temperature, gpu.PowerUsage / 1000, clock, SystemDevice.Count, right ? "right" : "wrong");
        return right;
    }
}
