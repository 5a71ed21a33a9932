import Fingerpost
public import Foundation

/// The endpoints of the service.
public enum Graph: Routable {
    case me
    case events(top: Int)
    /// The first page of the calendar's changes, and a link of the server to what has changed since.
    case changes
    case changesSince(URL)
    case messageText(id: String)
    case createUpload(name: String)
    /// A part of a file, to the address of an upload session, which is used once.
    case chunk(URL, Data, range: String)
    case copy(id: String)
    /// The state of a copy, at an address that the server names.
    case copyStatus(URL)

    public var method: HTTPMethod {
        switch self {
        case .createUpload, .copy: .post
        case .chunk: .put
        default: .get
        }
    }

    public var path: RoutePath {
        switch self {
        case .me: "me"
        case .events: "me/events"
        case .changes: "me/calendarView/delta"
        case .messageText(let id): "me/messages/\(id)/$value"
        case .createUpload(let name): "me/drive/root:/\(name):/createUploadSession"
        case .copy(let id): "me/drive/items/\(id)/copy"
        case .changesSince(let url), .chunk(let url, _, _), .copyStatus(let url): RoutePath(url)
        }
    }

    public var query: Parameters {
        switch self {
        case .events(let top): ["$top": top, "$orderby": "start/dateTime"]
        default: [:]
        }
    }

    public var headers: HTTPHeaders {
        if case .chunk(_, _, let range) = self { ["Content-Range": range] } else { [:] }
    }

    public var body: RequestBody? {
        if case .chunk(_, let data, _) = self { .data(data) } else { nil }
    }

    /// The addresses of sessions and monitors are credentials themselves.
    public var authorization: AuthorizationPolicy {
        switch self {
        case .chunk, .copyStatus: .none
        default: .optional
        }
    }

    public var responseType: (any (Decodable & Sendable).Type)? {
        switch self {
        case .me: User.self
        case .events, .changes, .changesSince: Page<Event>.self
        case .messageText: String.self
        case .createUpload: UploadSession.self
        case .chunk: UploadStep.self
        case .copy: NoContent.self
        case .copyStatus: CopyStatus.self
        }
    }
}

/// The endpoints of the server that issues tokens.
public enum Login: Routable {
    case signIn(user: String, password: String)
    case renew(String)

    public var method: HTTPMethod { .post }
    public var path: RoutePath { "token" }
    public var encoding: ParameterEncoding? { .form }

    public var parameters: Parameters? {
        switch self {
        case .signIn(let user, let password): ["grant_type": "password", "username": user, "password": password]
        case .renew(let token): ["grant_type": "refresh_token", "refresh_token": token]
        }
    }

    public var responseType: (any (Decodable & Sendable).Type)? { Token.self }
}
