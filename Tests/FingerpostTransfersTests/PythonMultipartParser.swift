import CallSupport
import Foundation
import TestSupport

// iOS cannot run other programs.
#if os(macOS) || os(Linux)
    /// Parses a `multipart/form-data` body with Python's `email` module, an independent implementation.
    enum PythonMultipartParser {
        /// False if `python3` is missing or does not run.
        static let isThere: Bool = {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", "import email, json"]
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }()

        private struct Part: Decodable {
            var headers: [String: String]
            var name: String?
            var fileName: String?
            var body: Data
        }

        // Reads the body as Latin-1, which maps every byte to a character and back; the module's bytes parser replaces
        // UTF-8 in headers.
        private static let script = """
            import base64, email, json, sys
            raw = lambda text: None if text is None else text.encode("latin-1").decode("utf-8")
            head = "MIME-Version: 1.0\\r\\nContent-Type: " + sys.argv[2] + "\\r\\n\\r\\n"
            message = email.message_from_string(head + open(sys.argv[1], "rb").read().decode("latin-1"))
            assert message.is_multipart() and not message.defects, message.defects
            parts = []
            for part in message.get_payload():
                assert not part.defects, part.defects
                assert part.get_content_disposition() == "form-data"
                parts.append({
                    "headers": {name.lower(): raw(value) for name, value in part.items()},
                    "name": raw(part.get_param("name", header="content-disposition")),
                    "fileName": raw(part.get_param("filename", header="content-disposition")),
                    "body": base64.b64encode(part.get_payload().encode("latin-1")).decode("ascii"),
                })
            print(json.dumps(parts))
            """

        static func parts(of body: Data, contentType: String?) async throws -> [MultipartParser.Part] {
            let folder = try TemporaryFolder()
            try folder.write(body, to: "body")
            let output = folder["parts.json"]
            try folder.write(Data(), to: "parts.json")
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", script, folder["body"].path, contentType ?? ""]
            process.standardOutput = try FileHandle(forWritingTo: output)
            let status = try await withCheckedThrowingContinuation { continuation in
                process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
                do { try process.run() } catch {
                    process.terminationHandler = nil
                    continuation.resume(throwing: error)
                }
            }
            guard status == 0 else { throw MultipartParser.Malformed(description: "python3 ended with \(status)") }
            return try JSONDecoder().decode([Part].self, from: Data(contentsOf: output)).map {
                MultipartParser.Part(headers: $0.headers, name: $0.name, fileName: $0.fileName, body: $0.body)
            }
        }
    }
#endif
