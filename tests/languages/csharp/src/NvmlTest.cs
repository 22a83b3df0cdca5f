using System;
using System.Linq;
using System.Text;
using NUnit.Framework;
using static Cuprum.Bindings.Nvml;

/// <summary>What NVML's functions do: the driver's on a GPU, elsewhere the simulator's.</summary>
[TestFixture]
public unsafe class NvmlTest {
    private IntPtr device;

    private static void Ok(nvmlReturn_t status) {
        Assert.AreEqual(nvmlReturn_t.NVML_SUCCESS, status);
    }

    [SetUp]
    public void Initialise() {
        Ok(nvmlInit());
        Ok(nvmlDeviceGetHandleByIndex(0, out device));
    }

    [TearDown]
    public void ShutDown() {
        Ok(nvmlShutdown());
    }

    [Test]
    public void DevicesAreFoundByIndex() {
        uint count;
        Ok(nvmlDeviceGetCount(out count));
        Assert.GreaterOrEqual(count, 1);
        IntPtr none;
        Assert.AreEqual(nvmlReturn_t.NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetHandleByIndex(count, out none));
        Assert.AreEqual("Uninitialized", nvmlErrorString(nvmlReturn_t.NVML_ERROR_UNINITIALIZED));
    }

    [Test]
    public void ATextIsWrittenWhereThereIsRoom() {
        byte[] name = new byte[NVML_DEVICE_NAME_V2_BUFFER_SIZE];
        Ok(nvmlDeviceGetName(device, name, (uint)name.Length));
        Assert.Greater(Encoding.UTF8.GetString(name).TrimEnd('\0').Length, 3);
        Assert.AreEqual(nvmlReturn_t.NVML_ERROR_INSUFFICIENT_SIZE, nvmlDeviceGetName(device, name, 2));
        Assert.Throws<ArgumentException>(() => nvmlDeviceGetName(device, new byte[2], 96));
    }

    [Test]
    public void AStructureWithAVersionIsReadAndFilledIn() {
        nvmlMemory_v2_t memory = new nvmlMemory_v2_t();
        Assert.AreEqual(nvmlReturn_t.NVML_ERROR_FUNCTION_NOT_FOUND,
                        nvmlDeviceGetMemoryInfo_v2(device, ref memory));
        memory.version = nvmlMemory_v2;
        Ok(nvmlDeviceGetMemoryInfo_v2(device, ref memory));
        Assert.Greater(memory.total, 1ul << 30);
        Assert.GreaterOrEqual(memory.total, memory.free + memory.used);
    }

    [Test]
    public void AListWithoutRoomSaysHowManyElementsThereAre() {
        uint count = 0;
        Assert.AreEqual(nvmlReturn_t.NVML_ERROR_INSUFFICIENT_SIZE,
                        nvmlDeviceGetSupportedMemoryClocks(device, ref count, null));
        uint[] clocks = new uint[count];
        Ok(nvmlDeviceGetSupportedMemoryClocks(device, ref count, clocks));
        Assert.IsTrue(clocks.Length >= 1 && clocks.All(clock => clock > 100));
        uint five = 5;
        Assert.Throws<ArgumentException>(() => nvmlDeviceGetSupportedMemoryClocks(device, ref five, new uint[2]));
    }

    [Test]
    public void StructuresInAnArrayAreReadAndFilledIn() {
        nvmlFieldValue_t[] values = new nvmlFieldValue_t[2];
        values[0].fieldId = NVML_FI_DEV_MEMORY_TEMP;
        values[1].fieldId = 0xffff;
        Ok(nvmlDeviceGetFieldValues(device, 2, values));
        Ok(values[0].nvmlReturn);
        Assert.Greater(values[0].value.uiVal, 10, "degrees Celsius");
        Assert.AreNotEqual(nvmlReturn_t.NVML_SUCCESS, values[1].nvmlReturn);
    }
}
