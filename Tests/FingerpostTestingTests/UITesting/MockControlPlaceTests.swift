@testable import FingerpostMocks
@testable import FingerpostUITesting

/// Where a UI test and its app can share a folder.
@Suite(.inTurn) struct MockControlPlaceTests {
    @Test func `On a device, a control needs a folder that both can write`() throws {
        let error = #expect(throws: MockControlError.self) { try MockControl(folder: nil, isDevice: true) }
        let text = "\(error?.description ?? "")"
        let parts = ["MOCKS_SCENARIO", "MOCKS_VARIANTS", "MockControl(folder:)"].map(text.contains)
        let folder = try TemporaryFolder()
        let mocks = try MockControl(folder: folder["control"], isDevice: true)
        let exists = FileManager.default.fileExists(atPath: folder["control/control.json"].path)
        let found = (parts, mocks.variables, exists)
        #expect(found == ([true, true, true], ["MOCKS_CONTROL": folder["control"].path], true), "\(text)")
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
            let found = (App.variable, App.order, App.calls, App.version)
            #expect(found == (UITest.variable, UITest.order, UITest.calls, UITest.version))
        }
    #endif
}
