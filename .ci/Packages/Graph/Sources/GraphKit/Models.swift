public import Fingerpost
public import Foundation

public struct User: Decodable, Sendable {
    public var id: String
    public var displayName: String
}

public struct Event: Decodable, Sendable {
    public var id: String
    public var subject: String
}

public struct Page<Element: Decodable & Sendable>: Decodable, Sendable {
    public var value: [Element]
    public var nextLink: String?
    public var deltaLink: String?

    private enum CodingKeys: String, CodingKey {
        case value
        case nextLink = "@odata.nextLink"
        case deltaLink = "@odata.deltaLink"
    }
}

public struct UploadSession: Decodable, Sendable {
    public var uploadUrl: URL
}

/// The answer to a part: what is missing, or the file.
public struct UploadStep: Decodable, Sendable {
    public var nextExpectedRanges: [String]?
    public var id: String?
}

public struct CopyStatus: Decodable, Sendable {
    public var status: String
    public var resourceId: String?
}

public struct GraphProblem: ErrorResponse {
    public struct Details: Decodable, Sendable {
        public var code: String
        public var message: String
    }

    public var error: Details
    public var message: String { "\(error.code): \(error.message)" }
}

public struct Token: Decodable, Sendable {
    public var accessToken: String
    public var refreshToken: String
    public var expiresIn: Int
}

public struct LoginProblem: ErrorResponse {
    public var error: String
    public var errorDescription: String
    public var message: String { errorDescription }
}
