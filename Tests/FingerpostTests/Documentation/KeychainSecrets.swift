// Secrets of an installed app. Copy this file, and KeychainStore.swift for its errors, into your app.
#if canImport(Security)
    import Fingerpost
    import Foundation
    import Security

    /// Secrets that the app has saved in the Keychain before, such as from a
    /// server that it asked at its first launch.
    nonisolated struct KeychainSecrets: SecretSource {
        let service: String
        /// A Keychain access group, if extensions read the item too, such as
        /// "AB12CD34EF.org.example.shared".
        var group: String?

        func secret(_ key: String, in environment: String) throws -> String? {
            var item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service,
                kSecAttrAccount: "\(environment).\(key)",
                kSecUseDataProtectionKeychain: true, kSecReturnData: true,
            ]
            item[kSecAttrAccessGroup] = group
            var found: CFTypeRef?
            let status = SecItemCopyMatching(item as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = found as? Data else {
                throw KeychainError(status: status)
            }
            return String(decoding: data, as: UTF8.self)
        }
    }

    nonisolated func launch() throws {
        try APIEnvironment.bootstrap(
            secrets: KeychainSecrets(service: "org.example.app"))
    }
#endif
