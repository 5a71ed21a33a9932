import Fingerpost
import FingerpostFiles
import FingerpostMocks

/// The case or type that a recorded route was created from, as `by` in the settings of a mock names it:
/// `App.Issues/list` if the case gave the mock its name, `App.Issues.list` if the route names its mock.
struct MockOrigin: Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// - Returns: nil for a route that was not created from a router, and for a case whose name cannot be read.
    init?(_ route: Route) {
        guard let router = route.origin, let names = RouteName.mockNames(of: router) else { return nil }
        let name = RouterName(type(of: router)).qualifiedName
        guard names.count > 1, let last = names.last else {
            text = name
            return
        }
        text = name + (route.mock == nil ? "/" : ".") + last.rawValue
    }

    /// The mock's name in the folder of its router, such as `Issues/list`; nil if the route names its mock.
    var mockName: String? {
        var (depth, last) = (0, Character(" "))
        // The parameters of a generic type are not part of the name. They may contain the arrow of a function type.
        let plain = text.filter { character in
            if character == "<" { depth += 1 }
            defer {
                if character == ">", last != "-" { depth -= 1 }
                last = character
            }
            return depth == 0
        }
        guard let (router, name) = plain.cut(at: "/"), let folder = router.parts(between: ".").last else { return nil }
        return "\(folder)/\(name)"
    }

    /// True for the same case or type, even if the route names its mock by now.
    func isSame(as other: MockOrigin) -> Bool {
        let texts = [text, other.text].map { $0.utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: ".") : $0 } }
        return texts[0] == texts[1]
    }

    /// True if the case is gone: its router has another name now, or the case has moved to another router, so that the
    /// samples of its own lack it.
    ///
    /// - Parameter other: another case. If its router cannot be found by its name either, as a private one cannot,
    ///   nothing is known.
    func isGone(besides other: MockOrigin) -> Bool {
        guard let (router, name) = text.cut(at: "/"), let (known, _) = other.text.cut(at: "/"),
            Self.find(known) != nil, !router.utf8.contains(UInt8(ascii: "<"))
        else { return false }
        // Of another module, nobody knows whether these tests contain it.
        guard let type = Self.find(router) else {
            return router.prefix(before: ".").isSame(as: known.prefix(before: "."))
        }
        guard let sampled = type as? any SampledRoutes.Type else { return false }
        return !sampled.anySamples.contains { RouteName.mockNames(of: $0)?.last?.rawValue.isSame(as: name) == true }
    }

    /// The type with a name such as `App.Shop.Items`; nil if there is none, and for a private or a generic type.
    ///
    /// The settings of a mock have only the name of the router that recorded it. Samples belong to a type, so without
    /// this lookup nobody can tell a router that was renamed from one that exists and has no samples, nor ask the
    /// samples of a router that this process has not used.
    private static func find(_ name: Substring) -> Any.Type? {
        let names = name.parts(between: ".").map { "\($0.utf8.count)\($0)" }
        // The runtime knows types by their mangled names, which say of each type whether it is an enum, a struct or a
        // class.
        let mangled = names.dropFirst().reduce(names.prefix(1).map(\.self)) { outer, name in
            outer.flatMap { outer in ["O", "V", "C"].map { outer + name + $0 } }
        }
        return names.count < 2 ? nil : mangled.lazy.compactMap { _typeByName($0) }.first
    }
}
