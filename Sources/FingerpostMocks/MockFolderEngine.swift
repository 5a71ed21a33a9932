import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Answers from the answers set in code and from the files of a mocks folder. `Fingerpost` finds this class by its name:
/// do not rename it.
final class MockFolderEngine: MockEngine {
    private let folders: MockFolderCache
    /// The state of the mocks for calls without a scope.
    private let playback = MockPlayback(variants: ProcessVariants.current.variants)

    init(folder: URL?) {
        folders = MockFolderCache(configured: folder)
    }

    func mocks(for call: CallContext, sealedBy sealing: Environment?) -> any CallMocks {
        MockTransport(in: call, sealedBy: sealing, folders, playback)
    }

    static func mocks(in folder: URL) -> (names: [String], contains: (String) -> Bool)? {
        // A folder that cannot be read is reported by the calls that need it.
        guard let folder = try? OpenedMockFolders.folder(at: folder) else { return nil }
        return (folder.mockNames, folder.contains)
    }
}
