package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.util.List;
import java.util.Objects;

/**
 * One toolkit of this machine: all of its parts come from one place and match each other and the driver. Its methods
 * throw what those of {@link Pathfinder} throw.
 */
public final class Toolkit extends ToolkitMembers {
    private Toolkit(long handle) {
        super(handle, CuprumNative::cuprum_toolkit_destroy);
    }

    /**
     * The first toolkit in the order of the search that has NVRTC and the wanted version. Parts of other toolkits are
     * refused.
     *
     * @param version conditions joined by commas, as in ">=12.4,&lt;14" or "13"; empty for any
     * @param fromElsewhere names of parts that may come from another toolkit
     * @return the toolkit
     */
    public static Toolkit find(String version, String... fromElsewhere) {
        long[] handle = new long[1];
        Objects.requireNonNull(version, "version must not be null");
        CuprumNative.cuprum_toolkit_find(handle, version, fromElsewhere);
        return new Toolkit(handle[0]);
    }

    /** {@return the toolkit that {@link Pathfinder} and {@link Program} take parts from} */
    public static Toolkit inUse() {
        long[] handle = new long[1];
        CuprumNative.cuprum_toolkit_in_use(handle);
        return new Toolkit(handle[0]);
    }

    /** {@return the toolkit's folder} */
    public String root() {
        return describe()[0];
    }

    /** {@return how it was found: "wheel", "conda", "CUDA_PATH", "loader" and so on} */
    public String foundVia() {
        return describe()[1];
    }

    /** {@return the version: "13.0", or "13" if no more is known, or empty} */
    public String version() {
        return describe()[2];
    }

    /**
     * Finds a part of this toolkit.
     *
     * @param kind the kind of the part
     * @param name its name, such as "nvrtc"
     * @return its path and how it was found
     */
    public LocatedPath locate(PartKind kind, String name) {
        return with(Operations.TOOLKIT_FIND_PART, toolkit -> {
            String[] path = new String[1];
            String[] foundVia = new String[1];
            CuprumNative.cuprum_toolkit_find_part(path, foundVia, toolkit, kind.number(), name);
            return new LocatedPath(path[0], foundVia[0]);
        });
    }

    /**
     * Opens a library of this toolkit and, before it, those that it needs.
     *
     * @param name its name, such as "cublas"
     * @return the open library
     */
    public LoadedLibrary loadNvidiaDynamicLib(String name) {
        return with(Operations.TOOLKIT_LOAD_LIBRARY, toolkit -> {
            String[] path = new String[1];
            String[] foundVia = new String[1];
            long[] library = new long[1];
            int[] wasAlreadyLoaded = new int[1];
            CuprumNative.cuprum_toolkit_load_library(path, foundVia, library, wasAlreadyLoaded, toolkit, name);
            return new LoadedLibrary(path[0], foundVia[0], library[0], wasAlreadyLoaded[0] != 0);
        });
    }

    /**
     * The mismatches of its parts with each other and with the driver.
     *
     * @return what was found
     */
    public List<Finding> check() {
        return with(Operations.TOOLKIT_CHECK, toolkit -> {
            long[] count = new long[1];
            CuprumNative.cuprum_toolkit_check(count, toolkit);
            return Finding.ofThread(count[0]);
        });
    }

    private String[] describe() {
        return with(Operations.TOOLKIT_DESCRIBE, toolkit -> {
            String[] root = new String[1];
            String[] foundVia = new String[1];
            String[] version = new String[1];
            CuprumNative.cuprum_toolkit_describe(root, foundVia, version, toolkit);
            return new String[] {root[0], foundVia[0], version[0]};
        });
    }
}
