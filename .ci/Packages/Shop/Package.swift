// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Shop",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "fingerpost", path: "../../..")],
    targets: [
        .target(name: "Model", dependencies: [.product(name: "FingerpostCore", package: "fingerpost")]),
        .executableTarget(name: "ShopApp", dependencies: ["Model"]),
        .executableTarget(
            name: "ShopDemo", dependencies: ["Model", .product(name: "Fingerpost", package: "fingerpost")]),
        .testTarget(
            name: "ModelTests", dependencies: ["Model", .product(name: "FingerpostTesting", package: "fingerpost")]),
    ]
)
