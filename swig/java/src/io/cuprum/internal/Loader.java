package io.cuprum.internal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Loads the native libraries, once for each class loader that loads Cuprum.
 *
 * <p>They come from the folder that the system property {@code cuprum.library.path} names, else from the jar: unpacked
 * into {@code $XDG_CACHE_HOME/cuprum/java/} (or {@code ~/.cache}, or what {@code cuprum.cache.path} names) under a name
 * made of their content, so that each build is unpacked once and different builds never meet. Where that folder cannot
 * be used, into a temporary one that is removed when the JVM exits. Both are the user's alone.
 *
 * <p>Several JVMs may unpack at once: each into a folder of its own, the first to finish renames it into place.
 */
final class Loader {
    private static final String LIBRARY = "libcuprum_java.so";
    /** Unpacked builds that nobody has loaded for this long are removed. */
    private static final Duration KEEP_UNUSED = Duration.ofDays(30);
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    /** One line of the jar's manifest.txt. */
    private static final class NativeFile {
        final String sha256;
        final long size;
        final String path;

        NativeFile(String line) {
            String[] fields = line.split(" +", 3);
            sha256 = fields[0];
            size = Long.parseLong(fields[1]);
            path = fields[2];
        }
    }

    private Loader() {}

    static void load() {
        String directory = System.getProperty("cuprum.library.path");
        try {
            Path library = (directory != null ? Path.of(directory) : unpacked()).resolve(LIBRARY).toAbsolutePath();
            if (!Files.isRegularFile(library)) {
                throw new UnsatisfiedLinkError("cuprum.library.path names " + directory + ", which has no "
                        + LIBRARY + "; without that property Cuprum uses the libraries inside its jar");
            }
            System.load(library.toString());    // libcuprum.so beside it is found by its run path
        } catch (IOException | UncheckedIOException error) {
            UnsatisfiedLinkError failure = new UnsatisfiedLinkError(
                    "could not unpack Cuprum's native libraries (" + error + "); unpack them from io/cuprum/native in "
                    + "cuprum.jar and name their folder with -Dcuprum.library.path");
            failure.initCause(error);
            throw failure;
        }
    }

    private static Path unpacked() throws IOException {
        String platform = platform();
        List<NativeFile> files = manifest(platform);
        String name = name(files);
        Path cache = cacheDirectory();
        try {
            Files.createDirectories(cache, PosixFilePermissions.asFileAttribute(PRIVATE));
            refuseIfOthersCanWrite(cache);
            Path place = cache.resolve(name);
            if (!isComplete(place, files)) {
                Path scratch = Files.createTempDirectory(cache, ".unpacking-");
                try {
                    unpack(platform, files, scratch);
                    moveIntoPlace(scratch, place, files);
                } finally {
                    delete(scratch);
                }
            }
            touch(place);
            removeUnused(cache, place);
            return place;
        } catch (IOException | SecurityException | UnsupportedOperationException unusable) {
            Path scratch = Files.createTempDirectory("cuprum-");    // created with rwx------
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(scratch), "cuprum-remove-unpacked"));
            unpack(platform, files, scratch);
            return scratch;
        }
    }

    private static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch").replace("amd64", "x86_64");
        return system + "-" + machine;
    }

    private static List<NativeFile> manifest(String platform) throws IOException {
        List<NativeFile> files = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(resource(platform, "manifest.txt"), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                files.add(new NativeFile(line));
            }
        }
        return files;
    }

    private static InputStream resource(String platform, String path) {
        InputStream stream = Loader.class.getResourceAsStream("/io/cuprum/native/" + platform + "/" + path);
        if (stream == null) {
            throw new UnsatisfiedLinkError("this cuprum.jar has no native libraries for " + platform + " (no " + path
                    + "); build them and name their folder with -Dcuprum.library.path");
        }
        return stream;
    }

    /** Differs when any file differs. */
    private static String name(List<NativeFile> files) {
        StringBuilder hashes = new StringBuilder();
        for (NativeFile file : files) {
            hashes.append(file.sha256, 0, 12).append(files.indexOf(file) + 1 < files.size() ? "-" : "");
        }
        return hashes.toString();
    }

    private static Path cacheDirectory() {
        String chosen = System.getProperty("cuprum.cache.path");
        if (chosen != null) {
            return Path.of(chosen, "java");
        }
        String base = System.getenv("XDG_CACHE_HOME");
        Path caches = base != null && Path.of(base).isAbsolute() ? Path.of(base)
                : Path.of(System.getProperty("user.home"), ".cache");
        return caches.resolve("cuprum").resolve("java");
    }

    /** Code is loaded from there, so nobody else may put any. */
    private static void refuseIfOthersCanWrite(Path directory) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory);
        String owner = Files.getOwner(directory).getName();
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)
                || !owner.equals(System.getProperty("user.name"))) {
            throw new IOException(directory + " can be written by others than " + System.getProperty("user.name"));
        }
    }

    private static boolean isComplete(Path place, List<NativeFile> files) throws IOException {
        for (NativeFile file : files) {
            try {
                if (Files.size(place.resolve(file.path)) != file.size) {
                    return false;
                }
            } catch (NoSuchFileException missing) {
                return false;
            }
        }
        return true;
    }

    private static void unpack(String platform, List<NativeFile> files, Path directory) throws IOException {
        for (NativeFile file : files) {
            Path target = directory.resolve(file.path);
            Files.createDirectories(target.getParent());
            try (InputStream stream = resource(platform, file.path)) {
                Files.copy(stream, target);
            }
        }
    }

    private static void moveIntoPlace(Path scratch, Path place, List<NativeFile> files) throws IOException {
        try {
            Files.move(scratch, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException taken) {
            if (isComplete(place, files)) {
                return;    // another JVM was first
            }
            delete(place);    // damaged: somebody has emptied it
            Files.move(scratch, place, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static void touch(Path place) throws IOException {
        Files.setLastModifiedTime(place, FileTime.from(Instant.now()));
    }

    private static void removeUnused(Path cache, Path current) throws IOException {
        Instant oldest = Instant.now().minus(KEEP_UNUSED);
        try (DirectoryStream<Path> places = Files.newDirectoryStream(cache)) {
            for (Path place : places) {
                if (!place.equals(current)
                        && Files.getLastModifiedTime(place, LinkOption.NOFOLLOW_LINKS).toInstant().isBefore(oldest)) {
                    delete(place);
                }
            }
        }
    }

    /** As far as it goes: what cannot be deleted stays. */
    private static void delete(Path directory) {
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<Path>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, IOException error) throws IOException {
                    Files.deleteIfExists(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException stays) {
            return;
        }
    }
}
