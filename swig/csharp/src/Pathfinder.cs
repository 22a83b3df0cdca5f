using Cuprum.Native;

namespace Cuprum {

/// <summary>Something that <see cref="Pathfinder"/> has found.</summary>
public sealed class LocatedPath {
    internal LocatedPath(string path, string foundVia) {
        Path = path;
        FoundVia = foundVia;
    }

    /// <summary>Where it is.</summary>
    public string Path { get; }

    /// <summary>What led there: "wheel", "conda", "CUDA_PATH", "loader" and so on.</summary>
    public string FoundVia { get; }
}

/// <summary>Finds the parts of the CUDA toolkit.</summary>
public static class Pathfinder {
    static Pathfinder() {
        NativeLibraries.Load();
    }

    /// <summary>Finds a library without opening it.</summary>
    /// <param name="name">cuda.pathfinder's: "cuda", "nvrtc", "nvJitLink", "cudart".</param>
    /// <exception cref="NotFoundException">With every place looked at and why each candidate was refused.</exception>
    public static LocatedPath FindLibrary(string name) {
        string path, foundVia;
        CuprumNative.cuprum_find_library(out path, out foundVia, name);
        return new LocatedPath(path, foundVia);
    }

    /// <summary>Finds a folder of headers.</summary>
    /// <param name="name">"cudart" for the CUDA headers, "cccl" for CUB, Thrust and libcu++.</param>
    /// <exception cref="NotFoundException">With every place looked at and why each candidate was refused.</exception>
    public static LocatedPath FindHeaderDirectory(string name) {
        string path, foundVia;
        CuprumNative.cuprum_find_header_directory(out path, out foundVia, name);
        return new LocatedPath(path, foundVia);
    }

    /// <summary>Adds a folder to search first: a Python environment's site-packages, with nvidia/ in it.</summary>
    public static void AddWheelDirectory(string sitePackages) {
        CuprumNative.cuprum_add_wheel_directory(sitePackages);
    }
}

}
