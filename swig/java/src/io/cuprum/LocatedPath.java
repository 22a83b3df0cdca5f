package io.cuprum;

/**
 * Something that {@link Pathfinder} has found.
 *
 * @param path where it is
 * @param foundVia what led there: "wheel", "conda", "CUDA_PATH", "loader" and so on
 */
public record LocatedPath(String path, String foundVia) {}
