/// Finds JSON values that are credentials, by the name and the kind of each value.
extension Node.Entry {
    /// True if the value is a credential. Null, Booleans, counts of tokens and error codes are not credentials.
    package var isCredential: Bool {
        switch node.value {
        case .null, .boolean: return false
        case .array(let elements) where elements.isEmpty: return false
        case .dictionary(let entries) where entries.isEmpty: return false
        case .integer where SensitiveName.countsTokens(key), .real where SensitiveName.countsTokens(key): return false
        default: break
        }
        let text = node.value.scalarText
        if SensitiveName.countsTokens(key) { return text?.utf8.allSatisfy(\.isASCIIDigit) != true }
        if SensitiveName.isPassword(key) { return text?.isEmpty != true }
        guard SensitiveName.isSensitive(key) else { return false }
        let isAmbiguous = SensitiveName.isAmbiguous(key)
        guard let bytes = text?.utf8 else { return !isAmbiguous }
        let (isLong, hasDigit) = (bytes.count >= 16, bytes.contains(where: \.isASCIIDigit))
        return !bytes.contains(0x20) && (isAmbiguous ? isLong && hasDigit : isLong || hasDigit)
    }
}

extension Node {
    /// The value beside the name of a credential, as in `{"type": "password", "value": "…"}`; nil if there is no such
    /// value.
    package var namedCredential: Node? {
        guard let value = self["value"] else { return nil }
        let name = ["type", "name", "key"].lazy.compactMap { self[$0]?.string }.first
        return name.map(SensitiveName.isPassword) == true ? value : nil
    }
}
