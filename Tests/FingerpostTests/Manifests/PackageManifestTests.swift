import TestSupport

@Suite(.inTurn) struct PackageManifestTests {
    /// Xcode makes a framework of a module that two parts of an app link, unless a product has a type.
    @Test func `No library product has a type`() throws {
        let libraries = try PackageManifest().libraries
        #expect(libraries.count >= 5)
        for library in libraries { #expect(!library.contains("type:")) }
    }

    @Test func `The modules of apps are found below the products`() throws {
        let modules = try PackageManifest().appModules()
        #expect(Set(["Fingerpost", "FingerpostMocks", "FingerpostMockFiles", "FingerpostFiles"]).isSubset(of: modules))
        #expect(Set(["FingerpostTesting", "FingerpostChecks", "FingerpostBuilding"]).isDisjoint(with: modules))
    }
}
