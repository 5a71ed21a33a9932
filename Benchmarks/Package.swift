// swift-tools-version: 6.1
import PackageDescription

// A separate package, so that users of the library do not build it.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "Fingerpost", path: "..")],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            // The command-line tool is run to measure `check`.
            dependencies: [
                "Fingerpost", .product(name: "FingerpostCallbacks", package: "Fingerpost"),
                .product(name: "FingerpostCatalog", package: "Fingerpost"),
                .product(name: "FingerpostStreams", package: "Fingerpost"),
                .product(name: "FingerpostTransfers", package: "Fingerpost"),
                .product(name: "fingerpost-cli", package: "Fingerpost"),
                // On Linux, a program can link XCTest.
                .product(name: "FingerpostTesting", package: "Fingerpost", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")])
    ],
    swiftLanguageModes: [.v6]
)
