using System.Collections.Generic;
using Cuprum.Native;

namespace Cuprum {

/// <summary>Functions that do not belong to an object.</summary>
public static class CuprumLibrary {
    static CuprumLibrary() {
        NativeLibraries.Load();
    }

    /// <summary>Launches a kernel; the same as <see cref="Stream.Launch"/>, in cuda.core's order.</summary>
    public static void Launch(Stream stream, LaunchConfig config, Kernel kernel, params object[] arguments) {
        stream.Launch(config, kernel, arguments);
    }

    /// <summary>Cuprum's version, "0.1.0".</summary>
    public static string Version {
        get {
            int version;
            CuprumNative.cuprum_version(out version);
            return version / 1000000 + "." + version / 1000 % 1000 + "." + version % 1000;
        }
    }

    /// <summary>The driver's version: major * 1000 + minor * 10.</summary>
    public static int DriverVersion {
        get {
            int version;
            CuprumNative.cuprum_driver_version(out version);
            return version;
        }
    }

    /// <summary>NVRTC's version, "13.0".</summary>
    public static string NvrtcVersion {
        get {
            int major, minor;
            CuprumNative.cuprum_nvrtc_version(out major, out minor);
            return major + "." + minor;
        }
    }

    /// <summary>A report of driver, toolkit parts and devices, as JSON.</summary>
    public static string InfoJson {
        get {
            string json;
            CuprumNative.cuprum_info_json(out json);
            return json;
        }
    }

    /// <summary>How many native objects are alive in this process, for leak tests.</summary>
    public static ulong LiveHandles {
        get {
            ulong count;
            CuprumNative.cuprum_live_handles(out count);
            return count;
        }
    }

    /// <summary>How many native objects of each kind are alive in this process, by the kind's name: "stream".</summary>
    public static IReadOnlyDictionary<string, ulong> LiveObjects {
        get {
            uint kinds;
            CuprumNative.cuprum_handle_kind_count(out kinds);
            var counts = new Dictionary<string, ulong>();
            for (uint kind = 0; kind < kinds; ++kind) {
                string name;
                ulong count;
                CuprumNative.cuprum_live_handles_of_kind(out name, out count, kind);
                counts[name] = count;
            }
            return counts;
        }
    }
}

}
