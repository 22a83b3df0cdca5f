using System;
using System.Collections.Generic;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// One toolkit of this machine: all of its parts come from one place and match each other and the driver. Its methods
/// throw what those of <see cref="Pathfinder"/> throw.
/// </summary>
public sealed partial class Toolkit : IDisposable {
    private readonly NativeHandle handle;

    private Toolkit(IntPtr handle) {
        this.handle = new NativeHandle(handle, CuprumNative.cuprum_release_toolkit);
    }

    /// <summary>
    /// The first toolkit in the order of the search that has NVRTC and the wanted version. Parts of other toolkits are
    /// refused, but for those named in <paramref name="fromElsewhere"/>.
    /// </summary>
    /// <param name="version">Conditions joined by commas, as in ">=12.4,&lt;14" or "13"; empty for any.</param>
    /// <param name="fromElsewhere">Names of parts that may come from another toolkit.</param>
    public static Toolkit Find(string version, params string[] fromElsewhere) {
        IntPtr handle;
        CuprumNative.cuprum_toolkit_find(out handle, Require.NotNull(version, nameof(version)), fromElsewhere);
        return new Toolkit(handle);
    }

    /// <summary>
    /// The toolkit that <see cref="Pathfinder"/> and <see cref="Program"/> take parts from. Dispose of it like any
    /// other.
    /// </summary>
    public static Toolkit InUse() {
        IntPtr handle;
        CuprumNative.cuprum_toolkit_in_use(out handle);
        return new Toolkit(handle);
    }

    /// <summary>The toolkit's folder.</summary>
    public string Root {
        get { return Describe()[0]; }
    }

    /// <summary>How it was found: "wheel", "conda", "CUDA_PATH", "loader" and so on.</summary>
    public string FoundVia {
        get { return Describe()[1]; }
    }

    /// <summary>The version: "13.0", or "13" if no more is known, or empty.</summary>
    public string Version {
        get { return Describe()[2]; }
    }

    /// <summary>Finds a part of this toolkit.</summary>
    public LocatedPath Locate(PartKind kind, string name) {
        string path, foundVia;
        CuprumNative.cuprum_toolkit_find_part(out path, out foundVia, Use(Operations.ToolkitFindPart), (int)kind,
                                              name);
        return new LocatedPath(path, foundVia);
    }

    /// <summary>Opens a library of this toolkit and, before it, those that it needs.</summary>
    public LoadedLibrary LoadNvidiaDynamicLib(string name) {
        string path, foundVia;
        ulong library;
        int wasAlreadyLoaded;
        CuprumNative.cuprum_toolkit_load_library(out path, out foundVia, out library, out wasAlreadyLoaded,
                                                 Use(Operations.ToolkitLoadLibrary), name);
        return new LoadedLibrary(path, foundVia, library, wasAlreadyLoaded != 0);
    }

    /// <summary>The mismatches of its parts with each other and with the driver.</summary>
    public IReadOnlyList<Finding> Check() {
        uint count;
        CuprumNative.cuprum_toolkit_check(out count, Use(Operations.ToolkitCheck));
        return Finding.OfThread(count);
    }

    /// <summary>Whether this object is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>Closes this object. Libraries stay open, and a toolkit in use stays in use.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    private string[] Describe() {
        string root, foundVia, version;
        CuprumNative.cuprum_toolkit_describe(out root, out foundVia, out version, Use(Operations.ToolkitDescribe));
        return new[] { root, foundVia, version };
    }

    private NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

}
