using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Cuprum.Native {

/// <summary>What definitions, nodes, graphs and builders have in common.</summary>
internal static class GraphCalls {
    // Numbers of swig/common/graph_nodes.hpp.
    public const int Add = 0;
    public const int Update = 1;
    public const int UpdateConfig = 2;
    public const int UpdateGraph = 3;
    public const int Build = 4;

    /// <summary>Calls what takes a kernel's launch; gives the node where one is added.</summary>
    public static unsafe ulong Kernel(int call, NativeHandle graph, NativeHandle definition, ulong node,
                                      LaunchConfig config, NativeHandle kernel, object[] arguments) {
        Require.NotNull(config, nameof(config));
        // A lone null is taken to be the array itself.
        arguments = arguments ?? new object[] { null };
        ulong[] values = new ulong[arguments.Length];
        List<GCHandle> pins = null;
        ulong added;
        try {
            fixed (ulong* valuesInPlace = values) {
                PackedArgument[] packed = KernelArguments.Pack(arguments, values, valuesInPlace, ref pins);
                fixed (PackedArgument* packedInPlace = packed) {
                    added = config.GiveToNode(call, graph, definition, node, kernel, (IntPtr)packedInPlace,
                                              (uint)packed.Length);
                }
            }
        } finally {
            KernelArguments.Free(pins);
        }
        GC.KeepAlive(arguments);    // and with them the buffers whose handles are in `packed`
        return added;
    }

    /// <summary>The numbers that C has given out.</summary>
    public static ulong[] Numbers(IntPtr data, ulong size) {
        var numbers = new long[(int)(size / sizeof(ulong))];
        if (numbers.Length > 0) {
            Marshal.Copy(data, numbers, 0, numbers.Length);
        }
        return (ulong[])(object)numbers;
    }
}

}
