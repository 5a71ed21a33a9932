import FingerpostFiles
import Foundation

extension Document {
    /// Reads JSON text.
    ///
    /// - Parameter quotesText: false for a text that contains secrets. The error must not quote such a text.
    /// - Throws: an error with a path, line and column when the text is not valid JSON.
    convenience init(
        json data: Data, path: String, keepsEveryDigit: Bool = true, quotesText: Bool = true
    ) throws(FileProblem) {
        do throws(FileProblem) {
            let root = try JSONReader.read(
                data, keepsEveryDigit: keepsEveryDigit, quotesText: quotesText, suggestsFixes: true)
            self.init(path: path, root: root, text: [UInt8](data))
        } catch {
            throw error.located(in: path)
        }
    }

    /// Reads an XML property list. On Apple platforms, Foundation reads binary property lists, whose values have no
    /// offsets.
    ///
    /// - Parameter quotesText: false for a text that contains secrets. The error must not quote such a text.
    /// - Throws: an error when the file is not a property list, or when it contains a value that ``Node`` cannot
    ///   represent. The error includes the line, if known.
    convenience init(propertyList data: Data, path: String, quotesText: Bool = true) throws(FileProblem) {
        let text = [UInt8](data)
        do throws(FileProblem) {
            if text.isEmpty { throw FoundationReader.emptyPropertyList }
            if let root = try PropertyListXML.read(text) {
                self.init(path: path, root: root, text: text)
            } else if text.begins(with: "bplist") {
                self.init(path: path, root: try FoundationReader.propertyList(data, quotesText: quotesText))
            } else {
                // Foundation describes the error. If Foundation finds no error, the file may contain a duplicate key,
                // of which Foundation keeps only one value.
                _ = try FoundationReader.propertyList(data, quotesText: quotesText)
                throw FileProblem(
                    "the property list is written in an unusual way", fix: "write it again with plutil -convert xml1")
            }
        } catch {
            var problem = error.located(in: path)
            problem.details.fix = error.fix ?? text.withUnsafeBufferPointer { FileProblem.fix(for: $0, at: nil) }
            throw problem
        }
    }
}
