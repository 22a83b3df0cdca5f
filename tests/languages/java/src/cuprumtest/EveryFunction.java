package cuprumtest;

import io.cuprum.bindings.Bindings;
import io.cuprum.bindings.Driver;
import io.cuprum.bindings.NativeEnum;
import io.cuprum.bindings.NativeStruct;
import io.cuprum.bindings.Nccl;
import io.cuprum.bindings.NvJitLink;
import io.cuprum.bindings.Nvml;
import io.cuprum.bindings.Nvrtc;
import io.cuprum.bindings.Nvvm;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Calls every function of the bindings where every library is missing, or a driver is old. */
final class EveryFunction {
    static final Map<String, Class<?>> CLASSES = Map.of(
            "driver", Driver.class, "runtime", io.cuprum.bindings.Runtime.class, "nvrtc", Nvrtc.class,
            "nvjitlink", NvJitLink.class, "nvvm", Nvvm.class, "nvml", Nvml.class, "nccl",
            Nccl.class);

    private EveryFunction() {}

    private static List<Method> functions(Class<?> library) {
        return Arrays.stream(library.getMethods()).filter(method -> Modifier.isStatic(method.getModifiers())).toList();
    }

    private static Object[] arguments(Method function) {
        return Arrays.stream(function.getParameterTypes()).map(EveryFunction::argument).toArray();
    }

    static void call() throws Exception {
        int missing = 0;
        for (Class<?> library : CLASSES.values()) {
            for (Method function : functions(library)) {
                function.invoke(null, arguments(function));
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

    /** Prints what each function of a library returns, and what is missing: name, status, failure. */
    static void describe(String library) throws Exception {
        for (Method function : functions(CLASSES.get(library))) {
            Object result = function.invoke(null, arguments(function));
            String failure = Bindings.takeFailure().map(Throwable::getMessage).orElse("").replace('\n', ' ');
            Object status = result instanceof NativeEnum ? ((NativeEnum) result).value() : "";
            System.out.println(function.getName() + "\t" + status + "\t" + failure);
        }
    }

    /**
     * Calls each function of a library with null or nothing for one argument, or a text that C would cut: prints what is
     * refused by name.
     */
    static void refuse(String library) throws Exception {
        for (Method function : functions(CLASSES.get(library))) {
            Parameter[] parameters = function.getParameters();
            for (int i = 0; i < parameters.length; ++i) {
                Class<?> type = parameters[i].getType();
                if (!type.isPrimitive()) {
                    report("null", function, i, null);
                }
                if (type == long.class) {
                    report("null", function, i, 0L);
                }
                if (type == String.class) {
                    report("nul", function, i, "a\0b");
                } else if (type == String[].class) {
                    report("nul", function, i, new String[] {"a\0b", "", "", ""});
                }
                if (type.isArray()) {
                    report("empty", function, i, Array.newInstance(type.getComponentType(), 0));
                }
            }
        }
    }

    private static void report(String what, Method function, int position, Object argument) throws Exception {
        String parameter = function.getParameters()[position].getName();
        Object[] arguments = arguments(function);
        arguments[position] = argument;
        try {
            function.invoke(null, arguments);
        } catch (InvocationTargetException thrown) {
            // "default_": a word of the language's own.
            String beginning = function.getName() + ": " + parameter.replaceFirst("_$", "") + ": expected ";
            if (!(thrown.getCause() instanceof IllegalArgumentException)
                    || !thrown.getCause().getMessage().startsWith(beginning)) {
                throw thrown;
            }
            System.out.println(what + "\t" + function.getName() + "\t" + parameter);
        }
    }

    /** Something that a parameter of that type takes. */
    private static Object argument(Class<?> type) {
        try {
            if (type.isArray()) {
                Object array = Array.newInstance(type.getComponentType(), 4);
                for (int i = 0; i < 4; ++i) {
                    Array.set(array, i, argument(type.getComponentType()));
                }
                return array;
            } else if (NativeEnum.class.isAssignableFrom(type)) {
                return type.getMethod("of", int.class).invoke(null, 0);
            } else if (NativeStruct.class.isAssignableFrom(type)) {
                return type.getConstructor().newInstance();
            } else if (type == String.class) {
                return "text";
            }
            Object one = Array.newInstance(type, 1);
            Array.setByte(one, 0, (byte) 1);
            return Array.get(one, 0);
        } catch (ReflectiveOperationException error) {
            throw new AssertionError(error);
        }
    }
}
