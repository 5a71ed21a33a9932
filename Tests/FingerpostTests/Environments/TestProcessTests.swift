import FingerpostMockFiles
import TestSupport

@testable import Fingerpost
@testable import FingerpostFiles
@testable import FingerpostMocks
@testable import FingerpostTesting

@Suite(.inTurn) struct TestProcessTests {
    // An app that hosts tests may send a call before its test bundle is loaded.
    @Test func `Only a positive answer is remembered`() {
        let answers = Locked([nil, nil, 1, nil])
        let linked = LinkedClass<Int> { answers.withLock { $0.removeFirst() } }
        #expect(((0..<6).map { _ in linked.value }, answers.withLock { $0 }) == ([nil, nil, 1, 1, 1, 1], [nil]))
    }

    @Test func `This process runs tests with scopes, and finds the classes of other modules by their names`() {
        #expect(TestProcess.isCurrent && TestProcess.hasScopes && TestProcess.reporter == TestScope.self)
        #expect(LinkedClass<any MockEngine.Type>.mockEngine.value == MockFolderEngine.self)
        #expect(LinkedClass<any MockEngine.Type>("FingerpostMocks.NoEngine").value == nil)
    }

    /// A class is not found if its module is renamed, or linked from an archive without `-ObjC`. If each module has one
    /// such class, which refers to the rest, all of the module is missing then, and one error says so.
    @Test func `At most one class of a module is found by its name`() throws {
        let lookUps = /(?:LinkedClass(?:<[^>]*>)?|NSClassFromString|objc_getClass|_typeByName)\(\s*"([\w.]+)"/
        var names: Set<Substring> = []
        for file in PackageManifest.files(of: "") {
            names.formUnion(try String(contentsOf: file, encoding: .utf8).matches(of: lookUps).map(\.output.1))
        }
        let classes = Dictionary(grouping: names.filter { $0.contains(".") }) { $0.prefix { $0 != "." } }
        #expect(classes["FingerpostMocks"] == ["FingerpostMocks.MockFolderEngine"])
        for (module, names) in classes { #expect(names.count == 1, "\(names) of \(module)") }
    }

    // The plugin bundles the mocks of this target.
    @Test func `The copy in a bundle of a build answers, and is not recorded into`() throws {
        let folder = try TemporaryFolder(["root/Package.swift": "", "root/AppTests/AppTests.swift": ""])
        let file = folder["root/AppTests/AppTests.swift"].path
        let found = try MockIndex.url(near: file)
        #expect(["resources", "bundle"].contains(found.deletingLastPathComponent().pathExtension))
        do {
            let written = try MockIndex.url(near: file, isWritten: true)
            #expect(written.deletingLastPathComponent().pathExtension.isEmpty)
        } catch {
            #expect(error.fix?.contains("make the folder Mocks") == true)
        }
    }
}
