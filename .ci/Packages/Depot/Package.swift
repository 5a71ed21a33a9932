// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Depot",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "fingerpost", path: "../../..")],
    targets: [
        .target(name: "Depot", dependencies: [.product(name: "Fingerpost", package: "fingerpost")]),
        .testTarget(
            name: "DepotTests", dependencies: ["Depot", .product(name: "FingerpostTesting", package: "fingerpost")]),
        .testTarget(
            name: "DepotXCTests", dependencies: ["Depot", .product(name: "FingerpostTesting", package: "fingerpost")]),
    ]
)
