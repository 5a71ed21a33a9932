// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Tasks",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "fingerpost", path: "../../..")],
    targets: [
        .target(name: "Tasks", dependencies: [.product(name: "Fingerpost", package: "fingerpost")]),
        .testTarget(
            name: "TasksTests",
            dependencies: [
                "Tasks", .product(name: "FingerpostStreams", package: "fingerpost"),
                .product(name: "FingerpostTesting", package: "fingerpost"),
            ]),
    ]
)
