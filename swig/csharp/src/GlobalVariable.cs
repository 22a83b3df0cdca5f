using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>A __device__, __constant__ or __managed__ variable on one device (<see cref="ObjectCode.GetGlobal"/>). As
/// memory it is a buffer like others. As a value or as values, numbers or structs of numbers, it is read and written as a
/// whole.</summary>
/// <remarks>With a stream that takes place after the work so far in it, which is waited for; without one as copies that
/// have no stream.</remarks>
public sealed class GlobalVariable : Buffer {
    internal GlobalVariable(IntPtr handle, string name) : base(handle) {
        Name = name;
    }

    /// <summary>The name that it was asked for by.</summary>
    public string Name { get; }

    /// <summary>The variable as one value.</summary>
    /// <exception cref="InvalidArgumentException">The variable has another size.</exception>
    public T GetValue<T>(Stream stream = null) where T : struct {
        var one = new T[1];
        Read(one, stream);
        return one[0];
    }

    /// <summary>Writes one value.</summary>
    /// <exception cref="InvalidArgumentException">The variable has another size.</exception>
    public void SetValue<T>(T value, Stream stream = null) where T : struct {
        SetValues(new[] { value }, stream);
    }

    /// <summary>The variable as an array.</summary>
    /// <exception cref="InvalidArgumentException">The variable has no whole number of such values.</exception>
    public T[] GetValues<T>(Stream stream = null) where T : struct {
        ulong one = ArrayElement<T>.SizeOf(new T[1]);
        if (Size % one != 0) {
            throw Refused(Operations.BufferCopyToHost,
                          "its " + Size + " bytes are no whole number of values of " + typeof(T).Name + ", " + one + " bytes");
        }
        var values = new T[Size / one];
        Read(values, stream);
        return values;
    }

    /// <summary>Writes an array.</summary>
    /// <exception cref="InvalidArgumentException">The variable has another size.</exception>
    public void SetValues<T>(T[] values, Stream stream = null) where T : struct {
        RequireSize(Operations.BufferCopyFromHost, values);
        CopyFrom(values, stream);
        Wait(stream);
    }

    private void Read<T>(T[] values, Stream stream) where T : struct {
        RequireSize(Operations.BufferCopyToHost, values);
        CopyTo(values, stream);
        Wait(stream);
    }

    private void RequireSize<T>(string operation, T[] values) where T : struct {
        ulong size = ArrayElement<T>.SizeOf(Require.NotNull(values, nameof(values)));
        if (size != Size) {
            throw Refused(operation, "it has " + Size + " bytes, and " + values.Length + " of " + typeof(T).Name + " has "
                                         + size);
        }
    }

    private CuprumException Refused(string operation, string detail) {
        return Errors.InvalidArgument("the variable " + Name, operation, detail);
    }

    private static void Wait(Stream stream) {
        if (stream != null) {
            stream.Sync();
        }
    }
}

}
