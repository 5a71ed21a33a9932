// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Tracker",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "fingerpost", path: "../../..")],
    targets: [
        .target(name: "Tracker"),
        .testTarget(
            name: "TrackerTests",
            dependencies: ["Tracker", .product(name: "FingerpostTesting", package: "fingerpost")]),
    ]
)
