using C = Cuprum.Native.CuprumNative;

namespace Cuprum {

/// <summary>The language of a <see cref="Program"/>'s text.</summary>
public enum SourceType {
    /// <summary>CUDA C++.</summary>
    Cxx = C.CUPRUM_SOURCE_CXX,
    /// <summary>PTX, NVIDIA's portable assembly language.</summary>
    Ptx = C.CUPRUM_SOURCE_PTX,
}

/// <summary>The form of compiled code.</summary>
public enum CodeType {
    /// <summary>
    /// Only as a target: what the device loads directly, a cubin for a GPU and PTX for the simulator.
    /// </summary>
    Native = C.CUPRUM_CODE_NATIVE,
    /// <summary>PTX text, for any device of the same or a later architecture.</summary>
    Ptx = C.CUPRUM_CODE_PTX,
    /// <summary>Machine code of one architecture.</summary>
    Cubin = C.CUPRUM_CODE_CUBIN,
    /// <summary>Input of the link-time optimiser: a <see cref="Linker"/> makes of it what a device loads.</summary>
    LtoIr = C.CUPRUM_CODE_LTOIR,
    /// <summary>Code for several architectures.</summary>
    Fatbin = C.CUPRUM_CODE_FATBIN,
    /// <summary>An object file, as nvcc writes it: input of a <see cref="Linker"/>.</summary>
    Object = C.CUPRUM_CODE_OBJECT,
    /// <summary>A library of object files: input of a <see cref="Linker"/>, which takes of it what other inputs use.
    /// </summary>
    Library = C.CUPRUM_CODE_LIBRARY,
}

/// <summary>How a stream is made.</summary>
public sealed class StreamOptions {
    /// <summary>Nonblocking, priority 0.</summary>
    public StreamOptions() {
        Nonblocking = true;
    }

    /// <summary>Does not synchronise with the legacy default stream.</summary>
    public bool Nonblocking { get; set; }

    /// <summary>Lower numbers first; the driver clamps it to the device's range.</summary>
    public int Priority { get; set; }
}

/// <summary>How an event is made.</summary>
public sealed class EventOptions {
    /// <summary>The event can be used in <see cref="Event.ElapsedTime"/>.</summary>
    public bool TimingEnabled { get; set; }

    /// <summary>Waiting for the event sleeps instead of spinning.</summary>
    public bool BlockingSync { get; set; }
}

}
