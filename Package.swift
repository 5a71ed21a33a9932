// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Fingerpost",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Fingerpost", targets: ["Fingerpost"]),
        .library(name: "FingerpostTesting", targets: ["FingerpostTesting"]),
        .plugin(name: "FingerpostPlugin", targets: ["FingerpostPlugin"]),
        .executable(name: "fingerpost", targets: ["FingerpostTool"]),
    ],
    targets: [
        // Ground floor: the files a user writes, read and checked. No networking.
        .target(name: "FingerpostFiles"),
        .target(name: "Fingerpost", dependencies: ["FingerpostFiles"]),
        // For test targets alone: nothing else may import Testing, which apps must not link.
        .target(name: "FingerpostTesting", dependencies: ["Fingerpost", "FingerpostFiles"]),
        // What tools do with the files. No app links it.
        .target(name: "FingerpostTooling", dependencies: ["FingerpostFiles"]),
        .executableTarget(name: "FingerpostTool", dependencies: ["FingerpostTooling"]),
        .executableTarget(name: "FingerpostBundler", dependencies: ["FingerpostTooling"]),
        .plugin(
            name: "FingerpostPlugin", capability: .buildTool(), dependencies: ["FingerpostBundler"],
            path: "Sources/FingerpostPlugin"),
        .executableTarget(name: "Demo", dependencies: ["Fingerpost"], plugins: ["FingerpostPlugin"]),

        // A byte-level HTTP server on 127.0.0.1 for the tests of real calls.
        .target(name: "LoopbackServer", path: "Tests/LoopbackServer"),
        // What several targets of tests need.
        .target(name: "TestSupport", dependencies: ["FingerpostFiles"], path: "Tests/TestSupport"),
        .testTarget(name: "FingerpostFilesTests", dependencies: ["FingerpostFiles", "TestSupport"]),
        .testTarget(
            name: "FingerpostToolingTests", dependencies: ["FingerpostTooling", "FingerpostFiles", "TestSupport"]),
        .testTarget(
            name: "FingerpostTests",
            dependencies: ["Fingerpost", "FingerpostTesting", "LoopbackServer", "TestSupport"],
            exclude: ["Scopes/Fixtures", "Documentation/Session/Mocks"], plugins: ["FingerpostPlugin"]),
        .testTarget(
            name: "FingerpostTestingTests", dependencies: ["FingerpostTesting", "LoopbackServer", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

// What a module's own API needs of its imports is said at the import (`public import`); the rest stays inside.
for target in package.targets where target.type != .plugin {
    target.swiftSettings = [.enableUpcomingFeature("InternalImportsByDefault")]
}
