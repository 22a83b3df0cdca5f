using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// Ranges and marks of the program's own, for tools such as Nsight Systems (NVTX) and for <c>cuprum trace</c>. Without either
/// they cost next to nothing.
/// </summary>
public static class Nvtx {
    static Nvtx() {
        NativeLibraries.Load();
    }

    private sealed class PushedRange : IDisposable {
        private bool isOver;

        public void Dispose() {
            if (!isOver) {
                isOver = true;
                PopRange();
            }
        }
    }

    /// <summary>Marks this moment.</summary>
    /// <param name="name">Its name.</param>
    public static void Mark(string name) {
        CuprumNative.cuprum_nvtx_mark(Require.NotNull(name, nameof(name)));
    }

    /// <summary>Begins a range within the thread's innermost one. Gives how many there were before.</summary>
    /// <param name="name">Its name.</param>
    public static int PushRange(string name) {
        int depth;
        CuprumNative.cuprum_nvtx_push_range(out depth, Require.NotNull(name, nameof(name)));
        return depth;
    }

    /// <summary>Ends the thread's innermost range. Gives how many are left; -1 where there was none.</summary>
    public static int PopRange() {
        int depth;
        CuprumNative.cuprum_nvtx_pop_range(out depth);
        return depth;
    }

    /// <summary>Begins a range that may end in any thread. Gives its number.</summary>
    /// <param name="name">Its name.</param>
    public static ulong StartRange(string name) {
        ulong range;
        CuprumNative.cuprum_nvtx_start_range(out range, Require.NotNull(name, nameof(name)));
        return range;
    }

    /// <summary>Ends a range; one that does not exist, or has ended, is ignored.</summary>
    /// <param name="range">What <see cref="StartRange"/> gave.</param>
    public static void EndRange(ulong range) {
        CuprumNative.cuprum_nvtx_end_range(range);
    }

    /// <summary>A range until it is disposed of, in one thread.</summary>
    /// <param name="name">Its name.</param>
    public static IDisposable Range(string name) {
        PushRange(name);
        return new PushedRange();
    }
}

}
