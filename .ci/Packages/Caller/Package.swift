// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Caller",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "fingerpost", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Caller",
            dependencies: [
                .product(name: "Fingerpost", package: "fingerpost"),
                .product(name: "FingerpostCallbacks", package: "fingerpost"),
                .product(name: "FingerpostCatalog", package: "fingerpost"),
                .product(name: "FingerpostTransfers", package: "fingerpost"),
            ])
    ]
)
