public import Fingerpost
import FingerpostStreams
public import Foundation

/// What the app does with the service: two servers, and a client for each.
public struct Office: Sendable {
    public let api: APIClient
    public let login: APIClient
    private let session: Session

    public init() throws {
        let login = try APIClient {
            $0.baseURLKey = "loginURL"
            $0.decoder.keyDecodingStrategy = .convertFromSnakeCase
            $0.errorResponse = LoginProblem.self
        }
        let session = Session(login)
        api = try APIClient {
            $0.errorResponse = GraphProblem.self
            $0.authorization = .refreshing(session.store) { _ in try await session.renew() }
        }
        (self.login, self.session) = (login, session)
    }

    public func signIn(_ user: String, _ password: String) async throws {
        try await session.signIn(user, password)
    }

    public func me() async throws -> User { try await api.send(Graph.me) }

    public func events() async throws -> [Event] {
        var events: [Event] = []
        for try await page in api.pages(Graph.events(top: 2), as: Page<Event>.self, by: .url { $0.nextLink }) {
            events += page.value.value
        }
        return events
    }

    /// The events that have changed, and where to ask for the next changes.
    public func changes(since link: URL? = nil) async throws -> (events: [Event], link: URL?) {
        let route = link.map(Graph.changesSince) ?? .changes
        var events: [Event] = []
        var next: String?
        for try await page in api.pages(route, as: Page<Event>.self, by: .url { $0.nextLink }) {
            events += page.value.value
            next = page.value.deltaLink
        }
        return (events, next.flatMap { URL(string: $0) })
    }

    public func text(ofMessage id: String) async throws -> String {
        try await api.send(Graph.messageText(id: id), as: String.self)
    }

    /// Sends a file in parts of 4 bytes.
    ///
    /// - Returns: the identifier of the file.
    public func upload(_ data: Data, as name: String) async throws -> String? {
        let session: UploadSession = try await api.send(Graph.createUpload(name: name))
        for start in stride(from: 0, to: data.count, by: 4) {
            let end = min(start + 4, data.count)
            let step: UploadStep = try await api.send(
                Graph.chunk(
                    session.uploadUrl, Data(data[start..<end]), range: "bytes \(start)-\(end - 1)/\(data.count)"))
            if let id = step.id { return id }
        }
        return nil
    }

    /// Copies a file, which the server does later.
    ///
    /// - Returns: the identifier of the copy.
    public func copy(_ id: String) async throws -> String? {
        let accepted = try await api.response(for: Graph.copy(id: id), as: NoContent.self)
        guard let monitor = accepted.headers[.location].flatMap({ URL(string: $0) }) else { return nil }
        while true {
            let status: CopyStatus = try await api.send(Graph.copyStatus(monitor))
            if status.status == "completed" { return status.resourceId }
            try await APIScope.clock.sleep(for: .seconds(1))
        }
    }
}

/// The tokens of the user who has signed in.
actor Session {
    let store = InMemoryCredentialStore()
    private let login: APIClient
    private var refreshToken = ""

    init(_ login: APIClient) {
        self.login = login
    }

    func signIn(_ user: String, _ password: String) async throws {
        let token: Token = try await login.send(Login.signIn(user: user, password: password))
        refreshToken = token.refreshToken
        store.save(token.accessToken, account: user)
    }

    func renew() async throws -> String {
        let token: Token = try await login.send(Login.renew(refreshToken))
        refreshToken = token.refreshToken
        return token.accessToken
    }
}
