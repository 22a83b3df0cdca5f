using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>Kinds of events of a GPU.</summary>
[Flags]
public enum SystemEventTypes : ulong {
    /// <summary>None.</summary>
    None = 0,
    /// <summary>A single bit of memory was wrong and has been corrected.</summary>
    SingleBitEccError = 1,
    /// <summary>Two bits of memory were wrong.</summary>
    DoubleBitEccError = 2,
    /// <summary>The performance state has changed.</summary>
    PState = 4,
    /// <summary>A critical error, whose number is its data.</summary>
    XidCriticalError = 8,
    /// <summary>A clock has changed.</summary>
    Clock = 16,
}

/// <summary>An event of a GPU.</summary>
public struct SystemEvent {
    internal SystemEvent(SystemDevice device, SystemEventTypes type, ulong data) {
        Device = device;
        Type = type;
        Data = data;
    }

    /// <summary>Whose.</summary>
    public SystemDevice Device { get; }

    /// <summary>Its kind.</summary>
    public SystemEventTypes Type { get; }

    /// <summary>Of a critical error its number, the XID.</summary>
    public ulong Data { get; }
}

/// <summary>Events of a GPU that are waited for, from <see cref="SystemDevice.RegisterEvents"/>.</summary>
public sealed class SystemEvents : IDisposable {
    private readonly NativeHandle handle;

    internal SystemEvents(IntPtr handle) {
        this.handle = new NativeHandle(handle, CuprumNative.cuprum_release_system_events);
    }

    /// <summary>Waits for an event; null when there is none in that time.</summary>
    /// <param name="timeout">For how long at most.</param>
    public SystemEvent? Wait(TimeSpan timeout) {
        if (timeout < TimeSpan.Zero || timeout.TotalMilliseconds > uint.MaxValue) {
            throw new ArgumentOutOfRangeException(nameof(timeout), "the timeout must not be negative: " + timeout);
        }
        int happened, device;
        ulong type, data;
        CuprumNative.cuprum_system_events_wait(out happened, out device, out type, out data,
                                               Use(Operations.SystemEventsWait), (uint)timeout.TotalMilliseconds);
        return happened == 0 ? (SystemEvent?)null
                             : new SystemEvent(new SystemDevice(device), (SystemEventTypes)type, data);
    }

    private NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }

    /// <summary>Ends the registration.</summary>
    public void Dispose() {
        handle.Dispose();
    }
}

/// <summary>The driver as NVIDIA's management library (NVML) describes it.</summary>
public static class SystemInfo {
    static SystemInfo() {
        NativeLibraries.Load();
    }

    /// <summary>The version of the kernel's driver, "580.65.06".</summary>
    public static string KernelModeDriverVersion {
        get {
            string text;
            CuprumNative.cuprum_system_kernel_mode_driver_version(out text);
            return text;
        }
    }

    /// <summary>NVML's version.</summary>
    public static string NvmlVersion {
        get {
            string text;
            CuprumNative.cuprum_system_nvml_version(out text);
            return text;
        }
    }

    /// <summary>The branch of the driver, "r580_00".</summary>
    public static string DriverBranch {
        get {
            string text;
            CuprumNative.cuprum_system_driver_branch(out text);
            return text;
        }
    }

    /// <summary>The name of a process.</summary>
    /// <param name="pid">Its number.</param>
    /// <exception cref="InvalidArgumentException">There is no such process.</exception>
    public static string ProcessName(uint pid) {
        string text;
        CuprumNative.cuprum_system_process_name(out text, pid);
        return text;
    }
}

}
