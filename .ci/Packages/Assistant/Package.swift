// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Assistant",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "fingerpost", path: "../../..")],
    targets: [
        .target(
            name: "AssistantKit",
            dependencies: [
                .product(name: "Fingerpost", package: "fingerpost"),
                .product(name: "FingerpostStreams", package: "fingerpost"),
            ]),
        .testTarget(
            name: "AssistantKitTests",
            dependencies: ["AssistantKit", .product(name: "FingerpostTesting", package: "fingerpost")]),
    ]
)
