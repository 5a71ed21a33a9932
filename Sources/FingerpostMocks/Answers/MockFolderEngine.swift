import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Answers from the responses set in code and from the files of a mocks folder. `Fingerpost` finds this class by its
/// name: do not rename it.
final class MockFolderEngine: MockEngine {
    private let configuration: ClientConfiguration
    private let indexes: MockIndexCache
    /// The choices for calls without a scope.
    private let overrides = MockOverrides(
        variants: ProcessVariants.current.variants, scenario: ProcessVariants.scenario)

    init(_ configuration: ClientConfiguration) {
        self.configuration = configuration
        indexes = MockIndexCache(configured: configuration.mocks)
    }

    func mocks(for call: CallContext, sealedBy sealing: Environment?) throws(APIError) -> any CallMocks {
        #if !DEBUG
            let isAsked = call.scope?.network == .sealed || sealing?.isSealedByNetwork == true
            if !isAsked, !Self.isTestOrPreview { throw APIError(mocksInReleaseOf: sealing).explained(by: sealing) }
        #endif
        return MockCall(in: call, sealedBy: sealing, indexes, overrides)
    }

    private static let isTestOrPreview = TestProcess.isCurrent || TestProcess.isPreview

    static func newSession() -> any ScopeSession { MockSession(MockOverrides()) }
}
