using System;
using Cuprum.Native;

namespace Cuprum.Bindings {

/// <summary>
/// Functions that the bindings of all libraries share. The libraries are named "driver", "runtime", "nvrtc",
/// "nvjitlink", "nvvm", "nvml" and "nccl".
/// </summary>
public static class Libraries {
    static Libraries() {
        NativeLibraries.Load();
    }

    /// <summary>
    /// Why the latest call on this thread did not find its library or its function, and clears it; null if nothing has
    /// been missing since the last call of this method. Ask after a call has returned such a status.
    /// </summary>
    public static NotFoundException TakeFailure() {
        try {
            CuprumNative.cuprum_bindings_take_failure();
            return null;
        } catch (NotFoundException missing) {
            return missing;
        }
    }

    /// <summary>Whether a library is open already.</summary>
    public static bool IsLoaded(string library) {
        int loaded;
        CuprumNative.cuprum_bindings_is_loaded(out loaded, library);
        return loaded != 0;
    }

    /// <summary>The version that a library says it has, 1000 * major + 10 * minor; opens it.</summary>
    public static int Version(string library) {
        int version;
        CuprumNative.cuprum_bindings_library_version(out version, library);
        return version;
    }

    /// <summary>How many functions a library's list has: those of the headers that Cuprum was built with.</summary>
    public static uint FunctionCount(string library) {
        uint count;
        CuprumNative.cuprum_bindings_function_count(out count, library);
        return count;
    }

    /// <summary>The address that a call goes to; opens the library. Calls of the address are not traced.</summary>
    /// <exception cref="NotFoundException">The library or the function is missing.</exception>
    public static ulong AddressOf(string library, string function) {
        ulong address;
        CuprumNative.cuprum_bindings_address_of(out address, library, function);
        return address;
    }

    /// <summary>
    /// The size and alignment in bytes of a C structure, by its C name.
    /// </summary>
    public static void RecordLayout(string library, string type, out uint size, out uint alignment) {
        CuprumNative.cuprum_bindings_record_layout(out size, out alignment, library, type);
    }

    /// <summary>The offset and size in bytes of a C structure's field; a path has dots between the names.</summary>
    public static void FieldLayout(string library, string type, string path, out uint offset, out uint size) {
        CuprumNative.cuprum_bindings_field_layout(out offset, out size, library, type, path);
    }

    /// <summary>
    /// Makes the null stream each thread's own default stream (false: the legacy one), for the whole process, before its
    /// first call.
    /// </summary>
    public static void UsePerThreadDefaultStream(bool enabled) {
        CuprumNative.cuprum_bindings_use_per_thread_default_stream(enabled ? 1 : 0);
    }

    /// <summary>
    /// Starts to trace all calls of the process into a file, in place of the running trace: a Chrome trace if the
    /// file's name ends in .json, else text.
    /// </summary>
    public static void StartTrace(string path) {
        CuprumNative.cuprum_bindings_start_trace(path);
    }

    /// <summary>Stops the running trace, if any.</summary>
    public static void StopTrace() {
        CuprumNative.cuprum_bindings_stop_trace();
    }

    /// <summary>
    /// Makes calls fail without making them: NAME[:N[+]]=CODE, as in CUPRUM_FAULT: the Nth call from now on, and with
    /// "+" all later ones too. Ends when the result is disposed of.
    /// </summary>
    public static IDisposable InjectFault(string item) {
        ulong number;
        CuprumNative.cuprum_bindings_inject_fault(out number, item);
        return new Fault(number);
    }

    private sealed class Fault : IDisposable {
        private readonly ulong number;
        private bool ended;

        public Fault(ulong number) {
            this.number = number;
        }

        public void Dispose() {
            lock (this) {
                if (!ended) {
                    ended = true;
                    ulong injected;
                    CuprumNative.cuprum_bindings_end_fault(out injected, number);
                }
            }
        }
    }
}

}
