package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.SystemDevice;
import io.cuprum.SystemDevice.ClockType;
import io.cuprum.SystemDevice.TemperatureThreshold;
import io.cuprum.SystemEvents;
import io.cuprum.SystemInfo;
import org.junit.jupiter.api.Test;

/** GPUs as NVML sees them: on a GPU the driver's NVML, else the simulator's. */
class SystemTest {
    private final Device device = new Device(0);
    private final SystemDevice gpu = device.toSystemDevice();

    @Test
    void theDevicesAreThoseThatCudaSees() {
        assertTrue(SystemDevice.count() >= Device.count());
        assertEquals(device.uuid(), gpu.uuid());
        assertEquals(device.name(), gpu.name());
        assertEquals(device, gpu.toCudaDevice());
        assertEquals(gpu, SystemDevice.ofUuid(gpu.uuid()));
        assertEquals(gpu, SystemDevice.ofPciBusId(gpu.pciBusId()));
        assertThrows(InvalidArgumentException.class, () -> new SystemDevice(4711));
    }

    @Test
    void theDriverHasVersions() {
        assertTrue(SystemInfo.nvmlVersion().contains(SystemInfo.kernelModeDriverVersion()));
        assertFalse(SystemInfo.driverBranch().isEmpty());
        assertTrue(SystemInfo.processName(ProcessHandle.current().pid()).contains("java"));
    }

    @Test
    void memoryThatIsUsedIsCounted() {
        SystemDevice.Memory before = gpu.memoryInfo();
        try (Buffer buffer = device.allocate(32 << 20)) {
            assertTrue(gpu.memoryInfo().used() >= before.used() + (32 << 20));
            long pid = ProcessHandle.current().pid();
            assertTrue(gpu.computeRunningProcesses().stream().anyMatch(process -> process.pid() == pid));
        }
        assertTrue(before.total() >= before.free() + before.used() + before.reserved());
    }

    @Test
    void aDeviceIsMeasured() {
        assertTrue(gpu.temperature() >= 10 && gpu.temperature() <= 120);
        assertTrue(gpu.temperatureThreshold(TemperatureThreshold.SHUTDOWN) > 60);
        assertTrue(gpu.powerUsage() > 1000 && gpu.powerUsage() <= 2 * gpu.powerLimit());
        assertTrue(gpu.clock(ClockType.SM) > 0 && gpu.clock(ClockType.SM) <= gpu.maxClock(ClockType.SM));
        assertTrue(gpu.gpuUtilization() <= 100 && gpu.pciLinkWidth() <= gpu.pciMaxLinkWidth());
    }

    @Test
    void anEventThatDoesNotHappenIsEmpty() {
        SystemEvents events = gpu.registerEvents(SystemEvents.XID_CRITICAL_ERROR);
        assertTrue(events.waitFor(5).isEmpty());
        assertThrows(IllegalArgumentException.class, () -> events.waitFor(-1));
        events.close();
        assertThrows(InvalidStateException.class, () -> events.waitFor(5));
    }
}
