import Fingerpost
import FingerpostFiles

/// One body that a mock can answer with.
struct MockAnswer: Hashable, Sendable {
    /// Its path below the folder; nil for no body.
    let file: String?
    let status: Int
    let contentType: String?

    /// Every answer of a mock, those of a sequence one by one; what fails answers nothing.
    static func all(of mock: Mock) -> [MockAnswer] {
        guard let settings = mock.settings else { return [MockAnswer(mock, nil, nil)] }
        guard !settings.sequence.isEmpty else {
            return settings.answer.failure == nil ? [MockAnswer(mock, settings.answer, nil)] : []
        }
        return settings.sequence.filter { $0.failure == nil }.map { MockAnswer(mock, settings.answer, $0) }
    }

    private init(_ mock: Mock, _ common: MockAnswerSettings?, _ own: MockAnswerSettings?) {
        file = own?.body ?? common?.body ?? mock.file
        status = own?.status ?? common?.status ?? mock.status
        let type = HTTPHeaders.Name.contentType
        let headers = (own?.headers ?? []) + (common?.headers ?? [])
        contentType =
            headers.first { HTTPHeaders.Name(rawValue: $0.name) == type }?.value
            ?? file.flatMap { $0.split(separator: ".").last }.flatMap { MediaType(fileExtension: String($0))?.rawValue }
    }

    var isSuccess: Bool { (200..<300).contains(status) }
    var isFailure: Bool { (400..<600).contains(status) }
}
