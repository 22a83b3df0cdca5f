package cuprumtest;

import static cuprumtest.Fixtures.WIDE;
import static io.cuprum.bindings.Driver.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.InvalidArgumentException;
import io.cuprum.bindings.Bindings;
import io.cuprum.bindings.NativeStruct;
import io.cuprum.bindings.Nvrtc;
import io.cuprum.internal.CuprumNative;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** The libraries' functions under their names in C. */
class BindingsTest extends DriverTest {
    private static final Map<String, Class<?>> CLASSES = EveryFunction.CLASSES;

    private static void assertRefused(String parameter, String takes, Executable call) {
        String message = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertTrue(message.contains(": " + parameter + ": ") && message.contains(takes), message);
    }

    @Test
    void compilesAndLaunchesAKernel() {
        String source = "extern \"C\" __global__ void add(int* numbers, int amount) { numbers[threadIdx.x] += amount; }";
        long[] program = new long[1];
        assertSame(Nvrtc.nvrtcResult.NVRTC_SUCCESS, Nvrtc.nvrtcCreateProgram(program, source, "add.cu", 0, null, null));
        String[] options = {"--gpu-architecture=compute_75"};
        assertSame(Nvrtc.nvrtcResult.NVRTC_SUCCESS, Nvrtc.nvrtcCompileProgram(program[0], 1, options));
        long[] size = new long[1];
        Nvrtc.nvrtcGetPTXSize(program[0], size);
        byte[] ptx = new byte[(int) size[0]];
        Nvrtc.nvrtcGetPTX(program[0], ptx);
        Nvrtc.nvrtcDestroyProgram(program);
        assertEquals(0, program[0]);

        ByteBuffer image = ByteBuffer.allocateDirect(ptx.length).put(ptx).flip();
        long[] module = new long[1];
        long[] function = new long[1];
        ok(cuModuleLoadData(module, Bindings.address(image)));
        ok(cuModuleGetFunction(function, module[0], "add"));
        assertSame(CUresult.CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(new long[1], module[0], "subtract"));

        long[] numbers = new long[1];
        ok(cuMemAlloc(numbers, 32 * 4));
        ok(cuMemsetD32(numbers[0], 1, 32));
        ByteBuffer values = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
        values.putLong(0, numbers[0]).putInt(8, 41);
        long[] parameters = {Bindings.address(values), Bindings.address(values) + 8};
        ok(cuLaunchKernel(function[0], 1, 1, 1, 32, 1, 1, 0, 0, parameters, null));
        ByteBuffer back = ByteBuffer.allocateDirect(32 * 4).order(ByteOrder.nativeOrder());
        ok(cuMemcpyDtoH(Bindings.address(back), numbers[0], 32 * 4));
        assertEquals(42, back.getInt(31 * 4));
        ok(cuMemFree(numbers[0]));
        ok(cuModuleUnload(module[0]));
    }

    @Test
    void structuresAreObjects() {
        long[] device = new long[1];
        ok(cuMemAlloc(device, 64));
        ByteBuffer host = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
        host.putInt(60, 7);
        CUDA_MEMCPY2D copy = new CUDA_MEMCPY2D()
                .srcMemoryType(CUmemorytype.CU_MEMORYTYPE_HOST).srcHost(Bindings.address(host)).srcPitch(16)
                .dstMemoryType(CUmemorytype.CU_MEMORYTYPE_DEVICE).dstDevice(device[0]).dstPitch(16)
                .WidthInBytes(16).Height(4);
        assertSame(CUmemorytype.CU_MEMORYTYPE_HOST, copy.srcMemoryType());
        ok(cuMemcpy2D(copy));
        ByteBuffer back = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
        ok(cuMemcpyDtoH(Bindings.address(back), device[0], 64));
        assertEquals(7, back.getInt(60));
        ok(cuMemFree(device[0]));

        CUuuid uuid = new CUuuid();
        ok(cuDeviceGetUuid(uuid, 0));
        CUmemPoolProps properties = new CUmemPoolProps()
                .allocType(CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED)
                .location(new CUmemLocation().type(CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE).id(0));
        long[] pool = new long[1];
        ok(cuMemPoolCreate(pool, properties));
        ok(cuMemPoolDestroy(pool[0]));
        CUmemLocation[] several = CUmemLocation.array(3);
        several[2].id(5);
        assertEquals(5, several[0].memory().getInt(2 * CUmemLocation.LAYOUT.size() + 4));
    }

    @Test
    void textsAndNumbersComeBack() {
        String[] text = new String[1];
        ok(cuGetErrorName(CUresult.CUDA_ERROR_INVALID_VALUE, text));
        assertEquals("CUDA_ERROR_INVALID_VALUE", text[0]);
        byte[] name = new byte[256];
        ok(cuDeviceGetName(name, name.length, 0));
        assertTrue(new String(name, StandardCharsets.UTF_8).trim().length() > 3);
        int[] value = new int[1];
        ok(cuDeviceGetAttribute(value, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
        assertEquals(32, value[0]);
        assertEquals("NVRTC_ERROR_COMPILATION",
                Nvrtc.nvrtcGetErrorString(Nvrtc.nvrtcResult.NVRTC_ERROR_COMPILATION));
    }

    @Test
    void enumeratorsOfUnknownValueAreKept() {
        assertSame(CUresult.CUDA_ERROR_OUT_OF_MEMORY, CUresult.of(2));
        assertEquals(4711, CUresult.of(4711).value());
        assertEquals(CUresult.of(4711), CUresult.of(4711));
        assertNotEquals(CUresult.of(4711), CUdevice_attribute.of(4711));
        assertEquals("4711", CUresult.of(4711).toString());
    }

    @Test
    void sixtyFourBitsStaySixtyFour(@TempDir Path folder) throws Exception {
        Path calls = folder.resolve("calls.txt");
        Bindings.startTrace(calls.toString());
        assertNotEquals(CUresult.CUDA_SUCCESS, cuMemFree(WIDE));
        assertNotEquals(CUresult.CUDA_SUCCESS, cuMemGetAddressRange(new long[1], new long[1], WIDE));
        Bindings.stopTrace();
        String text = Files.readString(calls);
        assertTrue(text.contains("cuMemFree(dptr=0x" + Long.toHexString(WIDE) + ")"), text);
        CUDA_MEMCPY2D copy = new CUDA_MEMCPY2D().srcDevice(WIDE);
        assertEquals(WIDE, copy.srcDevice());
        assertEquals(WIDE, copy.memory().getLong(32));
    }

    @Test
    void nullNeverReachesTheDriverWhereItWouldWrite() {
        assertRefused("dptr", "long[]", () -> cuMemAlloc(null, 16));
        assertRefused("dptr", "1 element", () -> cuMemAlloc(new long[0], 16));
        assertRefused("count", "int[]", () -> cuDeviceGetCount(null));
        assertRefused("pStr", "array of one element", () -> cuGetErrorName(CUresult.CUDA_SUCCESS, null));
        assertRefused("name", "byte[]", () -> cuDeviceGetName(null, 10, 0));
        assertRefused("name", "at least 10", () -> cuDeviceGetName(new byte[9], 10, 0));
        assertRefused("uuid", "structure", () -> cuDeviceGetUuid(null, 0));
        assertRefused("attrib", "enumerator", () -> cuDeviceGetAttribute(new int[1], null, 0));
        assertRefused("options", "at least 2", () -> Nvrtc.nvrtcCompileProgram(1, 2, new String[1]));
        assertRefused("src", "text without NUL",
                () -> Nvrtc.nvrtcCreateProgram(new long[1], "a\0b", null, 0, null, null));
        ok(cuCtxGetStreamPriorityRange(null, new int[1]));    // null is a value of these
    }

    private static long askedFor(String name, int version) {
        long[] address = new long[1];
        ok(cuGetProcAddress(name, address, version, 0, null));
        return address[0];
    }

    @Test
    void aFunctionOfSeveralSignaturesIsTheOneOfTheseHeaders() {
        // The newest headers that have the older signature are CUDA 12's: name, its version, the newer one's.
        Object[][] changed = {{"cuCtxCreate", 3020, 12050}, {"cuEventElapsedTime", 2000, 12080},
            {"cuGraphGetEdges", 10000, 12030}, {"cuMemAdvise", 8000, 12020}, {"cuMemPrefetchAsync", 8000, 12020}};
        for (Object[] function : changed) {
            String name = (String) function[0];
            long older = askedFor(name, (int) function[1]);
            long newer = askedFor(name, (int) function[2]);
            assertNotEquals(older, newer, name);
            assertEquals(CUDA_VERSION >= 13000 ? newer : older, Bindings.addressOf("driver", name), name);
        }
    }

    @Test
    void faultsAreInjected() {
        try (Bindings.Fault fault = Bindings.injectFault("cuMemAlloc=CUDA_ERROR_OUT_OF_MEMORY")) {
            assertSame(CUresult.CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(new long[1], 16), fault.toString());
        }
        long[] memory = new long[1];
        ok(cuMemAlloc(memory, 16));
        ok(cuMemFree(memory[0]));
        assertThrows(InvalidArgumentException.class, () -> Bindings.injectFault("nonsense"));
    }

    @Test
    void eachListIsWhole() {
        CLASSES.forEach((library, type) -> {
            long functions = Bindings.functionCount(library);
            assertTrue(functions >= 13);
            long methods = java.util.Arrays.stream(type.getMethods())
                    .filter(method -> Modifier.isStatic(method.getModifiers())).count();
            assertEquals(functions, methods, library);
        });
        assertTrue(Bindings.isLoaded("driver"));
        assertTrue(Bindings.version("driver") >= 12000);
        assertNotEquals(0, Bindings.addressOf("driver", "cuInit"));
        assertTrue(Bindings.takeFailure().isEmpty());
    }

    /** Sizes, alignments, offsets of all structures are those that the C++ compiler has given them. */
    @Test
    void layoutsAreThoseOfC() throws Exception {
        int structures = 0;
        for (Map.Entry<String, Class<?>> entry : CLASSES.entrySet()) {
            for (Class<?> type : entry.getValue().getClasses()) {
                if (!NativeStruct.class.isAssignableFrom(type)) {
                    continue;
                }
                NativeStruct.Layout layout = (NativeStruct.Layout) type.getField("LAYOUT").get(null);
                long[] first = new long[1];
                long[] second = new long[1];
                CuprumNative.cuprum_bindings_record_layout(first, second, entry.getKey(), layout.type());
                assertEquals(first[0], layout.size(), layout.type());
                assertEquals(second[0], layout.alignment(), layout.type());
                String[] fields = layout.fields();
                for (int i = 0; i < fields.length; ++i) {
                    String path = fields[i];
                    CuprumNative.cuprum_bindings_field_layout(first, second, entry.getKey(), layout.type(), path);
                    assertEquals(first[0], layout.offset(i), layout.type() + "." + path);
                    assertEquals(second[0], layout.size(i), layout.type() + "." + path);
                }
                ++structures;
            }
        }
        assertTrue(structures > 150, structures + " structures");
    }

    @Test
    void everyFunctionComesAsFarAsTheResolver() throws Exception {
        ChildProcess child = new ChildProcess.Builder().environment("CUPRUM_DRIVER", "gpu")
                .hide("libcuda.so", "libcudart", "libnvrtc", "libnvJitLink", "libnvvm", "libnvidia-ml",
                        "libnccl")
                .run("every-function");
        assertEquals(0, child.exitStatus, child.output);
        long functions = 0;
        for (String library : CLASSES.keySet()) {
            functions += Bindings.functionCount(library);
        }
        assertTrue(child.output.contains(functions + " functions are missing"), child.output);
    }
}
