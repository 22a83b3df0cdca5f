package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Finding;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.LoadedLibrary;
import io.cuprum.NotFoundException;
import io.cuprum.PartKind;
import io.cuprum.Pathfinder;
import io.cuprum.Toolkit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The names of cuda.pathfinder, and one toolkit. */
final class PathfinderTest {
    @Test
    void aLibraryIsFoundAndOpened() {
        LoadedLibrary nvrtc = Pathfinder.loadNvidiaDynamicLib("nvrtc");
        assertEquals(Pathfinder.findCudaLibrary("nvrtc"), nvrtc.path());
        assertTrue(Files.exists(Path.of(nvrtc.path())), nvrtc.path());
        assertNotEquals(0, nvrtc.nativeHandle());
        assertEquals(nvrtc, Pathfinder.loadNvidiaDynamicLib("nvrtc"));
    }

    @Test
    void includeFoldersBeginWithTheCudaHeaders() {
        List<String> folders = Pathfinder.findCudaIncludeDirs();
        assertEquals(Pathfinder.findNvidiaHeaderDirectory("cudart"), folders.get(0));
        assertTrue(Files.exists(Path.of(folders.get(0), "cuda.h")));
    }

    @Test
    void everyKindHasNamesAndOffersTheNearest() {
        for (PartKind kind : PartKind.values()) {
            String known = Pathfinder.supportedNames(kind).get(0);
            InvalidArgumentException error =
                    assertThrows(InvalidArgumentException.class, () -> Pathfinder.locate(kind, known + "x"));
            assertTrue(error.getMessage().contains("did you mean " + known), error.getMessage());
        }
        assertThrows(InvalidArgumentException.class, () -> Pathfinder.findBitcodeLib("x"));
        assertThrows(InvalidArgumentException.class, () -> Pathfinder.findStaticLib("x"));
        assertThrows(InvalidArgumentException.class, () -> Pathfinder.findNvidiaBinaryUtility("x"));
    }

    @Test
    void aToolkitIsWholeAndCanBePutInUse() {
        try (Toolkit toolkit = Toolkit.find(">=12,<99", "cufft")) {
            assertTrue(Files.isDirectory(Path.of(toolkit.root())), toolkit.root());
            assertTrue(toolkit.version().contains("."), toolkit.version());
            assertFalse(toolkit.foundVia().isEmpty());
            assertTrue(toolkit.locate(PartKind.DYNAMIC_LIBRARY, "nvrtc").path().contains("libnvrtc"));
            assertNotEquals(0, toolkit.loadNvidiaDynamicLib("nvJitLink").nativeHandle());
            assertTrue(toolkit.check().stream().noneMatch(finding -> finding.severity() == Finding.Severity.ERROR),
                    toolkit.check()::toString);
            toolkit.use();
            try (Toolkit inUse = Toolkit.inUse()) {
                assertEquals(toolkit.root(), inUse.root());
            }
            toolkit.close();
            assertThrows(InvalidStateException.class, toolkit::root);
        }
        Pathfinder.resetCache();
    }

    @Test
    void aToolkitThatIsNotThereIsAnErrorThatListsTheOthers() {
        NotFoundException error = assertThrows(NotFoundException.class, () -> Toolkit.find("<11"));
        assertTrue(error.getMessage().contains("does not allow"), error.getMessage());
        assertThrows(InvalidArgumentException.class, () -> Toolkit.find("newest"));
    }

    @Test
    void theDoctorPutsTheWorstFirst() {
        List<Finding> findings = Pathfinder.diagnose();
        List<Finding> sorted = new ArrayList<>(findings);
        sorted.sort(Comparator.comparing(Finding::severity).reversed());
        assertEquals(sorted, findings);
        for (Finding finding : findings) {
            assertFalse(finding.subject().isEmpty() || finding.problem().isEmpty() || finding.remedy().isEmpty(),
                    finding::toString);
        }
    }
}
