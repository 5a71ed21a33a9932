// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Graph",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "fingerpost", path: "../../..")],
    targets: [
        .target(
            name: "GraphKit",
            dependencies: [
                .product(name: "Fingerpost", package: "fingerpost"),
                .product(name: "FingerpostStreams", package: "fingerpost"),
            ]),
        .testTarget(
            name: "GraphKitTests",
            dependencies: ["GraphKit", .product(name: "FingerpostTesting", package: "fingerpost")]),
    ]
)
