@testable import FingerpostMocks
@testable import FingerpostUITesting

/// Where a UI test and its app can share a folder.
@Suite(.inTurn) struct MockControlPlaceTests {
    @Test func `On a device, a control needs a folder that both can write`() throws {
        let error = #expect(throws: MockControlError.self) { try MockControl(folder: nil, isDevice: true) }
        let text = "\(error?.description ?? "")"
        for name in ["MOCKS_SCENARIO", "MOCKS_VARIANTS", "MockControl(folder:)"] { #expect(text.contains(name)) }
        let folder = try TemporaryFolder()
        let mocks = try MockControl(folder: folder["control"], isDevice: true)
        #expect(mocks.variables == ["MOCKS_CONTROL": folder["control"].path])
        #expect(FileManager.default.fileExists(atPath: folder["control/control.json"].path))
    }

    @Test func `Elsewhere, a temporary folder is shared`() throws {
        let mocks = try MockControl(folder: nil, isDevice: false)
        defer { try? FileManager.default.removeItem(at: mocks.folder) }
        #expect(FileManager.default.fileExists(atPath: mocks.folder.appendingPathComponent("control.json").path))
    }

    #if DEBUG
        @Test func `Both sides mean the same folder, files and version`() {
            typealias App = FingerpostMocks.ControlFolder
            typealias UITest = FingerpostUITesting.ControlFolder
            #expect([App.variable, App.order, App.calls] == [UITest.variable, UITest.order, UITest.calls])
            #expect(App.version == UITest.version)
        }
    #endif
}
