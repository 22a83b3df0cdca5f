using System.Collections.Generic;
using Cuprum.Native;

namespace Cuprum {

/// <summary>The kinds of part that <see cref="Pathfinder"/> finds, with the numbers of the C ABI.</summary>
public enum PartKind {
    /// <summary>A shared library, such as "nvrtc".</summary>
    DynamicLibrary = 0,
    /// <summary>A folder to include from, such as that of "cudart" or "cccl".</summary>
    Headers = 1,
    /// <summary>LLVM bitcode, such as "device" (libdevice).</summary>
    BitcodeLibrary = 2,
    /// <summary>A static library, such as "cudadevrt".</summary>
    StaticLibrary = 3,
    /// <summary>A program, such as "nvcc".</summary>
    BinaryUtility = 4,
}

/// <summary>Something that <see cref="Pathfinder"/> has found.</summary>
public class LocatedPath {
    internal LocatedPath(string path, string foundVia) {
        Path = path;
        FoundVia = foundVia;
    }

    /// <summary>The path.</summary>
    public string Path { get; }

    /// <summary>How it was found: "wheel", "conda", "CUDA_PATH", "loader" and so on.</summary>
    public string FoundVia { get; }
}

/// <summary>A shared library that is open. It is never closed.</summary>
public sealed class LoadedLibrary : LocatedPath {
    internal LoadedLibrary(string path, string foundVia, ulong nativeHandle, bool wasAlreadyLoaded)
        : base(path, foundVia) {
        NativeHandle = nativeHandle;
        WasAlreadyLoaded = wasAlreadyLoaded;
    }

    /// <summary>The handle of dlopen().</summary>
    public ulong NativeHandle { get; }

    /// <summary>Whether other code in this process had already opened it.</summary>
    public bool WasAlreadyLoaded { get; }
}

/// <summary>
/// Finds the parts of the CUDA toolkit, its add-ons and the driver, by the names of cuda.pathfinder. All parts of the
/// toolkit come from one toolkit, see <see cref="Toolkit"/>. Every method that finds throws
/// <see cref="NotFoundException"/> with every place searched and why each candidate was refused, and
/// <see cref="InvalidArgumentException"/> with the nearest names for an unknown name.
/// </summary>
public static class Pathfinder {
    static Pathfinder() {
        NativeLibraries.Load();
    }

    /// <summary>Finds a part without opening it.</summary>
    public static LocatedPath Locate(PartKind kind, string name) {
        string path, foundVia;
        CuprumNative.cuprum_find_part(out path, out foundVia, (int)kind, Require.NotNull(name, nameof(name)));
        return new LocatedPath(path, foundVia);
    }

    /// <summary>Finds a library, such as "nvrtc", without opening it.</summary>
    public static LocatedPath LocateNvidiaDynamicLib(string name) {
        return Locate(PartKind.DynamicLibrary, name);
    }

    /// <summary>The path of a library, such as "nvrtc".</summary>
    public static string FindCudaLibrary(string name) {
        return LocateNvidiaDynamicLib(name).Path;
    }

    /// <summary>Opens a library, such as "cublas", and, before it, those that it needs.</summary>
    public static LoadedLibrary LoadNvidiaDynamicLib(string name) {
        string path, foundVia;
        ulong handle;
        int wasAlreadyLoaded;
        CuprumNative.cuprum_load_library(out path, out foundVia, out handle, out wasAlreadyLoaded,
                                         Require.NotNull(name, nameof(name)));
        return new LoadedLibrary(path, foundVia, handle, wasAlreadyLoaded != 0);
    }

    /// <summary>Finds a folder of headers, such as those of "cudart" or "cccl".</summary>
    public static LocatedPath LocateNvidiaHeaderDirectory(string name) {
        return Locate(PartKind.Headers, name);
    }

    /// <summary>The path of a folder of headers, such as those of "cudart" or "cccl".</summary>
    public static string FindNvidiaHeaderDirectory(string name) {
        return LocateNvidiaHeaderDirectory(name).Path;
    }

    /// <summary>Finds a library of LLVM bitcode, such as "device" (libdevice).</summary>
    public static LocatedPath LocateBitcodeLib(string name) {
        return Locate(PartKind.BitcodeLibrary, name);
    }

    /// <summary>The path of a library of LLVM bitcode, such as "device" (libdevice).</summary>
    public static string FindBitcodeLib(string name) {
        return LocateBitcodeLib(name).Path;
    }

    /// <summary>Finds a static library, such as "cudadevrt".</summary>
    public static LocatedPath LocateStaticLib(string name) {
        return Locate(PartKind.StaticLibrary, name);
    }

    /// <summary>The path of a static library, such as "cudadevrt".</summary>
    public static string FindStaticLib(string name) {
        return LocateStaticLib(name).Path;
    }

    /// <summary>The path of a program, such as "nvcc".</summary>
    public static string FindNvidiaBinaryUtility(string name) {
        return Locate(PartKind.BinaryUtility, name).Path;
    }

    /// <summary>The folders that a CUDA program includes from: CUDA's own headers, then CCCL's.</summary>
    public static IReadOnlyList<string> FindCudaIncludeDirs() {
        uint count;
        CuprumNative.cuprum_include_directory_count(out count);
        var folders = new List<string>();
        for (uint i = 0; i < count; ++i) {
            string path;
            CuprumNative.cuprum_include_directory(out path, i);
            folders.Add(path);
        }
        return folders;
    }

    /// <summary>The names of all parts of a kind on this platform.</summary>
    public static IReadOnlyList<string> SupportedNames(PartKind kind) {
        uint count;
        CuprumNative.cuprum_part_count(out count, (int)kind);
        var names = new List<string>();
        for (uint i = 0; i < count; ++i) {
            string name, file;
            int origin;
            CuprumNative.cuprum_part_info(out name, out file, out origin, (int)kind, i);
            names.Add(name);
        }
        return names;
    }

    /// <summary>Adds a folder to search first: a Python environment's site-packages, with nvidia/ in it.</summary>
    public static void AddWheelDirectory(string sitePackages) {
        CuprumNative.cuprum_add_wheel_directory(sitePackages);
    }

    /// <summary>Forgets what was found and which toolkit is in use, so that the next call searches again.</summary>
    public static void ResetCache() {
        CuprumNative.cuprum_reset_pathfinder();
    }

    /// <summary>What is wrong with this machine's CUDA and how to fix it, the worst first.</summary>
    public static IReadOnlyList<Finding> Diagnose() {
        uint count;
        CuprumNative.cuprum_doctor(out count);
        return Finding.OfThread(count);
    }
}

}
