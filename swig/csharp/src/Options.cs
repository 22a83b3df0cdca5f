using C = Cuprum.Native.CuprumNative;

namespace Cuprum {

/// <summary>The language of a <see cref="Program"/>'s text.</summary>
public enum SourceType {
    /// <summary>CUDA C++.</summary>
    Cxx = C.CUPRUM_SOURCE_CXX,
    /// <summary>PTX, NVIDIA's portable assembly language.</summary>
    Ptx = C.CUPRUM_SOURCE_PTX,
    /// <summary>NVVM IR, which libNVVM compiles.</summary>
    Nvvm = C.CUPRUM_SOURCE_NVVM,
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
    /// <summary>Input of the link-time optimiser: a <see cref="Linker"/> turns it into code that a device
    /// loads.</summary>
    LtoIr = C.CUPRUM_CODE_LTOIR,
    /// <summary>Code for several architectures.</summary>
    Fatbin = C.CUPRUM_CODE_FATBIN,
    /// <summary>An object file, as nvcc writes it: input of a <see cref="Linker"/>.</summary>
    Object = C.CUPRUM_CODE_OBJECT,
    /// <summary>A library of object files: input of a <see cref="Linker"/>, which takes from it what other inputs use.
    /// </summary>
    Library = C.CUPRUM_CODE_LIBRARY,
}

/// <summary>How a stream compares a word of memory with the value that it waits for.</summary>
public enum WaitCondition {
    /// <summary><c>word - value</c>, taken as a signed number, is not negative: a counter may wrap around.</summary>
    GreaterOrEqual = C.CUPRUM_WAIT_GREATER_OR_EQUAL,
    /// <summary>They are equal.</summary>
    Equal = C.CUPRUM_WAIT_EQUAL,
    /// <summary><c>word &amp; value</c> is not 0.</summary>
    BitwiseAnd = C.CUPRUM_WAIT_BITWISE_AND,
    /// <summary><c>~(word | value)</c> is not 0.</summary>
    BitwiseNor = C.CUPRUM_WAIT_BITWISE_NOR,
}

/// <summary>Options for a new stream.</summary>
public sealed class StreamOptions {
    /// <summary>Nonblocking, priority 0.</summary>
    public StreamOptions() {
        Nonblocking = true;
    }

    /// <summary>Does not synchronise with the legacy default stream.</summary>
    public bool Nonblocking { get; set; }

    /// <summary>The priority, lower numbers first; the driver clamps it to the device's range.</summary>
    public int Priority { get; set; }
}

/// <summary>Options for a new event.</summary>
public sealed class EventOptions {
    /// <summary>The event can be used in <see cref="Event.ElapsedTime"/>.</summary>
    public bool TimingEnabled { get; set; }

    /// <summary>Waiting for the event sleeps instead of spinning.</summary>
    public bool BlockingSync { get; set; }

    /// <summary>The event can be shared with other processes, and cannot measure time.</summary>
    public bool IpcEnabled { get; set; }
}

}
