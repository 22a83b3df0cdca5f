using System;
using System.IO;
using Cuprum;
using NUnit.Framework;

/// <summary>The package as it is unpacked, and how the assembly finds its native libraries in it.</summary>
[TestFixture]
public class PackageTest {
    private string folder;

    [SetUp]
    public void MakeFolder() {
        folder = Path.Combine(Path.GetTempPath(), "cuprum-test-" + Guid.NewGuid());
        Directory.CreateDirectory(folder);
    }

    [TearDown]
    public void RemoveFolder() {
        Directory.Delete(folder, true);
    }

    private static string Package {
        get { return Environment.GetEnvironmentVariable("CUPRUM_TEST_PACKAGE"); }
    }

    private string CopyTo(string file, string directory) {
        Directory.CreateDirectory(Path.Combine(folder, directory));
        string target = Path.Combine(folder, directory, Path.GetFileName(file));
        File.Copy(file, target);
        return target;
    }

    private string CopyChildTo(string directory) {
        CopyTo(Path.Combine(Package, "lib", "netstandard2.0", "Cuprum.dll"), directory);
        return CopyTo(Path.Combine(AppDomain.CurrentDomain.BaseDirectory, "Child.exe"), directory);
    }

    private void CopyNativesTo(string directory) {
        foreach (string file in Directory.GetFiles(Path.Combine(Package, "runtimes", "linux-x64", "native"))) {
            CopyTo(file, directory);
        }
    }

    private static void AssertRuns(ChildProcess child) {
        Assert.AreEqual(0, child.ExitStatus, child.Output);
        Assert.AreEqual("version " + CuprumLibrary.Version + "\n", child.Output);
    }

    [Test]
    public void ItHasTheLayoutThatNuGetKnows() {
        foreach (string path in new[] { "Cuprum.nuspec", "[Content_Types].xml", "_rels/.rels", "LICENSE",
                                        "lib/netstandard2.0/Cuprum.dll", "lib/netstandard2.0/Cuprum.xml",
                                        "buildTransitive/Cuprum.targets",
                                        "runtimes/linux-x64/native/libcuprum_csharp.so",
                                        "simulator/linux-x64/libcuda.so.1" }) {
            Assert.IsTrue(File.Exists(Path.Combine(Package, path)), path);
        }
        StringAssert.Contains("<version>" + CuprumLibrary.Version + "</version>",
                              File.ReadAllText(Path.Combine(Package, "Cuprum.nuspec")));
    }

    [Test]
    public void NothingThatCouldBeTakenForADriverIsAmongTheNativeLibraries() {
        string[] files = Directory.GetFiles(
            Path.Combine(Package, "runtimes"), "libcuda*", SearchOption.AllDirectories);
        Assert.IsEmpty(files);
    }

    [Test]
    public void TheLibrariesAreFoundBesideTheAssembly() {
        string child = CopyChildTo("application");
        CopyNativesTo("application");
        AssertRuns(new ChildProcess().Program(child).Run("version"));
    }

    [Test]
    public void TheLibrariesAreFoundInTheFolderOfTheirPlatform() {
        string child = CopyChildTo("application");
        CopyNativesTo("application/runtimes/linux-x64/native");
        AssertRuns(new ChildProcess().Program(child).Run("version"));
    }

    [Test]
    public void TheLibrariesAreFoundInTheUnpackedPackage() {
        string child = CopyChildTo("package/lib/netstandard2.0");
        CopyNativesTo("package/runtimes/linux-x64/native");
        AssertRuns(new ChildProcess().Program(child).Run("version"));
    }

    [Test]
    public void TheLibrariesAreFoundWhereTheCallerSays() {
        string child = CopyChildTo("application");
        CopyNativesTo("elsewhere");
        string elsewhere = Path.Combine(folder, "elsewhere");
        AssertRuns(new ChildProcess().Program(child).Environment("CUPRUM_LIBRARY_PATH", elsewhere).Run("version"));
    }

    [TestCase("Device")]
    [TestCase("Device.Count")]
    [TestCase("Device.GetAllDevices")]
    [TestCase("Program")]
    [TestCase("Program.LastLog")]
    [TestCase("ObjectCode.FromBytes")]
    [TestCase("Pathfinder")]
    [TestCase("CuprumLibrary")]
    public void AProgramMayBeginWithAnyClass(string name) {
        ChildProcess child = new ChildProcess().Run("begin-with " + name);
        Assert.AreEqual(0, child.ExitStatus, child.Output);
    }

    [Test]
    public void WithoutTheLibrariesTheErrorNamesTheOneThatIsMissing() {
        string child = CopyChildTo("application");
        ChildProcess alone = new ChildProcess().Program(child).Run("version");
        Assert.AreNotEqual(0, alone.ExitStatus);
        StringAssert.Contains("cuprum_csharp", alone.Output);
        ChildProcess misled =
            new ChildProcess().Program(child).Environment("CUPRUM_LIBRARY_PATH", folder).Run("version");
        Assert.AreNotEqual(0, misled.ExitStatus);
        StringAssert.Contains(folder, misled.Output);
    }
}
