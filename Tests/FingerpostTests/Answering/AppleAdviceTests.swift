import Foundation
import Testing

@testable import Fingerpost

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Errors that occur on Apple platforms only, and the fixes that they name.
@Suite struct AppleAdviceTests {
    @Test func `A release build that Xcode made of another configuration is explained`() throws {
        let error = APIError(mocksInReleaseOf: try Environment("Demo", values: [:]))
        #expect(error.kind == .mock)
        #expect(error.fix?.contains("\"$network\": \"sealed\" in the environment \"Demo\"") == true)
        #expect(error.fix?.contains("unless the name of the configuration starts with Debug") == true)
    }

    @Test func `App Transport Security is named`() {
        let error = APIError(transport: URLError(.appTransportSecurityRequiresSecureConnection))
        #expect(error.kind == .transport)
        #expect(error.message.contains("App Transport Security"))
        #expect(error.fix?.contains("NSAllowsLocalNetworking") == true)
        #expect(error.fix?.contains("NSExceptionDomains") == true)
    }

    private final class OwnStream: InputStream {
        init() { super.init(data: Data()) }
    }

    @Test func `A stream of an own class is refused, and Foundation's are not`() throws {
        let refused = try #require(BodyStream.refusal(of: OwnStream.self, "the body's stream"))
        #expect(refused.kind == .encoding)
        #expect(refused.message.contains("is a OwnStream, a subclass of InputStream"))
        #expect(refused.fix?.contains("InputStream(url:)") == true)
        let file = InputStream(url: URL(fileURLWithPath: #filePath))
        for stream in [InputStream(data: Data()), file].compactMap({ $0 }) {
            #expect(BodyStream.refusal(of: type(of: stream), "the body's stream") == nil)
        }
    }
}
