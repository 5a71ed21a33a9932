import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

extension Recording {
    /// Returns a redactor for the environment's secrets, the call's credentials, the response's cookies, and the
    /// secrets that the server issued. A short issued secret can be an ordinary word, so it is redacted only under its
    /// name.
    static func redactor(
        _ answer: Answer, _ environment: Environment?, _ issued: BodyCredentials
    ) -> SecretRedactor {
        SecretRedactor(
            environment,
            credentials: Credentials.of(answer.request) + answer.secrets.credentials
                + Credentials.of(answer.response.headers)
                + issued.found)
    }
}
