import Fingerpost
import FingerpostFiles
import FingerpostMockFiles

extension FoundMock {
    /// The mock's answers that are responses. All other answers simulate transport failures and have no body, except
    /// that a part of a stream may arrive.
    var arrivingAnswers: [WrittenAnswer] {
        answers.filter { $0.failure == nil || $0.failure == .truncated && ($0.pace != nil || $0.after != nil) }
    }
}

extension WrittenAnswer {
    /// The answer's content type: the header `Content-Type` in the settings, else the media type of the body's file
    /// extension.
    var contentType: String? {
        headers.last { HTTPHeaders.Name(rawValue: $0.name) == .contentType }?.value
            ?? body.flatMap { MediaType(fileName: $0)?.rawValue }
    }

    var isSuccess: Bool { status?.isSuccessStatus == true }
    var isFailure: Bool { status.map { (400..<600).contains($0) } == true }
}
