package cuprumtest;

import io.cuprum.bindings.Bindings;
import io.cuprum.bindings.Driver;
import io.cuprum.bindings.NativeEnum;
import io.cuprum.bindings.NativeStruct;
import io.cuprum.bindings.NvJitLink;
import io.cuprum.bindings.Nvrtc;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

/** Calls every function of the bindings where every library is missing. */
final class EveryFunction {
    private EveryFunction() {}

    static void call() throws Exception {
        int missing = 0;
        for (Class<?> library : List.of(Driver.class, io.cuprum.bindings.Runtime.class, Nvrtc.class, NvJitLink.class)) {
            for (Method function : library.getMethods()) {
                if (!Modifier.isStatic(function.getModifiers())) {
                    continue;
                }
                Object[] arguments = Arrays.stream(function.getParameterTypes()).map(EveryFunction::argument).toArray();
                function.invoke(null, arguments);
                String failure = Bindings.takeFailure()
                        .orElseThrow(() -> new AssertionError(function.getName() + " is not missing")).getMessage();
                if (!failure.contains(function.getName())) {
                    throw new AssertionError(function.getName() + ": " + failure);
                }
                ++missing;
            }
        }
        System.out.println(missing + " functions are missing");
    }

    /** Something that a parameter of that type takes. */
    private static Object argument(Class<?> type) {
        try {
            if (type.isArray()) {
                Object array = Array.newInstance(type.getComponentType(), 4);
                if (NativeEnum.class.isAssignableFrom(type.getComponentType())) {
                    Arrays.fill((Object[]) array, argument(type.getComponentType()));
                }
                return array;
            } else if (NativeEnum.class.isAssignableFrom(type)) {
                return type.getMethod("of", int.class).invoke(null, 0);
            } else if (NativeStruct.class.isAssignableFrom(type)) {
                return type.getConstructor().newInstance();
            } else if (type == String.class) {
                return "text";
            }
            return Array.get(Array.newInstance(type, 1), 0);
        } catch (ReflectiveOperationException error) {
            throw new AssertionError(error);
        }
    }
}
