/// The answer of ``GitHub/token(installation:)``.
struct Token: Decodable, Sendable {
    let token: String
}
