package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the native libraries get out of the jar. Each test's JVMs have a cache and a temporary folder of their own. */
class LoaderTest {
    @TempDir
    Path folder;
    private Path cache;
    private Path temporary;

    @BeforeEach
    void makeFolders() throws IOException {
        cache = Files.createDirectory(folder.resolve("cache"));
        temporary = Files.createDirectory(folder.resolve("tmp"));
    }

    private ChildProcess.Builder child() {
        return new ChildProcess.Builder().environment("XDG_CACHE_HOME", cache.toString())
                .jvmOption("-Djava.io.tmpdir=" + temporary);
    }

    private static List<Path> content(Path directory) throws IOException {
        try (Stream<Path> paths = Files.list(directory)) {
            return paths.collect(Collectors.toList());
        }
    }

    private static void assertRan(ChildProcess child) {
        assertEquals(0, child.exitStatus, child.output);
        assertTrue(child.output.startsWith("version "), child.output);
    }

    /** The one build in the cache. */
    private Path unpacked() throws IOException {
        List<Path> builds = content(cache.resolve("cuprum/java"));
        assertEquals(1, builds.size(), builds.toString());
        return builds.get(0);
    }

    @Test
    void theLibrariesAreUnpackedOnceIntoAPrivateFolder() throws Exception {
        assertRan(child().run("version"));
        Path library = unpacked().resolve("libcuprum_java.so");
        FileTime written = Files.getLastModifiedTime(library);
        assertEquals("rwx------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(cache.resolve("cuprum/java"))));
        assertTrue(Files.exists(unpacked().resolve("simulator/libcuda.so.1")));
        assertRan(child().run("version"));
        assertEquals(written, Files.getLastModifiedTime(library));
        assertEquals(List.of(), content(temporary).stream().filter(
                path -> path.getFileName().toString().startsWith("cuprum")).collect(Collectors.toList()));
    }

    @Test
    void manyJvmsMayUnpackAtOnce() throws Exception {
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 6; ++i) {
            processes.add(child().start("version"));
        }
        for (Process process : processes) {
            assertRan(ChildProcess.finish(process));
        }
        unpacked();
    }

    @Test
    void aDamagedFolderIsUnpackedAgain() throws Exception {
        assertRan(child().run("version"));
        Files.write(unpacked().resolve("libcuprum_java.so"), new byte[10]);
        assertRan(child().run("version"));
        assertTrue(Files.size(unpacked().resolve("libcuprum_java.so")) > 1000);
    }

    @Test
    void aCacheThatOthersMayWriteToIsNotUsed() throws Exception {
        Path java = Files.createDirectories(cache.resolve("cuprum/java"));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertRan(child().run("version"));
        assertEquals(List.of(), content(java));
    }

    @Test
    void withoutACacheATemporaryFolderIsUsedAndRemoved() throws Exception {
        Files.writeString(cache.resolve("cuprum"), "a file where the folder should be");
        assertRan(child().run("version"));
        assertEquals(List.of(), content(temporary).stream().filter(
                path -> path.getFileName().toString().startsWith("cuprum")).collect(Collectors.toList()));
    }

    @Test
    void buildsThatNobodyHasUsedForLongAreRemoved() throws Exception {
        Path java = Files.createDirectories(cache.resolve("cuprum/java"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path old = Files.createDirectory(java.resolve("0123"));
        Path recent = Files.createDirectory(java.resolve("4567"));
        Files.writeString(old.resolve("libcuprum_java.so"), "");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(31))));
        assertRan(child().run("version"));
        assertTrue(Files.notExists(old));
        assertTrue(Files.exists(recent));
    }

    @Test
    void aFolderOfTheCallersIsUsedWhereOneIsNamed() throws Exception {
        assertRan(child().run("version"));
        Path named = Files.move(unpacked(), folder.resolve("natives"));
        assertRan(child().jvmOption("-Dcuprum.library.path=" + named).run("version"));
        assertEquals(List.of(), content(cache.resolve("cuprum/java")));
        ChildProcess wrong = child().jvmOption("-Dcuprum.library.path=" + folder).run("version");
        assertEquals(1, wrong.exitStatus);
        assertTrue(wrong.output.contains("cuprum.library.path") && wrong.output.contains(folder.toString()),
                wrong.output);
    }
}
