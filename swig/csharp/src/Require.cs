using System;

namespace Cuprum {

/// <summary>Checks of arguments.</summary>
internal static class Require {
    /// <summary>Returns the value; throws ArgumentNullException if it is null.</summary>
    public static T NotNull<T>(T value, string parameter) where T : class {
        if (value == null) {
            throw new ArgumentNullException(parameter);
        }
        return value;
    }

    /// <summary>Returns the length of an array that is made; throws InvalidArgumentException below 0.</summary>
    public static int Count(int count, string parameter, string operation) {
        if (count < 0) {
            throw Errors.InvalidArgument(parameter, operation, "it is " + count + ", expected 0 or more");
        }
        return count;
    }

    /// <summary>
    /// Returns the length of an array that is made for several numbers of elements; throws InvalidArgumentException for
    /// more than an array can have.
    /// </summary>
    public static int Total(ulong[] counts, string parameter, string operation) {
        ulong total = 0;
        foreach (ulong each in NotNull(counts, parameter)) {
            if (each > int.MaxValue - total) {
                throw Errors.InvalidArgument(
                    parameter, operation, "one is " + each + ", expected numbers that add up to less than 2^31");
            }
            total += each;
        }
        return (int)total;
    }
}

}
