// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = ["InternalImportsByDefault", "MemberImportVisibility"].map { .enableUpcomingFeature($0) }
let package = Package(
    name: "Weather",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "fingerpost", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Weather", dependencies: ["Model", .product(name: "Fingerpost", package: "fingerpost")],
            swiftSettings: settings),
        .target(
            name: "Model", dependencies: [.product(name: "Fingerpost", package: "fingerpost")],
            swiftSettings: settings, plugins: [.plugin(name: "FingerpostPlugin", package: "fingerpost")]),
        .testTarget(
            name: "ModelTests", dependencies: ["Model", .product(name: "FingerpostTesting", package: "fingerpost")],
            plugins: [.plugin(name: "FingerpostPlugin", package: "fingerpost")]),
    ]
)
