package io.cuprum;

/**
 * Something that {@link Pathfinder} has found.
 *
 * @param path the path
 * @param foundVia how it was found: "wheel", "conda", "CUDA_PATH", "loader" and so on
 */
public record LocatedPath(String path, String foundVia) {}
