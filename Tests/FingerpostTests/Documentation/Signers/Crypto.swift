import Foundation

// In place of CryptoKit or swift-crypto, whose names these types have. The samples import one of the two.

/// SHA-256 (FIPS 180-4).
nonisolated enum SHA256 {
    static func hash(data: some Sequence<UInt8>) -> [UInt8] {
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        var bytes = Array(data)
        let bits = UInt64(bytes.count) * 8
        bytes.append(0x80)
        while bytes.count % 64 != 56 { bytes.append(0) }
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        for start in stride(from: 0, to: bytes.count, by: 64) {
            var w = (0..<16).map { i in
                bytes[(start + 4 * i)..<(start + 4 * i + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            for i in 16..<64 {
                let s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> 3)
                let s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> 10)
                w.append(w[i - 16] &+ s0 &+ w[i - 7] &+ s1)
            }
            var v = state
            for i in 0..<64 {
                let s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)
                let t1 = v[7] &+ s1 &+ ((v[4] & v[5]) ^ (~v[4] & v[6])) &+ constants[i] &+ w[i]
                let s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)
                let t2 = s0 &+ ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]))
                v = [t1 &+ t2, v[0], v[1], v[2], v[3] &+ t1, v[4], v[5], v[6]]
            }
            for i in 0..<8 { state[i] = state[i] &+ v[i] }
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = (2...311).filter { n in (2..<n).allSatisfy { n % $0 != 0 } }.map { prime in
        let root = cbrt(Double(prime))
        return UInt32((root - root.rounded(.down)) * 4_294_967_296)
    }
}

nonisolated struct SymmetricKey { var data: Data }

/// HMAC (RFC 2104).
nonisolated enum HMAC<Hash> {
    static func authenticationCode(for data: Data, using key: SymmetricKey) -> [UInt8] {
        var bytes = key.data.count > 64 ? SHA256.hash(data: key.data) : Array(key.data)
        bytes += Array(repeating: 0, count: 64 - bytes.count)
        return SHA256.hash(data: bytes.map { $0 ^ 0x5c } + SHA256.hash(data: bytes.map { $0 ^ 0x36 } + data))
    }
}

/// A signature that any test can check: the code of the text with the public key.
nonisolated enum P256 {
    nonisolated enum Signing {
        nonisolated struct PublicKey { let rawRepresentation: Data }
        nonisolated struct Signature { let rawRepresentation: Data }
        nonisolated struct PrivateKey {
            let publicKey = PublicKey(rawRepresentation: Data((0..<64).map { UInt8($0) }))
            func signature(for data: Data) throws -> Signature {
                Signature(
                    rawRepresentation: Data(
                        HMAC<SHA256>.authenticationCode(
                            for: data, using: SymmetricKey(data: publicKey.rawRepresentation))))
            }
        }
    }
}
