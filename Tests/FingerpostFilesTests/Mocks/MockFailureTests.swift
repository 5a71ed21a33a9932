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

    @Test(arguments: codes) func `A failure has the name and number of its code`(name: String, code: URLError.Code) {
        #expect(MockFailure.named[name] == .urlError(code.rawValue))
    }

    @Test func `All names are tested`() {
        let names =
            Self.codes.map(\.0) + ["appTransportSecurityRequiresSecureConnection", "truncated", "malformed", "empty"]
        #expect(MockFailure.named.keys.sorted() == names.sorted())
    }
}
