using System;
using System.IO;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Cuprum.Native {

/// <summary>
/// Loads libcuprum_csharp.so by its full path before the runtime looks for it. Mono and .NET then both get that
/// library, because the loader recognises it by its SONAME; neither LD_LIBRARY_PATH nor a dllmap is needed.
/// </summary>
/// <remarks>
/// Mono looks for a native function already when it compiles the method that calls it. So every class that a program
/// can start with calls Load in its static constructor, and calls native functions only through CuprumNative, whose
/// methods are compiled when they are first called.
/// </remarks>
internal static class NativeLibraries {
    private const string Library = "libcuprum_csharp.so";
    private const int ResolveNow = 2;    // RTLD_NOW

    /// <summary>
    /// Looks in the folder that CUPRUM_LIBRARY_PATH names, else beside the assembly and in the package that it is part
    /// of. If it is in none of them, the runtime's own search remains.
    /// </summary>
    static NativeLibraries() {
        string chosen = Environment.GetEnvironmentVariable("CUPRUM_LIBRARY_PATH");
        if (!string.IsNullOrEmpty(chosen)) {
            Load(Path.Combine(Path.GetFullPath(chosen), Library));
            return;
        }
        string assembly = typeof(NativeLibraries).Assembly.Location;    // empty in a single-file program
        string beside = string.IsNullOrEmpty(assembly) ? AppDomain.CurrentDomain.BaseDirectory
                                                       : Path.GetDirectoryName(assembly);
        string platform = Path.Combine("runtimes", "linux-x64", "native");
        string[] places = {
            Path.Combine(beside, platform, Library),                // an application's folder
            Path.Combine(beside, Library),                          // an application published for this platform
            Path.Combine(beside, "..", "..", platform, Library),    // the unpacked package
        };
        foreach (string place in places) {
            if (File.Exists(place)) {
                Load(place);
                return;
            }
        }
    }

    /// <summary>Once it returns, the library is loaded.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Load() {}

    private static void Load(string path) {
        // The reason lasts until the next call of the loader, and .NET's search for dlerror is one: so it is found first.
        dlerror();
        if (dlopen(path, ResolveNow) == IntPtr.Zero) {
            throw new DllNotFoundException("could not load Cuprum's native library " + path + ": "
                                           + Marshal.PtrToStringAnsi(dlerror()));
        }
    }

    [DllImport("libdl.so.2", CharSet = CharSet.Ansi)]
    private static extern IntPtr dlopen(string path, int flags);

    [DllImport("libdl.so.2")]
    private static extern IntPtr dlerror();
}

}
