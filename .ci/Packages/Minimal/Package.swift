// swift-tools-version: 6.1
import PackageDescription

// Each target gets a copy of main.swift.
let products = [
    "Fingerpost", "FingerpostCallbacks", "FingerpostCatalog", "FingerpostCore", "FingerpostStreams",
    "FingerpostSwitching", "FingerpostTransfers",
]

let package = Package(
    name: "Minimal",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "fingerpost", path: "../../..")],
    targets: products.map {
        .executableTarget(name: "On\($0)", dependencies: [.product(name: $0, package: "fingerpost")])
    }
)
