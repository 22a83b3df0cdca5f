package io.cuprum;

import io.cuprum.internal.CuprumNative;

/** Finds the parts of the CUDA toolkit. */
public final class Pathfinder {
    private Pathfinder() {}

    /**
     * Finds a library without opening it.
     *
     * @param name cuda.pathfinder's: "cuda", "nvrtc", "nvJitLink", "cudart"
     * @return where it is
     * @throws NotFoundException with every place looked at and why each candidate was refused
     */
    public static LocatedPath findLibrary(String name) {
        String[] path = new String[1];
        String[] foundVia = new String[1];
        CuprumNative.cuprum_find_library(path, foundVia, name);
        return new LocatedPath(path[0], foundVia[0]);
    }

    /**
     * Finds a folder of headers.
     *
     * @param name "cudart" for the CUDA headers, "cccl" for CUB, Thrust and libcu++
     * @return where it is
     * @throws NotFoundException with every place looked at and why each candidate was refused
     */
    public static LocatedPath findHeaderDirectory(String name) {
        String[] path = new String[1];
        String[] foundVia = new String[1];
        CuprumNative.cuprum_find_header_directory(path, foundVia, name);
        return new LocatedPath(path[0], foundVia[0]);
    }

    /**
     * Adds a folder to search first.
     *
     * @param sitePackages a Python environment's site-packages, with nvidia/ in it
     */
    public static void addWheelDirectory(String sitePackages) {
        CuprumNative.cuprum_add_wheel_directory(sitePackages);
    }
}
