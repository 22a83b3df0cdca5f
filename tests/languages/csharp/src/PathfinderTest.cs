using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Cuprum;
using NUnit.Framework;

/// <summary>The names of cuda.pathfinder, and one toolkit.</summary>
[TestFixture]
public class PathfinderTest : LeavesNothing {
    [Test]
    public void ALibraryIsFoundAndOpened() {
        LoadedLibrary nvrtc = Pathfinder.LoadNvidiaDynamicLib("nvrtc");
        Assert.AreEqual(Pathfinder.FindCudaLibrary("nvrtc"), nvrtc.Path);
        Assert.IsTrue(File.Exists(nvrtc.Path), nvrtc.Path);
        Assert.AreNotEqual(0UL, nvrtc.NativeHandle);
        Assert.AreEqual(nvrtc.NativeHandle, Pathfinder.LoadNvidiaDynamicLib("nvrtc").NativeHandle);
    }

    [Test]
    public void IncludeFoldersBeginWithTheCudaHeaders() {
        IReadOnlyList<string> folders = Pathfinder.FindCudaIncludeDirs();
        Assert.AreEqual(Pathfinder.FindNvidiaHeaderDirectory("cudart"), folders[0]);
        Assert.IsTrue(File.Exists(System.IO.Path.Combine(folders[0], "cuda.h")));
    }

    [Test]
    public void EveryKindHasNamesAndOffersTheNearest() {
        foreach (PartKind kind in Enum.GetValues(typeof(PartKind))) {
            string known = Pathfinder.SupportedNames(kind)[0];
            var error = Assert.Throws<InvalidArgumentException>(() => Pathfinder.Locate(kind, known + "x"));
            StringAssert.Contains("did you mean " + known, error.Message);
        }
        Assert.Throws<InvalidArgumentException>(() => Pathfinder.FindBitcodeLib("x"));
        Assert.Throws<InvalidArgumentException>(() => Pathfinder.FindStaticLib("x"));
        Assert.Throws<InvalidArgumentException>(() => Pathfinder.FindNvidiaBinaryUtility("x"));
    }

    [Test]
    public void AToolkitIsWholeAndCanBePutInUse() {
        using (Toolkit toolkit = Toolkit.Find(">=12,<99", "cufft")) {
            Assert.IsTrue(Directory.Exists(toolkit.Root), toolkit.Root);
            StringAssert.Contains(".", toolkit.Version);
            Assert.IsNotEmpty(toolkit.FoundVia);
            StringAssert.Contains("libnvrtc", toolkit.Locate(PartKind.DynamicLibrary, "nvrtc").Path);
            Assert.AreNotEqual(0UL, toolkit.LoadNvidiaDynamicLib("nvJitLink").NativeHandle);
            Assert.IsFalse(toolkit.Check().Any(finding => finding.Severity == Severity.Error),
                           string.Join("\n", toolkit.Check()));
            toolkit.Use();
            using (Toolkit inUse = Toolkit.InUse()) {
                Assert.AreEqual(toolkit.Root, inUse.Root);
            }
            toolkit.Dispose();
            Assert.Throws<InvalidStateException>(() => Assert.IsNotEmpty(toolkit.Root));
        }
        Pathfinder.ResetCache();
    }

    [Test]
    public void AToolkitThatIsNotThereIsAnErrorThatListsTheOthers() {
        var error = Assert.Throws<NotFoundException>(() => Toolkit.Find("<11"));
        StringAssert.Contains("does not allow", error.Message);
        Assert.Throws<InvalidArgumentException>(() => Toolkit.Find("newest"));
    }

    [Test]
    public void TheDoctorPutsTheWorstFirst() {
        IReadOnlyList<Finding> findings = Pathfinder.Diagnose();
        CollectionAssert.AreEqual(findings.OrderByDescending(finding => finding.Severity), findings);
        foreach (Finding finding in findings) {
            Assert.IsNotEmpty(finding.Subject);
            Assert.IsNotEmpty(finding.Problem);
            Assert.IsNotEmpty(finding.Remedy);
        }
    }
}
