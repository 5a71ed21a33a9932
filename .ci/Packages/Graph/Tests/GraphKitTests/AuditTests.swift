import FingerpostTesting
import Foundation
import GraphKit
import Testing

extension Graph: SampledRoutes {
    public static var samples: [Graph] {
        let url = URL(string: "https://graph.invalid/once/1")!
        return [
            .me, .events(top: 2), .changes, .changesSince(url), .messageText(id: "m/1"),
            .createUpload(name: "film.bin"),
            .chunk(url, Data("film".utf8), range: "bytes 0-3/4"), .copy(id: "f1"), .copyStatus(url),
        ]
    }
}

extension Login: SampledRoutes {
    public static var samples: [Login] { [.signIn(user: "ada", password: "right"), .renew("token")] }
}

@Suite(.mocks) struct AuditTests {
    @Test func audit() throws {
        let office = try Office()
        try MockAudit.run([.init(Graph.self, client: office.api), .init(Login.self, client: office.login)])
    }
}
