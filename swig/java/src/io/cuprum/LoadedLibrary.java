package io.cuprum;

/**
 * A shared library that is open. It is never closed again.
 *
 * @param path where it is
 * @param foundVia what led there: "wheel", "conda", "CUDA_PATH", "loader" and so on
 * @param nativeHandle the handle of dlopen()
 * @param wasAlreadyLoaded whether someone else in this process had opened it
 */
public record LoadedLibrary(String path, String foundVia, long nativeHandle, boolean wasAlreadyLoaded) {}
