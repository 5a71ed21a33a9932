import CallSupport

@Suite(.inTurn) struct ClientCodersTests {
    @Test func `Coders that one client changes are not those of another`() {
        let (changed, other) = (APIClient.Configuration(), APIClient.Configuration())
        changed.decoder.keyDecodingStrategy = .convertFromSnakeCase
        changed.encoder.keyEncodingStrategy = .convertToSnakeCase
        for configuration in [other, APIClient.Configuration()] {
            if case .useDefaultKeys = configuration.decoder.keyDecodingStrategy {} else { Issue.record("decoder") }
            if case .useDefaultKeys = configuration.encoder.keyEncodingStrategy {} else { Issue.record("encoder") }
        }
        #expect(changed.decoder !== other.decoder && changed.encoder !== other.encoder)
    }
}
