package cuprumtest;

import static io.cuprum.bindings.Nvml.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What NVML's functions do: the driver's on a GPU, elsewhere the simulator's. */
class NvmlTest {
    private final long[] device = new long[1];

    private static void ok(nvmlReturn_t status) {
        assertSame(nvmlReturn_t.NVML_SUCCESS, status);
    }

    @BeforeEach
    void initialise() {
        ok(nvmlInit());
        ok(nvmlDeviceGetHandleByIndex(0, device));
    }

    @AfterEach
    void shutDown() {
        ok(nvmlShutdown());
    }

    @Test
    void devicesAreFoundByIndex() {
        int[] count = new int[1];
        ok(nvmlDeviceGetCount(count));
        assertTrue(count[0] >= 1);
        assertSame(nvmlReturn_t.NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetHandleByIndex(count[0], new long[1]));
        assertEquals("Uninitialized", nvmlErrorString(nvmlReturn_t.NVML_ERROR_UNINITIALIZED));
    }

    @Test
    void aTextIsWrittenWhereThereIsRoom() {
        byte[] name = new byte[NVML_DEVICE_NAME_V2_BUFFER_SIZE];
        ok(nvmlDeviceGetName(device[0], name, name.length));
        assertTrue(new String(name, StandardCharsets.UTF_8).trim().length() > 3);
        assertSame(nvmlReturn_t.NVML_ERROR_INSUFFICIENT_SIZE, nvmlDeviceGetName(device[0], name, 2));
        assertThrows(IllegalArgumentException.class, () -> nvmlDeviceGetName(device[0], new byte[2], 96));
    }

    @Test
    void aStructureWithAVersionIsReadAndFilledIn() {
        nvmlMemory_v2_t memory = new nvmlMemory_v2_t();
        assertSame(nvmlReturn_t.NVML_ERROR_FUNCTION_NOT_FOUND, nvmlDeviceGetMemoryInfo_v2(device[0], memory));
        memory.version(nvmlMemory_v2);
        ok(nvmlDeviceGetMemoryInfo_v2(device[0], memory));
        assertTrue(memory.total() > 1 << 30 && memory.total() >= memory.free() + memory.used());
    }

    @Test
    void aListWithoutRoomSaysHowManyElementsThereAre() {
        int[] count = new int[1];
        assertSame(nvmlReturn_t.NVML_ERROR_INSUFFICIENT_SIZE,
                nvmlDeviceGetSupportedMemoryClocks(device[0], count, null));
        int[] clocks = new int[count[0]];
        ok(nvmlDeviceGetSupportedMemoryClocks(device[0], count, clocks));
        assertTrue(clocks.length >= 1 && java.util.Arrays.stream(clocks).allMatch(clock -> clock > 100));
        assertThrows(IllegalArgumentException.class,
                () -> nvmlDeviceGetSupportedMemoryClocks(device[0], new int[] {5}, new int[2]));
    }

    @Test
    void structuresInAnArrayAreReadAndFilledIn() {
        nvmlFieldValue_t[] values = nvmlFieldValue_t.array(2);
        values[0].fieldId(NVML_FI_DEV_MEMORY_TEMP);
        values[1].fieldId(0xffff);
        ok(nvmlDeviceGetFieldValues(device[0], 2, values[0]));
        ok(values[0].nvmlReturn());
        assertTrue(values[0].value().uiVal() > 10, "degrees Celsius");
        assertNotSame(nvmlReturn_t.NVML_SUCCESS, values[1].nvmlReturn());
    }
}
