// Decodes XML with Foundation alone. Copy this file into your app; a type reads its values from a tree of elements:
//
//     struct Feed: XMLReadable {
//         let titles: [String]
//
//         init(xml: XMLTree) throws {
//             titles = xml.children.filter { $0.name == "entry" }.compactMap { $0["title"]?.text }
//         }
//     }
import Fingerpost
import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An element with its text and its children.
nonisolated struct XMLTree: Sendable {
    var name = ""
    var attributes: [String: String] = [:]
    var text = ""
    var children: [XMLTree] = []

    subscript(name: String) -> XMLTree? {
        children.first { $0.name == name }
    }
}

/// A type that is initialized from XML.
nonisolated protocol XMLReadable: Decodable, Sendable {
    init(xml: XMLTree) throws
}

struct XMLBodyDecoder: BodyDecoder {
    struct Unreadable: Error {
        var reason: String
    }

    func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data
    ) throws -> Value {
        guard let readable = type as? any XMLReadable.Type else {
            throw Unreadable(reason: "\(type) is not XMLReadable")
        }
        let tree = try XMLTreeBuilder.tree(of: data)
        guard let value = try readable.init(xml: tree) as? Value else {
            throw Unreadable(reason: "the root element is not a \(type)")
        }
        return value
    }
}

nonisolated final class XMLTreeBuilder: NSObject, XMLParserDelegate {
    /// The open elements, after a root for the document.
    private var open = [XMLTree()]

    static func tree(of data: Data) throws -> XMLTree {
        let builder = XMLTreeBuilder()
        let parser = XMLParser(data: data)
        parser.delegate = builder
        guard parser.parse(),
            let root = builder.open[0].children.first
        else {
            throw XMLBodyDecoder.Unreadable(
                reason: "invalid XML at line \(parser.lineNumber)")
        }
        return root
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String,
        namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append(XMLTree(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        open[open.count - 1].text += text
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String,
        namespaceURI: String?, qualifiedName: String?
    ) {
        let element = open.removeLast()
        open[open.count - 1].children.append(element)
    }
}
