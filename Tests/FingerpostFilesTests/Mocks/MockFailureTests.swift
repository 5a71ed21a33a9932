@testable import FingerpostFiles
@testable import FingerpostMockFiles

@Suite(.inTurn) struct MockFailureTests {
    private static let codes: [(String, URLError.Code)] = [
        ("unknown", .unknown), ("cancelled", .cancelled), ("badURL", .badURL), ("timedOut", .timedOut),
        ("unsupportedURL", .unsupportedURL), ("cannotFindHost", .cannotFindHost),
        ("cannotConnectToHost", .cannotConnectToHost), ("networkConnectionLost", .networkConnectionLost),
        ("dnsLookupFailed", .dnsLookupFailed), ("httpTooManyRedirects", .httpTooManyRedirects),
        ("resourceUnavailable", .resourceUnavailable), ("notConnectedToInternet", .notConnectedToInternet),
        ("redirectToNonExistentLocation", .redirectToNonExistentLocation), ("badServerResponse", .badServerResponse),
        ("userCancelledAuthentication", .userCancelledAuthentication),
        ("userAuthenticationRequired", .userAuthenticationRequired), ("zeroByteResource", .zeroByteResource),
        ("cannotDecodeRawData", .cannotDecodeRawData), ("cannotDecodeContentData", .cannotDecodeContentData),
        ("cannotParseResponse", .cannotParseResponse), ("internationalRoamingOff", .internationalRoamingOff),
        ("callIsActive", .callIsActive), ("dataNotAllowed", .dataNotAllowed),
        ("requestBodyStreamExhausted", .requestBodyStreamExhausted), ("fileDoesNotExist", .fileDoesNotExist),
        ("fileIsDirectory", .fileIsDirectory), ("noPermissionsToReadFile", .noPermissionsToReadFile),
        ("dataLengthExceedsMaximum", .dataLengthExceedsMaximum), ("secureConnectionFailed", .secureConnectionFailed),
        ("serverCertificateHasBadDate", .serverCertificateHasBadDate),
        ("serverCertificateUntrusted", .serverCertificateUntrusted),
        ("serverCertificateHasUnknownRoot", .serverCertificateHasUnknownRoot),
        ("serverCertificateNotYetValid", .serverCertificateNotYetValid),
        ("clientCertificateRejected", .clientCertificateRejected),
        ("clientCertificateRequired", .clientCertificateRequired), ("cannotLoadFromNetwork", .cannotLoadFromNetwork),
        ("cannotCreateFile", .cannotCreateFile), ("cannotOpenFile", .cannotOpenFile),
        ("cannotCloseFile", .cannotCloseFile), ("cannotWriteToFile", .cannotWriteToFile),
        ("cannotRemoveFile", .cannotRemoveFile), ("cannotMoveFile", .cannotMoveFile),
        ("downloadDecodingFailedMidStream", .downloadDecodingFailedMidStream),
        ("downloadDecodingFailedToComplete", .downloadDecodingFailedToComplete),
        ("backgroundSessionRequiresSharedContainer", .backgroundSessionRequiresSharedContainer),
        ("backgroundSessionInUseByAnotherProcess", .backgroundSessionInUseByAnotherProcess),
        ("backgroundSessionWasDisconnected", .backgroundSessionWasDisconnected),
    ]

    @Test func `Failures have the names and numbers of their codes`() {
        var expected: [String: MockFailure] = ["truncated": .truncated, "malformed": .malformed, "empty": .empty]
        // Foundation has this one on Apple platforms alone.
        expected["appTransportSecurityRequiresSecureConnection"] = .urlError(-1022)
        for (name, code) in Self.codes { expected[name] = .urlError(code.rawValue) }
        #expect(MockFailure.named == expected)
    }
}
