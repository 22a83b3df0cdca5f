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
}

}
