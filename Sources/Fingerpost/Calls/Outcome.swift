import Foundation

/// What sending a request led to, after redirects: a response, or an error.
struct Outcome: Sendable {
    let result: Result<Response<Data>, any Error>
    /// True for a response with a status in 200…299. Stored, because asking the result would copy the response.
    let isSuccess: Bool

    init(_ response: consuming Response<Data>) {
        isSuccess = response.isSuccess
        result = .success(consume response)
    }

    init(_ error: any Error) {
        isSuccess = false
        result = .failure(error)
    }
}
