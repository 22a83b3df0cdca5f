using System;

namespace Cuprum {

/// <summary>Blocks in a grid or threads in a block.</summary>
public struct Dimensions : IEquatable<Dimensions> {
    /// <summary>Refuses what is not at least 1; whether the device takes the others is for the launch to say.</summary>
    public Dimensions(int x, int y = 1, int z = 1) {
        if (x < 1 || y < 1 || z < 1) {
            throw new ArgumentOutOfRangeException(
                nameof(x), "dimensions must be at least 1: (" + x + ", " + y + ", " + z + ")");
        }
        X = x;
        Y = y;
        Z = z;
    }

    /// <summary>Along the fastest varying axis.</summary>
    public int X { get; }

    /// <summary>Along the second axis.</summary>
    public int Y { get; }

    /// <summary>Along the third axis.</summary>
    public int Z { get; }

    /// <summary>One axis.</summary>
    public static implicit operator Dimensions(int x) {
        return new Dimensions(x);
    }

    /// <summary>Whether all three are equal.</summary>
    public bool Equals(Dimensions other) {
        return X == other.X && Y == other.Y && Z == other.Z;
    }

    /// <summary>Whether it is the same Dimensions.</summary>
    public override bool Equals(object other) {
        return other is Dimensions && Equals((Dimensions)other);
    }

    /// <summary>Equal for equal Dimensions.</summary>
    public override int GetHashCode() {
        return unchecked((X * 31 + Y) * 31 + Z);
    }

    /// <summary>"(X, Y, Z)"</summary>
    public override string ToString() {
        return "(" + X + ", " + Y + ", " + Z + ")";
    }
}

/// <summary>How a kernel is launched. Immutable.</summary>
public sealed class LaunchConfig {
    /// <param name="grid">Blocks.</param>
    /// <param name="block">Threads in each block.</param>
    /// <param name="shmemSize">Dynamic shared memory for each block, bytes.</param>
    /// <param name="isCooperative">Whether the whole grid may synchronise.</param>
    public LaunchConfig(Dimensions grid, Dimensions block, int shmemSize = 0, bool isCooperative = false) {
        if (shmemSize < 0) {
            throw new ArgumentOutOfRangeException(nameof(shmemSize), "shmemSize must not be negative: " + shmemSize);
        }
        if (grid.X == 0 || block.X == 0) {
            throw new ArgumentException("grid and block have dimensions; default(Dimensions) has none");
        }
        Grid = grid;
        Block = block;
        ShmemSize = shmemSize;
        IsCooperative = isCooperative;
    }

    /// <summary>Blocks.</summary>
    public Dimensions Grid { get; }

    /// <summary>Threads in each block.</summary>
    public Dimensions Block { get; }

    /// <summary>Dynamic shared memory for each block, bytes.</summary>
    public int ShmemSize { get; }

    /// <summary>Whether the whole grid may synchronise.</summary>
    public bool IsCooperative { get; }
}

}
