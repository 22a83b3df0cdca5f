using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
using Cuprum;
using Cuprum.Bindings;
using NUnit.Framework;
using static Cuprum.Bindings.Driver;
using static Cuprum.Bindings.Nvrtc;

/// <summary>The libraries' functions under their names in C.</summary>
[TestFixture]
public unsafe class BindingsTest : DriverTest {
    private const ulong Wide = 0xFFFFFFFF00000001;

    private static readonly Dictionary<string, Type> classes = new Dictionary<string, Type> {
        {"driver", typeof(Driver)}, {"runtime", typeof(Cuprum.Bindings.Runtime)}, {"nvrtc", typeof(Nvrtc)},
        {"nvjitlink", typeof(NvJitLink)},
        {"nvvm", typeof(Nvvm)},
        {"nvml", typeof(Nvml)},
        {"nccl", typeof(Nccl)},
    };

    private static void AssertRefused(string parameter, string takes, TestDelegate call) {
        ArgumentException refusal = Assert.Catch<ArgumentException>(call);
        Assert.AreEqual(parameter, refusal.ParamName);
        StringAssert.Contains(takes, refusal.Message);
    }

    [Test]
    public void CompilesAndLaunchesAKernel() {
        string source =
            "extern \"C\" __global__ void add(int* numbers, int amount) { numbers[threadIdx.x] += amount; }";
        IntPtr program;
        Assert.AreEqual(nvrtcResult.NVRTC_SUCCESS, nvrtcCreateProgram(out program, source, "add.cu", 0, null, null));
        string[] options = {"--gpu-architecture=compute_75"};
        Assert.AreEqual(nvrtcResult.NVRTC_SUCCESS, nvrtcCompileProgram(program, 1, options));
        ulong size;
        nvrtcGetPTXSize(program, out size);
        byte[] ptx = new byte[size];
        nvrtcGetPTX(program, ptx);
        nvrtcDestroyProgram(ref program);
        Assert.AreEqual(IntPtr.Zero, program);

        IntPtr module;
        IntPtr function;
        IntPtr missing;
        fixed (byte* image = ptx) {
            Ok(cuModuleLoadData(out module, (IntPtr)image));
        }
        Ok(cuModuleGetFunction(out function, module, "add"));
        Assert.AreEqual(CUresult.CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(out missing, module, "subtract"));

        ulong numbers;
        Ok(cuMemAlloc(out numbers, 32 * 4));
        Ok(cuMemsetD32(numbers, 1, 32));
        int amount = 41;
        IntPtr[] parameters = {(IntPtr)(&numbers), (IntPtr)(&amount)};
        Ok(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, IntPtr.Zero, parameters, null));
        int[] back = new int[32];
        fixed (int* host = back) {
            Ok(cuMemcpyDtoH((IntPtr)host, numbers, 32 * 4));
        }
        Assert.AreEqual(42, back[31]);
        Ok(cuMemFree(numbers));
        Ok(cuModuleUnload(module));
    }

    [Test]
    public void StructuresAreBlittable() {
        ulong device;
        Ok(cuMemAlloc(out device, 64));
        int[] host = new int[16];
        host[15] = 7;
        int[] back = new int[16];
        fixed (int* from = host, to = back) {
            CUDA_MEMCPY2D copy = new CUDA_MEMCPY2D {
                srcMemoryType = CUmemorytype.CU_MEMORYTYPE_HOST, srcHost = (IntPtr)from, srcPitch = 16,
                dstMemoryType = CUmemorytype.CU_MEMORYTYPE_DEVICE, dstDevice = device, dstPitch = 16,
                WidthInBytes = 16, Height = 4,
            };
            Ok(cuMemcpy2D(copy));
            Ok(cuMemcpyDtoH((IntPtr)to, device, 64));
        }
        Assert.AreEqual(7, back[15]);
        Ok(cuMemFree(device));
        CUuuid uuid;
        Ok(cuDeviceGetUuid(out uuid, 0));
        CUmemPoolProps properties = new CUmemPoolProps {
            allocType = CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED,
            location = new CUmemLocation { type = CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE, id = 0 },
        };
        IntPtr pool;
        Ok(cuMemPoolCreate(out pool, properties));
        Ok(cuMemPoolDestroy(pool));
    }

    [Test]
    public void TextsAndNumbersComeBack() {
        string text;
        Ok(cuGetErrorName(CUresult.CUDA_ERROR_INVALID_VALUE, out text));
        Assert.AreEqual("CUDA_ERROR_INVALID_VALUE", text);
        byte[] name = new byte[256];
        Ok(cuDeviceGetName(name, name.Length, 0));
        Assert.Greater(Encoding.UTF8.GetString(name).TrimEnd('\0').Length, 3);
        int value;
        Ok(cuDeviceGetAttribute(out value, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
        Assert.AreEqual(32, value);
        Assert.AreEqual("NVRTC_ERROR_COMPILATION", nvrtcGetErrorString(nvrtcResult.NVRTC_ERROR_COMPILATION));
    }

    [Test]
    public void SixtyFourBitsStaySixtyFour() {
        string calls = Path.GetTempFileName();
        Libraries.StartTrace(calls);
        Assert.AreNotEqual(CUresult.CUDA_SUCCESS, cuMemFree(Wide));
        // A driver would follow an invalid handle: the call is recorded and not made.
        using (Libraries.InjectFault("cuStreamSynchronize=CUDA_ERROR_INVALID_HANDLE")) {
            Assert.AreEqual(CUresult.CUDA_ERROR_INVALID_HANDLE,
                cuStreamSynchronize(new IntPtr(unchecked((long)Wide))));
        }
        Libraries.StopTrace();
        string text = File.ReadAllText(calls);
        File.Delete(calls);
        StringAssert.Contains("cuMemFree(dptr=0xffffffff00000001)", text);
        StringAssert.Contains("cuStreamSynchronize(hStream=0xffffffff00000001)", text);
    }

    [Test]
    public void NullNeverReachesTheDriverWhereItWouldWrite() {
        AssertRefused("name", "at least 1 element, given null", () => cuDeviceGetName(null, 10, 0));
        AssertRefused("name", "at least 10", () => cuDeviceGetName(new byte[9], 10, 0));
        AssertRefused("options", "at least 2", () => nvrtcCompileProgram(new IntPtr(1), 2, new string[1]));
        AssertRefused("supportedArchs", "at least 1 element", () => nvrtcGetSupportedArchs(new int[0]));
        AssertRefused("src", "text without NUL", () => { IntPtr program;
            nvrtcCreateProgram(out program, "a\0b", null, 0, null, null); });
    }

    private static ulong AskedFor(string name, int version) {
        IntPtr address;
        CUdriverProcAddressQueryResult found;
        Ok(cuGetProcAddress(name, out address, version, 0, out found));
        return (ulong)address;
    }

    [Test]
    public void AFunctionOfSeveralSignaturesIsTheOneOfTheseHeaders() {
        // The newest headers that have the older signature are CUDA 12's: name, its version, the newer one's.
        foreach (var function in new[] {
            Tuple.Create("cuCtxCreate", 3020, 12050), Tuple.Create("cuEventElapsedTime", 2000, 12080),
            Tuple.Create("cuGraphGetEdges", 10000, 12030), Tuple.Create("cuMemAdvise", 8000, 12020),
            Tuple.Create("cuMemPrefetchAsync", 8000, 12020)
        }) {
            ulong older = AskedFor(function.Item1, function.Item2);
            ulong newer = AskedFor(function.Item1, function.Item3);
            Assert.AreNotEqual(older, newer, function.Item1);
            ulong compiled = FromCuda13 ? newer : older;
            Assert.AreEqual(compiled, Libraries.AddressOf("driver", function.Item1), function.Item1);
        }
    }

    /// <summary>Whether the bindings were made from the headers of CUDA 13.</summary>
    private static bool FromCuda13 {
        get { return CUDA_VERSION >= 13000; }
    }

    [Test]
    public void FaultsAreInjected() {
        ulong memory;
        using (Libraries.InjectFault("cuMemAlloc=CUDA_ERROR_OUT_OF_MEMORY")) {
            Assert.AreEqual(CUresult.CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(out memory, 16));
        }
        Ok(cuMemAlloc(out memory, 16));
        Ok(cuMemFree(memory));
        Assert.Catch<InvalidArgumentException>(() => Libraries.InjectFault("nonsense"));
    }

    [Test]
    public void EachListIsWhole() {
        foreach (KeyValuePair<string, Type> library in classes) {
            int methods = library.Value.GetMethods(BindingFlags.Public | BindingFlags.Static).Length;
            Assert.AreEqual(Libraries.FunctionCount(library.Key), methods, library.Key);
        }
        Assert.IsTrue(Libraries.IsLoaded("driver"));
        Assert.GreaterOrEqual(Libraries.Version("driver"), 12000);
        Assert.AreNotEqual(0, Libraries.AddressOf("driver", "cuInit"));
        Assert.IsNull(Libraries.TakeFailure());
    }

    /// <summary>Sizes and offsets of all structures, as the runtime lays them out, are those in C.</summary>
    [Test]
    public void LayoutsAreThoseOfC() {
        int structures = 0;
        foreach (KeyValuePair<string, Type> library in classes) {
            foreach (Type type in library.Value.GetNestedTypes().Where(each => each.IsValueType && !each.IsEnum)) {
                if (type.GetCustomAttributes(typeof(NativeTypeAttribute), false).Length == 0) {
                    continue;    // the element of a fixed array
                }
                string name = ((NativeTypeAttribute)type.GetCustomAttributes(typeof(NativeTypeAttribute), false)[0]).Name;
                uint size;
                uint other;
                Libraries.RecordLayout(library.Key, name, out size, out other);
                Assert.AreEqual(size, Marshal.SizeOf(type), name);
                foreach (FieldInfo field in type.GetFields(BindingFlags.Public | BindingFlags.Instance)) {
                    uint offset;
                    if (TryFieldLayout(library.Key, name, field.Name, out offset)) {
                        Assert.AreEqual(offset, Marshal.OffsetOf(type, field.Name).ToInt64(), name + "." + field.Name);
                        ++fields;
                    }
                }
                ++structures;
            }
        }
        Assert.Greater(structures, 150);
        Assert.Greater(fields, 900);
    }

    private int fields;

    /// <summary>A field's path in C has dots where its name here has underscores, some of which are the name's own.
    /// </summary>
    private static bool TryFieldLayout(string library, string type, string name, out uint offset) {
        offset = 0;
        for (int dots = 0; dots < 1 << name.Count(letter => letter == '_') && dots < 256; ++dots) {
            StringBuilder path = new StringBuilder();
            int seen = 0;
            foreach (char letter in name) {
                path.Append(letter == '_' && (dots >> seen++ & 1) != 0 ? '.' : letter);
            }
            try {
                uint size;
                Libraries.FieldLayout(library, type, path.ToString(), out offset, out size);
                return true;
            } catch (InvalidArgumentException) {
                continue;
            }
        }
        return false;
    }

    [Test]
    public void EveryFunctionComesAsFarAsTheResolver() {
        ChildProcess child = new ChildProcess().Environment("CUPRUM_DRIVER", "gpu")
            .Hide("libcuda.so", "libcudart", "libnvrtc", "libnvJitLink", "libnvvm", "libnvidia-ml", "libnccl")
            .Run("every-function");
        Assert.AreEqual(0, child.ExitStatus, child.Output);
        long functions = classes.Keys.Sum(library => Libraries.FunctionCount(library));
        StringAssert.Contains(functions + " functions are missing", child.Output);
    }
}
