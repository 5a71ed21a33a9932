// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Door",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "fingerpost", path: "../../..")],
    targets: [
        .executableTarget(name: "DoorApp", dependencies: [.product(name: "Fingerpost", package: "fingerpost")]),
        .executableTarget(
            name: "DoorUITest", dependencies: [.product(name: "FingerpostUITesting", package: "fingerpost")]),
    ]
)
