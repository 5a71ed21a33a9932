@testable import FingerpostTesting

/// Tracing finds exactly the keys that models read and does not change how they decode.
@Suite(.inTurn) struct ModelKeysTests {
    /// A model, a body, and the keys that the model reads from it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        var unread: [String] = []
        /// The keys that the model requests: `!` marks keys that the body does not contain.
        var fields: [String] = []
        let read: @Sendable (Data, JSONDecoder) throws -> ModelKeys
        var configure: @Sendable (JSONDecoder) -> Void = { _ in }

        init<Model: Decodable & Equatable & Sendable>(
            _ name: String, _ type: Model.Type, _ body: String, unread: [String] = [], fields: [String] = [],
            configure: @escaping @Sendable (JSONDecoder) -> Void = { _ in }
        ) {
            testDescription = name
            self.body = body
            self.unread = unread
            self.fields = fields
            self.configure = configure
            read = { data, decoder in
                let trace = DecodingTrace()
                let traced = try DecodingTrace.$current.withValue(trace) {
                    try decoder.decode(Traced<Model>.self, from: data).value
                }
                #expect(try decoder.decode(Model.self, from: data) == traced)
                return ModelKeys(trace)
            }
        }
    }

    struct User: Decodable, Equatable, Sendable {
        var id: Int
        var name: String?
        var home: URL?
    }

    struct Page<Item: Decodable & Equatable & Sendable>: Decodable, Equatable {
        var items: [Item]
        var next: String?
    }

    enum Payment: Decodable, Equatable, Sendable {
        case card(number: String, holder: String?)
        case cash
    }

    enum Either: Decodable, Equatable, Sendable {
        struct A: Decodable, Equatable {
            var a: Int
            var onlyA: Int
        }
        struct B: Decodable, Equatable {
            var a: Int
            var b: Int
        }
        case a(A)
        case b(B)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let a = try? container.decode(A.self) { self = .a(a) } else { self = .b(try container.decode(B.self)) }
        }
    }

    struct Flat: Decodable, Equatable, Sendable {
        var id: Int
        var street: String
        var tags: [Int]

        private enum Key: String, CodingKey { case id, address, tags }
        private enum AddressKey: String, CodingKey { case street }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            id = try container.decode(Int.self, forKey: .id)
            street = try container.nestedContainer(keyedBy: AddressKey.self, forKey: .address)
                .decode(String.self, forKey: .street)
            var list = try container.nestedUnkeyedContainer(forKey: .tags)
            tags = []
            while !list.isAtEnd {
                let tag = try list.nestedContainer(keyedBy: Key.self)
                tags.append(try tag.decode(Int.self, forKey: .id))
            }
        }
    }

    // Safe to share: both classes are immutable.
    class Base: Decodable, @unchecked Sendable {
        let id: Int

        private enum Key: String, CodingKey { case id }

        required init(from decoder: any Decoder) throws {
            id = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .id)
        }
    }

    final class Derived: Base, Equatable, @unchecked Sendable {
        let name: String

        private enum Key: String, CodingKey { case name }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            name = try container.decode(String.self, forKey: .name)
            try super.init(from: container.superDecoder())
        }

        static func == (a: Derived, b: Derived) -> Bool { a.id == b.id && a.name == b.name }
    }

    struct Anything: Decodable, Equatable, Sendable {
        var keys: [String]

        init(from decoder: any Decoder) throws {
            keys = try decoder.container(keyedBy: AnyCodingKey.self).allKeys.map(\.stringValue).sorted()
        }
    }

    struct Checked: Decodable, Equatable, Sendable {
        var count: Int

        private enum Key: String, CodingKey { case count }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            count = container.contains(.count) ? try container.decode(Int.self, forKey: .count) : 0
        }
    }

    struct Special: Decodable, Equatable, Sendable {
        var date: Date
        var data: Data
        var url: URL
        var price: Decimal
        var dates: [Date]
        var days: [String: Date]
        var level: Level
        var big: UInt64
        var rate: Float
        var maybe: Date?

        enum Level: Int, Decodable { case low, high }
    }

    struct Snake: Decodable, Equatable, Sendable {
        var firstName: String
        var byUserId: [String: Inner]

        struct Inner: Decodable, Equatable {
            var lastName: String
        }
    }

    static let cases: [Case] = [
        Case(
            "a struct", User.self, #"{"id": 1, "name": null, "etag": 2}"#, unread: ["etag"],
            fields: ["home!", "id", "name"]),
        Case(
            "a generic page", Page<User>.self,
            #"{"items": [{"id": 1}, {"id": 2, "x": 1, "home": "https://e.org"}], "n": 1}"#,
            unread: ["items[1].x", "n"], fields: ["home", "id", "items", "name!", "next!"]),
        Case("a list", [User].self, #"[{"id": 1, "q": 2}]"#, unread: ["[0].q"], fields: ["home!", "id", "name!"]),
        Case("an optional", User?.self, "null"),
        Case("a scalar", Int.self, "7"),
        Case("a text", String.self, #""x""#),
        Case(
            "a dictionary", [String: User].self, #"{"a": {"id": 1}, "b": {"id": 2, "x": 3}}"#, unread: ["b.x"],
            fields: ["home!", "id", "name!"]),
        Case("a dictionary of dictionaries", [String: [String: Int]].self, #"{"a": {"b": 1}}"#),
        Case(
            "a dictionary of lists", [String: [User]].self, #"{"a": [{"id": 1, "x": 1}]}"#, unread: ["a[0].x"],
            fields: ["home!", "id", "name!"]),
        Case("a dictionary of numbers", [Int: String].self, #"{"1": "a"}"#),
        Case(
            "an enum with values", [Payment].self, #"[{"card": {"number": "4", "x": 1}}, {"cash": {}}]"#,
            unread: ["[0].card.x"], fields: ["card", "card.holder!", "card.number", "cash"]),
        Case(
            "the second of two attempts", Either.self, #"{"a": 1, "b": 2, "c": 3}"#, unread: ["c"], fields: ["a", "b"]),
        Case(
            "nested containers", Flat.self,
            #"{"id": 1, "address": {"street": "s", "zip": 1}, "tags": [{"id": 1}, {"id": 2, "t": 1}]}"#,
            unread: ["address.zip", "tags[1].t"], fields: ["address", "address.street", "id", "tags", "tags[*].id"]),
        Case(
            "a subclass", Derived.self, #"{"name": "n", "super": {"id": 1, "x": 2}}"#, unread: ["super.x"],
            fields: ["name", "super", "super.id"]),
        Case("any keys", Anything.self, #"{"a": 1, "b": 2}"#),
        Case("a key that is checked with contains(_:)", Checked.self, "{}", fields: ["count!"]),
        Case(
            "types that JSONDecoder treats specially", Special.self,
            #"{"date": 86400, "data": "AAEC", "url": "https://e.org", "price": 12.30, "dates": [1], "days": {"x": 2}, "level": 1, "big": 18446744073709551615, "rate": 1.5}"#,
            fields: ["big", "data", "date", "dates", "days", "level", "maybe!", "price", "rate", "url"],
            configure: { $0.dateDecodingStrategy = .secondsSince1970 }),
        Case(
            "snake case, which does not convert keys of dictionaries", Snake.self,
            #"{"first_name": "a", "by_user_id": {"first_one": {"last_name": "b", "zip_code": 1}}, "left_out": 1}"#,
            unread: ["byUserId.first_one.zipCode", "leftOut"], fields: ["byUserId", "firstName", "lastName"],
            configure: { $0.keyDecodingStrategy = .convertFromSnakeCase }),
    ]

    @Test(arguments: cases) func `A traced model decodes to the same value, and its keys are recorded`(_ test: Case)
        throws
    {
        let decoder = JSONDecoder()
        test.configure(decoder)
        let reading = try test.read(Data(test.body.utf8), decoder)
        let unread = reading.unread.map { $0.object.appending(.key($0.key)).description }
        let fields = reading.fields.map { field, isPresent in field.path.description + (isPresent ? "" : "!") }
        #expect((unread.sorted(), fields.sorted()) == (test.unread, test.fields))
    }

    @Test(arguments: ["{}", #"{"id": "x"}"#, #"{"id": null}"#, "[]", "7", #"{"id": 1, "home": 7}"#])
    func `A traced model fails with the same coding path`(_ body: String) throws {
        let decoder = JSONDecoder()
        let plain = #expect(throws: DecodingError.self) { try decoder.decode(User.self, from: Data(body.utf8)) }
        let traced = #expect(throws: DecodingError.self) {
            try DecodingTrace.$current.withValue(DecodingTrace()) {
                _ = try decoder.decode(Traced<User>.self, from: Data(body.utf8))
            }
        }
        #expect(plain?.path.map(\.stringValue) == traced?.path.map(\.stringValue))
    }
}
