using System.Collections.Generic;
using System.Linq;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// The elements of one rank, from the beginning of memory of its device. Data that is spread over the ranks of a
/// <see cref="Communicator"/> is a shard for each, in their order; shards may have different numbers of elements, and
/// none. Borrows the memory, which must not be disposed of before calls have returned. Immutable.
/// </summary>
public sealed class Shard {
    private Shard(string type, Buffer memory, ulong count) {
        Type = type;
        Memory = memory;
        Count = count;
    }

    /// <summary>Elements of that type, as many as fit.</summary>
    /// <param name="memory">Where they are.</param>
    public static Shard Of<T>(Buffer memory) where T : struct {
        return Of<T>(memory, Require.NotNull(memory, nameof(memory)).Size / ArrayElement<T>.Size);
    }

    /// <summary>This many elements of that type.</summary>
    /// <param name="memory">Where they are.</param>
    /// <param name="count">How many elements.</param>
    public static Shard Of<T>(Buffer memory, ulong count) where T : struct {
        return new Shard(ElementText<T>.Value, Require.NotNull(memory, nameof(memory)), count);
    }

    /// <summary>That of a rank without elements, whose type the other ranks' have.</summary>
    public static Shard Empty<T>() where T : struct {
        return new Shard(ElementText<T>.Value, null, 0);
    }

    /// <summary>Where the elements are; null for none.</summary>
    public Buffer Memory { get; }

    /// <summary>How many elements.</summary>
    public ulong Count { get; }

    /// <summary>What the C ABI calls their type.</summary>
    internal string Type { get; }
}

/// <summary>The shards of one parameter of a call, as the lists of their fields that C takes.</summary>
internal sealed class ShardList {
    /// <summary>Stands for a parameter that is left out.</summary>
    public static readonly ShardList None = new ShardList(new Shard[0], "", "");

    public ShardList(IReadOnlyList<Shard> given, string name, string operation) {
        Shard[] shards = Require.NotNull(given, name).Select(each => Require.NotNull(each, name)).ToArray();
        Types = shards.Select(each => each.Type).ToArray();
        Memory = shards.Select(each => each.Memory == null ? NativeHandle.None : each.Memory.Use(operation)).ToArray();
        Counts = shards.Select(each => each.Count).ToArray();
    }

    public string[] Types { get; }

    public NativeHandle[] Memory { get; }

    public ulong[] Counts { get; }
}

}
