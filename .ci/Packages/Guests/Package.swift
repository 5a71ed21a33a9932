// swift-tools-version: 6.1
import PackageDescription

// The code of the articles on servers and on generated clients. Vapor and the other libraries are stand-ins with the
// same signatures, as far as the articles use them.
let core = Target.Dependency.product(name: "FingerpostCore", package: "fingerpost")
let package = Package(
    name: "Guests",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "fingerpost", path: "../../..")],
    targets: [
        .target(name: "Vapor"),
        .target(name: "VaporTesting", dependencies: ["Vapor"]),
        .target(name: "AsyncHTTPClient"),
        .target(name: "Logging"),
        .target(name: "HTTPTypes"),
        .target(name: "OpenAPIRuntime", dependencies: ["HTTPTypes"]),
        .target(name: "Server", dependencies: [core, "Vapor", "AsyncHTTPClient", "Logging"]),
        .target(name: "PetClient", dependencies: [core, "HTTPTypes", "OpenAPIRuntime"]),
        .testTarget(
            name: "GuestsTests",
            dependencies: [
                "Server", "PetClient", "Vapor", "VaporTesting",
                .product(name: "FingerpostTesting", package: "fingerpost"),
            ],
            exclude: ["Mocks"]),
    ]
)
