using System;

namespace Cuprum {

/// <summary>
/// What an algorithm is built for: a <see cref="Device"/>, on which it is then called, <see cref="Execution.Host"/>,
/// which is the host's own cores, or architectures, ahead of time and on a machine without a GPU.
/// </summary>
public sealed class BuildTarget {
    private BuildTarget(int deviceId, string architectureList) {
        DeviceId = deviceId;
        ArchitectureList = architectureList;
    }

    /// <summary>A device.</summary>
    public static implicit operator BuildTarget(Device device) {
        return new BuildTarget(device.DeviceId, null);
    }

    /// <summary>
    /// Architectures, with no device: "sm_90" gives machine code for that one, "compute_80" PTX for all from there on and
    /// for the simulator. The algorithm cannot be called then, only saved.
    /// </summary>
    public static BuildTarget Architectures(params string[] names) {
        if (names.Length == 0) {
            throw new ArgumentException("expected at least one architecture, such as \"sm_90\"", nameof(names));
        }
        return new BuildTarget(0, string.Join(",", names));
    }

    internal static BuildTarget OfHost() {
        return new BuildTarget(Execution.NativeHost, null);
    }

    /// <summary>Or Execution.NativeHost.</summary>
    internal int DeviceId { get; }

    /// <summary>With commas; null for a device.</summary>
    internal string ArchitectureList { get; }
}

}
