package io.cuprum;

import io.cuprum.internal.CuprumNative;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Finds the parts of the CUDA toolkit, its add-ons and the driver, by the names of cuda.pathfinder. All parts of the
 * toolkit come from one toolkit, see {@link Toolkit}.
 *
 * <p>Every method that finds throws {@link NotFoundException} with every place searched and why each candidate was
 * refused, and {@link InvalidArgumentException} with the nearest names for an unknown name.
 */
public final class Pathfinder {
    private Pathfinder() {}

    /**
     * Finds a part without opening it.
     *
     * @param kind the kind of the part
     * @param name its name, such as "nvrtc"
     * @return its path and how it was found
     */
    public static LocatedPath locate(PartKind kind, String name) {
        String[] path = new String[1];
        String[] foundVia = new String[1];
        CuprumNative.cuprum_find_part(path, foundVia, kind.number(),
                Objects.requireNonNull(name, "name must not be null"));
        return new LocatedPath(path[0], foundVia[0]);
    }

    /**
     * Finds a library without opening it.
     *
     * @param name its name, such as "nvrtc"
     * @return its path and how it was found
     */
    public static LocatedPath locateNvidiaDynamicLib(String name) {
        return locate(PartKind.DYNAMIC_LIBRARY, name);
    }

    /**
     * Finds a library without opening it.
     *
     * @param name its name, such as "nvrtc"
     * @return its path
     */
    public static String findCudaLibrary(String name) {
        return locateNvidiaDynamicLib(name).path();
    }

    /**
     * Opens a library and, before it, those that it needs.
     *
     * @param name its name, such as "cublas"
     * @return the open library
     */
    public static LoadedLibrary loadNvidiaDynamicLib(String name) {
        String[] path = new String[1];
        String[] foundVia = new String[1];
        long[] handle = new long[1];
        int[] wasAlreadyLoaded = new int[1];
        CuprumNative.cuprum_load_library(path, foundVia, handle, wasAlreadyLoaded,
                Objects.requireNonNull(name, "name must not be null"));
        return new LoadedLibrary(path[0], foundVia[0], handle[0], wasAlreadyLoaded[0] != 0);
    }

    /**
     * Finds a folder of headers.
     *
     * @param name its name, such as "cudart" for the CUDA headers, "cccl" for CUB, Thrust and libcu++
     * @return its path and how it was found
     */
    public static LocatedPath locateNvidiaHeaderDirectory(String name) {
        return locate(PartKind.HEADERS, name);
    }

    /**
     * Finds a folder of headers.
     *
     * @param name its name, such as "cudart"
     * @return its path
     */
    public static String findNvidiaHeaderDirectory(String name) {
        return locateNvidiaHeaderDirectory(name).path();
    }

    /**
     * Finds a library of LLVM bitcode.
     *
     * @param name its name, such as "device" for libdevice
     * @return its path and how it was found
     */
    public static LocatedPath locateBitcodeLib(String name) {
        return locate(PartKind.BITCODE_LIBRARY, name);
    }

    /**
     * Finds a library of LLVM bitcode.
     *
     * @param name its name, such as "device" for libdevice
     * @return its path
     */
    public static String findBitcodeLib(String name) {
        return locateBitcodeLib(name).path();
    }

    /**
     * Finds a static library.
     *
     * @param name its name, such as "cudadevrt"
     * @return its path and how it was found
     */
    public static LocatedPath locateStaticLib(String name) {
        return locate(PartKind.STATIC_LIBRARY, name);
    }

    /**
     * Finds a static library.
     *
     * @param name its name, such as "cudadevrt"
     * @return its path
     */
    public static String findStaticLib(String name) {
        return locateStaticLib(name).path();
    }

    /**
     * Finds a program.
     *
     * @param name its name, such as "nvcc"
     * @return its path
     */
    public static String findNvidiaBinaryUtility(String name) {
        return locate(PartKind.BINARY_UTILITY, name).path();
    }

    /** {@return the folders that a CUDA program includes from: CUDA's own headers, then CCCL's} */
    public static List<String> findCudaIncludeDirs() {
        long[] count = new long[1];
        CuprumNative.cuprum_include_directory_count(count);
        List<String> folders = new ArrayList<>();
        for (long i = 0; i < count[0]; ++i) {
            String[] path = new String[1];
            CuprumNative.cuprum_include_directory(path, i);
            folders.add(path[0]);
        }
        return List.copyOf(folders);
    }

    /**
     * The names of all parts of a kind on this platform.
     *
     * @param kind the kind of the parts
     * @return the names that the methods for this kind accept
     */
    public static List<String> supportedNames(PartKind kind) {
        long[] count = new long[1];
        CuprumNative.cuprum_part_count(count, kind.number());
        List<String> names = new ArrayList<>();
        for (long i = 0; i < count[0]; ++i) {
            String[] name = new String[1];
            CuprumNative.cuprum_part_info(name, new String[1], new int[1], kind.number(), i);
            names.add(name[0]);
        }
        return List.copyOf(names);
    }

    /**
     * Adds a folder to search first.
     *
     * @param sitePackages a Python environment's site-packages, with nvidia/ in it
     */
    public static void addWheelDirectory(String sitePackages) {
        CuprumNative.cuprum_add_wheel_directory(sitePackages);
    }

    /** Forgets what was found and which toolkit is in use, so that the next call searches again. */
    public static void resetCache() {
        CuprumNative.cuprum_reset_pathfinder();
    }

    /**
     * What is wrong with this machine's CUDA and how to fix it.
     *
     * @return what was found, the worst first
     */
    public static List<Finding> diagnose() {
        long[] count = new long[1];
        CuprumNative.cuprum_doctor(count);
        return Finding.ofThread(count[0]);
    }
}
