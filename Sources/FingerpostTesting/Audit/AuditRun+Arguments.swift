import Fingerpost
import Foundation

extension AuditRun {
    /// Finds routers whose requests omit some arguments of their enum cases. The most frequent cause is a property with
    /// another name than the protocol's requirement, such as `httpMethod`. The compiler then uses the requirement's
    /// default implementation without a warning.
    mutating func lookForUnsentArguments(_ samples: [Route]) {
        let routers = Dictionary(grouping: samples.filter { $0.origin is any Routable }) { route in
            route.origin.map { RouterName(type(of: $0)) }
        }
        for (router, routes) in routers {
            guard let router, routes.allSatisfy(\.isPathAlone) else { continue }
            let names = Set(routes.filter(\.hasUnsentArgument).map(\.name)).sorted()
            guard !names.isEmpty else { continue }
            add(
                .unsentArguments, nil,
                "the requests of \(router.name) are all GET without query, parameters, headers and body, and the paths "
                    + "lack arguments of \(names.joined(separator: ", "))",
                fix: "give the router's properties the names and types of Routable, such as var method: HTTPMethod and "
                    + "var parameters: Parameters?, or silence the warning with options: .init(skipping: "
                    + "[.unsentArguments])", as: .warning)
        }
    }
}

extension Route {
    /// True if a route sends nothing but its path.
    fileprivate var isPathAlone: Bool {
        method == .get && query.isEmpty && parameters?.isEmpty ?? true && headers.isEmpty && body == nil
            && configure == nil
    }

    /// True if the path lacks a string or an integer among the enum case's arguments. Arguments of other types are not
    /// checked, because they often select the path.
    fileprivate var hasUnsentArgument: Bool {
        guard let origin else { return false }
        let path = path.description.removingPercentEncoding ?? path.description
        return Mirror(reflecting: origin).children.flatMap { Self.texts(in: $0.value) }.contains { !path.contains($0) }
    }

    private static func texts(in value: Any) -> [String] {
        if let text = value as? String { return text.isEmpty ? [] : [text] }
        if let number = value as? any BinaryInteger { return ["\(number)"] }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .tuple, .optional, .collection: return mirror.children.flatMap { texts(in: $0.value) }
        default: return []
        }
    }
}
