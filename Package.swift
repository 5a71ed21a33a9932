// swift-tools-version: 6.1
import PackageDescription

// Apple requires a privacy manifest of libraries that call certain functions, in the framework that Xcode may make of
// the module that calls them. Elsewhere, it would be an unused resource.
#if os(macOS)
    let privacy: (resources: [Resource], exclude: [String]) = ([.copy("PrivacyInfo.xcprivacy")], [])
#else
    let privacy: (resources: [Resource], exclude: [String]) = ([], ["PrivacyInfo.xcprivacy"])
#endif

let package = Package(
    name: "Fingerpost",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    // None has a type, which would keep Xcode from sharing a module between an app and its frameworks or tests.
    products: [
        .library(name: "Fingerpost", targets: ["Fingerpost", "FingerpostMocks"]),
        // Without the engine that answers from mocks: see the article on apps without mocks.
        .library(name: "FingerpostCore", targets: ["Fingerpost"]),
        // What some apps need beside either of them, one import each.
        .library(name: "FingerpostCallbacks", targets: ["FingerpostCallbacks"]),
        .library(name: "FingerpostStreams", targets: ["FingerpostStreams"]),
        .library(name: "FingerpostSwitching", targets: ["FingerpostSwitching"]),
        .library(name: "FingerpostTransfers", targets: ["FingerpostTransfers"]),
        // Endpoints from JSON files.
        .library(name: "FingerpostCatalog", targets: ["FingerpostCatalog"]),
        .library(name: "FingerpostTesting", targets: ["FingerpostTesting"]),
        .library(name: "FingerpostUITesting", targets: ["FingerpostUITesting"]),
        .plugin(name: "FingerpostPlugin", targets: ["FingerpostPlugin"]),
        .plugin(name: "FingerpostCommand", targets: ["FingerpostCommand"]),
        // Not "fingerpost": on a disk that ignores letter case, its build folder would be that of the library.
        .executable(name: "fingerpost-cli", targets: ["fingerpost-cli"]),
    ],
    targets: [
        // Reads the files that a user writes. No networking.
        .target(name: "FingerpostFiles", exclude: privacy.exclude, resources: privacy.resources),
        // What several products share, and the core has no need of.
        .target(name: "FingerpostShared", dependencies: ["FingerpostFiles"]),
        // Readers that know the line of each value, and checks of whole files. An app without mocks has none of it.
        .target(name: "FingerpostDocuments", dependencies: ["FingerpostFiles"]),
        // Reads the folder of mocks.
        .target(
            name: "FingerpostMockFiles", dependencies: ["FingerpostDocuments", "FingerpostShared", "FingerpostFiles"]),
        .target(name: "Fingerpost", dependencies: ["FingerpostFiles"]),
        // The engine that answers from mocks. `Fingerpost` finds it at run time, so an app may lack it.
        .target(
            name: "FingerpostMocks",
            dependencies: [
                "Fingerpost", "FingerpostMockFiles", "FingerpostDocuments", "FingerpostShared", "FingerpostFiles",
            ]),
        // What comes in parts: streams of bytes, lines and values, the events of a server, and pages.
        .target(name: "FingerpostStreams", dependencies: ["Fingerpost", "FingerpostShared", "FingerpostFiles"]),
        // Downloads, forms and files in requests, progress, and credentials in a file.
        .target(name: "FingerpostTransfers", dependencies: ["Fingerpost", "FingerpostShared", "FingerpostFiles"]),
        // Completions and blocking calls, for code that is not async.
        .target(name: "FingerpostCallbacks", dependencies: ["Fingerpost", "FingerpostTransfers", "FingerpostFiles"]),
        // Another server in an installed app.
        .target(name: "FingerpostSwitching", dependencies: ["Fingerpost", "FingerpostShared", "FingerpostFiles"]),
        // Endpoints from JSON files, for the apps that have such files.
        .target(name: "FingerpostCatalog", dependencies: ["Fingerpost", "FingerpostDocuments", "FingerpostFiles"]),
        // What builds and tests check, and no app.
        .target(
            name: "FingerpostChecks",
            dependencies: ["FingerpostMockFiles", "FingerpostDocuments", "FingerpostShared", "FingerpostFiles"]),
        // For test targets only: it imports Testing, which apps must not link.
        .target(
            name: "FingerpostTesting",
            dependencies: [
                "Fingerpost", "FingerpostMocks", "FingerpostChecks", "FingerpostMockFiles", "FingerpostDocuments",
                "FingerpostShared", "FingerpostFiles",
            ]),
        // For targets of UI tests, which run in another process than the app. Foundation alone.
        .target(name: "FingerpostUITesting"),
        // What the plugin does in every build. Each build of an app compiles it for the host, so it holds nothing else.
        .target(
            name: "FingerpostBuilding",
            dependencies: ["FingerpostChecks", "FingerpostMockFiles", "FingerpostDocuments", "FingerpostFiles"]),
        // The commands of the command-line tool. Apps do not link it.
        .target(
            name: "FingerpostTooling",
            dependencies: [
                "FingerpostBuilding", "FingerpostChecks", "FingerpostMockFiles", "FingerpostDocuments",
                "FingerpostShared", "FingerpostFiles",
            ]),
        // Build systems look up a plugin's tool by the name of its target, so the target has the product's name.
        .executableTarget(
            name: "fingerpost-cli", dependencies: ["FingerpostTooling"],
            path: "Sources/FingerpostTool"),
        .executableTarget(name: "FingerpostBundler", dependencies: ["FingerpostBuilding"]),
        .plugin(
            name: "FingerpostPlugin", capability: .buildTool(), dependencies: ["FingerpostBundler"],
            path: "Sources/FingerpostPlugin"),
        .plugin(
            name: "FingerpostCommand",
            capability: .command(
                intent: .custom(
                    verb: "fingerpost", description: "Check environments, mocks and builds, and explain values")),
            dependencies: ["fingerpost-cli"], path: "Sources/FingerpostCommand"),
        .executableTarget(
            name: "Demo", dependencies: ["Fingerpost", "FingerpostMocks", "FingerpostStreams", "FingerpostTransfers"],
            plugins: ["FingerpostPlugin"]),

        // A byte-level HTTP server on 127.0.0.1 for the tests of real calls.
        .target(
            name: "LoopbackServer", dependencies: ["FingerpostFiles", "TestSupport"], path: "Tests/LoopbackServer"),
        // Fixtures that several test targets share.
        .target(
            name: "TestSupport", dependencies: ["FingerpostDocuments", "FingerpostFiles"], path: "Tests/TestSupport"),
        // Clients and transports that the tests of calls share.
        .target(
            name: "CallSupport", dependencies: ["Fingerpost", "FingerpostFiles", "LoopbackServer", "TestSupport"],
            path: "Tests/CallSupport"),
        .testTarget(
            name: "FingerpostFilesTests",
            dependencies: [
                "FingerpostChecks", "FingerpostMockFiles", "FingerpostDocuments", "FingerpostShared", "FingerpostFiles",
                "TestSupport",
            ]),
        .testTarget(
            name: "FingerpostSharedTests", dependencies: ["FingerpostShared", "FingerpostFiles", "TestSupport"]),
        .testTarget(
            name: "FingerpostDocumentsTests",
            dependencies: ["FingerpostDocuments", "FingerpostShared", "FingerpostFiles", "TestSupport"]),
        .testTarget(
            name: "FingerpostToolingTests",
            dependencies: [
                "FingerpostTooling", "FingerpostBuilding", "FingerpostMockFiles", "FingerpostDocuments",
                "FingerpostShared", "FingerpostFiles", "TestSupport",
            ]),
        .testTarget(
            name: "FingerpostTests",
            dependencies: [
                "Fingerpost", "FingerpostCallbacks", "FingerpostCatalog", "FingerpostMocks", "FingerpostMockFiles",
                "FingerpostDocuments", "FingerpostStreams", "FingerpostSwitching", "FingerpostTesting",
                "FingerpostTransfers", "FingerpostUITesting", "FingerpostShared", "CallSupport", "LoopbackServer",
                "TestSupport",
            ],
            exclude: [
                "Scopes/Fixtures", "Documentation/Session/Mocks", "Documentation/Streams/Mocks",
                "Documentation/Weather/Mocks",
            ],
            plugins: ["FingerpostPlugin"]),
        .testTarget(
            name: "FingerpostCallbacksTests",
            dependencies: [
                "FingerpostCallbacks", "FingerpostTransfers", "FingerpostMocks", "FingerpostShared", "FingerpostFiles",
                "CallSupport", "LoopbackServer", "TestSupport",
            ]),
        .testTarget(
            name: "FingerpostStreamsTests",
            dependencies: [
                "FingerpostStreams", "FingerpostMocks", "FingerpostTesting", "FingerpostFiles", "CallSupport",
                "LoopbackServer", "TestSupport",
            ]),
        .testTarget(
            name: "FingerpostTransfersTests",
            dependencies: [
                "FingerpostTransfers", "Fingerpost", "FingerpostCallbacks", "FingerpostStreams", "FingerpostTesting",
                "FingerpostMocks", "FingerpostMockFiles", "CallSupport", "LoopbackServer", "TestSupport",
                "FingerpostShared", "FingerpostFiles",
            ]),
        .testTarget(
            name: "FingerpostSwitchingTests",
            dependencies: ["FingerpostSwitching", "Fingerpost", "FingerpostMocks", "FingerpostFiles", "TestSupport"]),
        .testTarget(
            name: "FingerpostTestingTests",
            dependencies: [
                "FingerpostTesting", "FingerpostCallbacks", "FingerpostCatalog", "FingerpostDocuments",
                "FingerpostStreams", "FingerpostTransfers", "FingerpostUITesting", "FingerpostShared", "CallSupport",
                "LoopbackServer", "TestSupport",
            ]),
        // Runs every parser with random inputs: a few in each run of the tests, millions on demand.
        .testTarget(
            name: "FingerpostFuzzTests",
            dependencies: [
                "Fingerpost", "FingerpostCatalog", "FingerpostMocks", "FingerpostMockFiles", "FingerpostDocuments",
                "FingerpostFiles", "FingerpostStreams", "FingerpostTransfers", "FingerpostTesting",
                "FingerpostBuilding", "FingerpostTooling", "FingerpostShared", "TestSupport",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Imports are internal; a module whose API uses an imported type writes `public import`.
for target in package.targets where target.type != .plugin {
    target.swiftSettings = [.enableUpcomingFeature("InternalImportsByDefault")]
}
