package import FingerpostFiles

extension KeyType {
    /// The type's name in Swift; nil if an accessor cannot return the type.
    var swiftName: String? {
        switch self {
        case .boolean: "Bool"
        case .integer: "Int"
        case .longInteger: "Int64"
        case .real: "Double"
        case .text: "String"
        case .url: "URL"
        case .date: "Date"
        case .data: "Data"
        case .list(let element): element.map { $0.swiftName.map { "[\($0)]" } } ?? "[String]"
        case .dictionary, .mixed: nil
        }
    }

    /// The type's name as shown in tables.
    package var shown: String {
        switch self {
        case .list(let element?): element == .mixed ? "list" : "[\(element.shown)]"
        case .list(nil): "list"
        case .dictionary: "dictionary"
        case .mixed: "mixed"
        default: swiftName ?? ""
        }
    }
}
