package io.cuprum;

/**
 * A shared library that is open. It is never closed.
 *
 * @param path the path
 * @param foundVia how it was found: "wheel", "conda", "CUDA_PATH", "loader" and so on
 * @param nativeHandle the handle of dlopen()
 * @param wasAlreadyLoaded whether other code in this process had already opened it
 */
public record LoadedLibrary(String path, String foundVia, long nativeHandle, boolean wasAlreadyLoaded) {}
