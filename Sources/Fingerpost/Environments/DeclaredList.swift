import FingerpostFiles
import Foundation

/// A list in the type that its elements have in common, so that reading it is copying a reference.
///
/// Whole numbers are real ones too, and URLs texts: such lists are made anew when they are asked for in that type, as lists of dates
/// and data are.
enum DeclaredList: Sendable {
    case urls([URL])
    case texts([String])
    case integers([Int])
    case reals([Double])
    case flags([Bool])

    /// nil when the elements have none of these types in common.
    init?(_ elements: [Node.Value]) {
        if let list = elements.all(\.url), !list.isEmpty {
            self = .urls(list)
        } else if let list = elements.all(\.text) {
            self = .texts(list)
        } else if let list = elements.all(\.integer) {
            self = .integers(list)
        } else if let list = elements.all(\.real) {
            self = .reals(list)
        } else if let list = elements.all(\.flag) {
            self = .flags(list)
        } else {
            return nil
        }
    }
}

extension [Node.Value] {
    /// The elements as another type, nil when one of them is not of it.
    func all<Value>(_ read: (Node.Value) -> Value?) -> [Value]? {
        let values = compactMap(read)
        return values.count == count ? values : nil
    }
}

extension Node.Value {
    var flag: Bool? {
        if case .boolean(let flag) = self { flag } else { nil }
    }

    var integer: Int? {
        if case .integer(let number) = self { number } else { nil }
    }

    var real: Double? {
        switch self {
        case .real(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var url: URL? {
        if case .string(let text) = self { URLText.url(text) } else { nil }
    }

    var date: Date? {
        switch self {
        case .date(let date): date
        case .string(let text): ISO8601Text.date(text)
        default: nil
        }
    }

    var data: Data? {
        switch self {
        case .data(let data): data
        case .string(let text): Data(base64Encoded: text)
        default: nil
        }
    }
}
