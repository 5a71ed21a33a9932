import FingerpostFiles
import FingerpostShared
import Foundation

/// Private keys and certificates with made-up numbers, in the structure of real ones.
enum KeyFixture {
    /// The key of a server for RSA, and the public number in it.
    static let modulus = bytes(256, "modulus")
    static let rsa = der(
        0x30, der(2, [0]), der(2, modulus), der(2, [1, 0, 1]),
        ["d", "p", "q", "dp", "dq", "inverse"].flatMap { der(2, bytes($0 == "d" ? 256 : 128, $0)) })
    /// The same key in the structure that is common to all kinds of keys (PKCS #8).
    static let pkcs8 = der(0x30, der(2, [0]), der(0x30, oid, der(5)), der(4, rsa))

    /// The public point of a key for elliptic curves, and the secret number.
    static let point = [4] + bytes(64, "point")
    static let number = bytes(32, "number")
    /// The key as OpenSSL writes it (SEC 1), also with the numbers of its curve, and as Apple writes it (PKCS #8).
    static let sec1 = elliptic(curve: oid)
    static let curve = bytes(160, "curve")
    static let explicit = elliptic(curve: der(0x30, der(2, [1]), der(4, curve), der(2, bytes(32, "order"))))
    static let apple = der(
        0x30, der(2, [0]), der(0x30, oid, oid),
        der(4, der(0x30, der(2, [1]), der(4, number), der(0xA1, der(3, [0] + point)))))
    static let ed25519 = der(0x30, der(2, [0]), der(0x30, oid), der(4, der(4, number)))

    private static let oid = der(6, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1])

    private static func elliptic(curve: [UInt8]) -> [UInt8] {
        der(0x30, der(2, [1]), der(4, number), der(0xA0, curve), der(0xA1, der(3, [0] + point)))
    }

    /// A certificate with a public key.
    ///
    /// - Parameter shift: moves the key by bytes, and so in the groups of base64.
    static func certificate(_ key: [UInt8], shift: Int = 0) -> [UInt8] {
        let name = der(0x30, der(12, Array("Acme\(String(repeating: "x", count: shift))".utf8)))
        let publicKey = der(0x30, der(0x30, oid, der(5)), der(3, [0] + key))
        let contents = der(0x30, der(2, bytes(16, "serial")), name, publicKey)
        return der(0x30, contents, der(0x30, oid), der(3, [0] + bytes(256, "signature")))
    }

    static let rsaPublicKey = der(0x30, der(2, modulus), der(2, [1, 0, 1]))
    static let leaf = certificate(rsaPublicKey)
    static let intermediate = certificate(der(0x30, der(2, bytes(256, "intermediate")), der(2, [1, 0, 1])))

    /// Random bytes that are the same in each run, and a positive number.
    static func bytes(_ count: Int, _ name: String) -> [UInt8] {
        var generator = SeededGenerator(seed: SeededGenerator.seed(of: name))
        return [0x5A] + (1..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    static func der(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
        let contents = contents.flatMap(\.self)
        let count = contents.count
        let length: [UInt8] =
            count < 128
            ? [UInt8(count)]
            : count < 256 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        return [tag] + length + contents
    }

    static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    static func pem(_ label: String, _ bytes: [UInt8], width: Int = 64) -> String {
        let text = Array(base64(bytes).utf8)
        let lines = stride(from: 0, to: text.count, by: width).map { start in
            String(decoding: text[start..<min(start + width, text.count)], as: UTF8.self)
        }
        return (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----", ""]).joined(separator: "\n")
    }

    static func json(_ object: Any) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .prettyPrinted])
        return String(decoding: data, as: UTF8.self)
    }
}
