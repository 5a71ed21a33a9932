import TestSupport

@Suite(.inTurn) struct PackageManifestTests {
    /// Xcode makes a framework of a module that two parts of an app link, unless a product has a type.
    @Test func `No library product has a type, and the modules of apps are found below the products`() throws {
        let manifest = try PackageManifest()
        #expect(manifest.libraries.count >= 5 && manifest.libraries.filter { $0.contains("type:") } == [])
        let tested = [
            "Fingerpost", "FingerpostMocks", "FingerpostMockFiles", "FingerpostFiles", "FingerpostTesting",
            "FingerpostChecks", "FingerpostBuilding",
        ]
        #expect(try Set(manifest.appModules()).intersection(tested) == Set(tested.prefix(4)))
    }
}
