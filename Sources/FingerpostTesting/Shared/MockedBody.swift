import Fingerpost
import FingerpostFiles

/// One body that a mock can answer with.
struct MockedBody: Hashable, Sendable {
    private let name: ByteName?
    let status: Int
    let contentType: String?

    /// Every answer of a mock, those of a sequence one by one; what fails answers nothing.
    static func all(of mock: Mock) -> [MockedBody] {
        guard let settings = mock.settings else { return [MockedBody(mock, nil)] }
        let answers = settings.sequence.isEmpty ? [settings.answer] : settings.sequence
        return answers.filter { $0.failure == nil }.map { MockedBody(mock, $0) }
    }

    private init(_ mock: Mock, _ answer: MockAnswerSettings?) {
        let file = answer?.body ?? mock.file
        name = file.map(ByteName.init)
        status = answer?.status ?? mock.status
        contentType =
            answer?.headers.last { HTTPHeaders.Name(rawValue: $0.name) == .contentType }?.value
            ?? file.flatMap { $0.split(separator: ".").last }.flatMap { MediaType(fileExtension: String($0))?.rawValue }
    }

    /// Its path below the folder; nil for no body.
    var file: String? { name?.text }

    var isSuccess: Bool { (200..<300).contains(status) }
    var isFailure: Bool { (400..<600).contains(status) }
}
