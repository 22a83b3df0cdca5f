using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Cuprum.Native {

/// <summary>Arrays that copies in a stream may still read or write: each pinned once, with the number of its latest
/// use.
/// </summary>
internal sealed class PinnedMemory {
    private const int CheckAtLeast = 64;

    private struct Pin {
        public GCHandle Handle;
        public ulong Use;
    }

    private sealed class ByIdentity : IEqualityComparer<object> {
        bool IEqualityComparer<object>.Equals(object left, object right) {
            return ReferenceEquals(left, right);
        }

        int IEqualityComparer<object>.GetHashCode(object value) {
            return RuntimeHelpers.GetHashCode(value);
        }
    }

    private readonly Dictionary<object, Pin> pins = new Dictionary<object, Pin>(new ByIdentity());
    private ulong useCount;
    private int checkAt = CheckAtLeast;

    /// <summary>Call before the copy starts. Returns true when there are many: check then whether the stream is
    /// done.</summary>
    public bool Add(object array) {
        lock (pins) {
            Pin pin;
            if (!pins.TryGetValue(array, out pin)) {
                pin.Handle = GCHandle.Alloc(array, GCHandleType.Pinned);
            }
            pin.Use = ++useCount;
            pins[array] = pin;
            return pins.Count >= checkAt;
        }
    }

    /// <summary>The mark to pass to Passed once all work up to now is known to be done.</summary>
    public ulong Mark {
        get {
            lock (pins) {
                return useCount;
            }
        }
    }

    /// <summary>All uses up to <paramref name="mark"/> are over.</summary>
    public void Passed(ulong mark) {
        lock (pins) {
            var over = new List<object>();
            foreach (KeyValuePair<object, Pin> pin in pins) {
                if (pin.Value.Use <= mark) {
                    pin.Value.Handle.Free();
                    over.Add(pin.Key);
                }
            }
            foreach (object array in over) {
                pins.Remove(array);
            }
            checkAt = System.Math.Max(CheckAtLeast, 2 * pins.Count);
        }
    }

    public bool IsEmpty {
        get {
            lock (pins) {
                return pins.Count == 0;
            }
        }
    }
}

}
