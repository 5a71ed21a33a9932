import TestSupport

/// Tests that download to one file.
protocol DownloadSuite {
    /// A folder that may already contain the file.
    var folder: TemporaryFolder { get }
}

extension DownloadSuite {
    var file: URL { folder["file.txt"] }
    var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }
}
