// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Weather",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "fingerpost", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Weather", dependencies: [.product(name: "Fingerpost", package: "fingerpost")],
            plugins: [.plugin(name: "FingerpostPlugin", package: "fingerpost")]),
        .testTarget(
            name: "WeatherTests", dependencies: [.product(name: "FingerpostTesting", package: "fingerpost")],
            exclude: ["Mocks"]),
    ]
)
