// The user's token. Copy this file into your app.
#if canImport(Security)
    import Fingerpost
    import Foundation
    import Security

    /// The user's token in the Keychain of this device.
    nonisolated struct KeychainStore: CredentialStore {
        let service: String
        /// A Keychain access group, if extensions use the token too, such as
        /// "AB12CD34EF.org.example.shared".
        var group: String?

        private static let lock = NSRecursiveLock()

        private var item: [CFString: Any] {
            var item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service,
                kSecAttrAccount: "token", kSecUseDataProtectionKeychain: true,
            ]
            item[kSecAttrAccessGroup] = group
            return item
        }

        func token() throws -> String? {
            var found: CFTypeRef?
            let query = item.merging([kSecReturnData: true]) { $1 }
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = found as? Data else {
                throw KeychainError(status: status)
            }
            return String(decoding: data, as: UTF8.self)
        }

        /// Saves the token of a user who signs in.
        func save(_ token: String) throws {
            Self.lock.lock()
            defer { Self.lock.unlock() }
            let value: [CFString: Any] = [
                kSecValueData: Data(token.utf8),
                // Calls in the background read the token while the device is
                // locked. It stays on this device.
                kSecAttrAccessible:
                    kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(
                item as CFDictionary, value as CFDictionary)
            if status == errSecItemNotFound {
                let new = item.merging(value) { $1 }
                status = SecItemAdd(new as CFDictionary, nil)
            }
            guard status == errSecSuccess else {
                throw KeychainError(status: status)
            }
        }

        /// Saves the token of a refresh, unless the user has signed out
        /// meanwhile, or somebody else in.
        func save(_ token: String, replacing old: String?) throws -> Bool {
            Self.lock.lock()
            defer { Self.lock.unlock() }
            guard try self.token() == old else { return false }
            try save(token)
            return true
        }

        /// Signs the user out.
        func removeToken() throws {
            Self.lock.lock()
            defer { Self.lock.unlock() }
            let status = SecItemDelete(item as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw KeychainError(status: status)
            }
        }
    }

    nonisolated struct KeychainError: LocalizedError {
        let status: OSStatus

        var errorDescription: String? {
            if status == errSecMissingEntitlement {
                return "this program is not signed for the Keychain; "
                    + "use FileCredentialStore in tools and tests"
            }
            let message = SecCopyErrorMessageString(status, nil) as String?
            return "the Keychain refused: \(message ?? "error \(status)")"
        }
    }
#endif
