// A GPU as NVML sees it: its memory, temperature, power and clocks, and that it counts the memory of this program.
// usage: java -cp cuprum.jar:examples SystemMonitor

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.SystemDevice;
import io.cuprum.SystemDevice.ClockType;

public final class SystemMonitor {
    private static final long SIZE = 64 << 20;

    private SystemMonitor() {}

    public static void main(String[] arguments) {
        System.exit(run() ? 0 : 1);
    }

    private static boolean run() {
        Device device = new Device(0);
        device.allocate(4).close();    // the device is in use from here on
        SystemDevice gpu = device.toSystemDevice();
        long before = gpu.memoryInfo().used();
        long grown;
        try (Buffer buffer = device.allocate(SIZE)) {
            grown = gpu.memoryInfo().used() - before;
        }
        int clock = gpu.clock(ClockType.SM);
        boolean right = grown >= SIZE && gpu.toCudaDevice().equals(device) && clock <= gpu.maxClock(ClockType.SM);
        System.out.printf("%s: %d MiB more, %d degrees, %d W, %d MHz, one of %d: %s%n", gpu.name(), grown >> 20,
                gpu.temperature(), gpu.powerUsage() / 1000, clock, SystemDevice.count(), right ? "right" : "wrong");
        return right;
    }
}
