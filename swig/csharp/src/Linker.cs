using System;
using System.Collections.Generic;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// Links object codes with nvJitLink: PTX, cubins, LTO-IR, fat binaries, objects and libraries, in any mixture. Keeps its
/// inputs, which may be closed, and can link them again, to another kind of code.
/// </summary>
public sealed partial class Linker : IDisposable {
    private readonly NativeHandle handle;
    private readonly string name;

    static Linker() {
        NativeLibraries.Load();
    }

    /// <summary>A linker with the default options.</summary>
    /// <param name="objectCodes">What to link; at least one.</param>
    public Linker(params ObjectCode[] objectCodes) : this(objectCodes, null) {}

    /// <summary>Takes the inputs. Links nothing yet.</summary>
    /// <param name="objectCodes">What to link; at least one.</param>
    /// <param name="options">The options, which are copied; null for the defaults.</param>
    /// <exception cref="InvalidArgumentException">An input is damaged, or is not what its code type says.
    /// </exception>
    public Linker(IReadOnlyCollection<ObjectCode> objectCodes, LinkerOptions options) {
        Require.NotNull(objectCodes, nameof(objectCodes));
        options = options ?? new LinkerOptions();
        name = options.Name;
        if (objectCodes.Count == 0) {
            throw Errors.InvalidArgument(this, Operations.LinkerCreate,
                                         "there is no object code to link: pass at least one");
        }
        IntPtr linker;
        CuprumNative.cuprum_linker_create(out linker, name, options.ToLinkOptions());
        handle = new NativeHandle(linker, CuprumNative.cuprum_release_linker);
        try {
            foreach (ObjectCode code in objectCodes) {
                Require.NotNull(code, nameof(objectCodes));
                CuprumNative.cuprum_linker_add(handle, code.Use(Operations.LinkerAdd));
            }
        } catch {
            handle.Dispose();
            throw;
        }
    }

    /// <summary>Links all inputs; blocks meanwhile. The name expressions of the inputs are those of the result. The
    /// caller disposes of it.</summary>
    /// <param name="target">Cubin or, where all inputs are LTO-IR, Ptx.</param>
    /// <exception cref="NvJitLinkException">The inputs do not match each other or the architecture; Log says why.
    /// </exception>
    /// <exception cref="NotFoundException">nvJitLink is missing.</exception>
    public ObjectCode Link(CodeType target) {
        IntPtr objectCode;
        CuprumNative.cuprum_linker_link(out objectCode, Use(Operations.LinkerLink), (int)target);
        return new ObjectCode(objectCode);
    }

    /// <summary>Whether this object is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>May be called more than once.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Names the linker.</summary>
    public override string ToString() {
        return "Linker \"" + name + "\"";
    }

    private NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

}
