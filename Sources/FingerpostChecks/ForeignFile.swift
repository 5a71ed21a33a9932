import FingerpostFiles

/// Finds files of other tools, which are not bodies that a server sends.
enum ForeignFile {
    /// Returns the kind of a JSON file, such as `a WireMock mapping`, or nil for any other JSON.
    static func kind(of root: Node) -> String? {
        let info = root["info"]
        let interactions = (root["http_interactions"] ?? root["interactions"])?.elements
        if info?["_postman_id"] != nil || info?["schema"]?.string?.contains(bytesOf: "getpostman.com") == true {
            return "a Postman collection"
        }
        if root["_postman_variable_scope"] != nil { return "a Postman environment" }
        if let version = root["openapi"] ?? root["swagger"], version.string != nil, info != nil || root["paths"] != nil
        {
            return "an OpenAPI document"
        }
        if root["consumer"] != nil, root["provider"] != nil, (interactions ?? root["messages"]?.elements) != nil {
            return "a Pact contract"
        }
        if root["http_interactions"] != nil || interactions?.first.map(isExchange) == true { return "a VCR cassette" }
        if isMapping(root) || root["mappings"]?.elements?.first.map(isMapping) == true { return "a WireMock mapping" }
        if root["log"]?["entries"]?.elements != nil { return "a HAR archive" }
        return root["__export_format"] != nil ? "an Insomnia export" : nil
    }

    /// Returns the kind of a YAML file, based on the keys at the start of its lines.
    static func kind(ofYAML text: String) -> String? {
        let keys = Set(text.words(between: "\r\n").map { $0.prefix(before: ":") })
        if keys.contains("http_interactions") || keys.contains("interactions") { return "a VCR cassette" }
        return keys.contains("openapi") || keys.contains("swagger") ? "an OpenAPI document" : nil
    }

    private static func isExchange(_ node: Node) -> Bool {
        node["request"]?.entries != nil && node["response"]?.entries != nil
    }

    private static func isMapping(_ node: Node) -> Bool {
        let matched = ["method", "url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate"]
        return isExchange(node) && matched.contains { node["request"]?[$0] != nil }
    }
}
