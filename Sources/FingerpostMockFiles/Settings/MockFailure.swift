import FingerpostFiles

/// A failure that a mock simulates.
package enum MockFailure: Sendable, Equatable {
    /// The connection fails with a `URLError` code before any part of the response arrives.
    case urlError(Int)
    /// Half of the body arrives, then the connection is lost.
    case truncated
    /// The body is cut off, but the connection ends normally.
    case malformed
    /// The status and the headers arrive, but the body is empty.
    case empty

    /// The failures by their names in a settings file: the names of `URLError.Code` constants, and three more.
    static let named: [String: MockFailure] = {
        var named = urlErrors.mapValues { MockFailure.urlError($0) }
        (named["truncated"], named["malformed"], named["empty"]) = (.truncated, .malformed, .empty)
        return named
    }()

    /// The codes of the `URLError.Code` constants, by name. The codes are copied into this file so that the module does
    /// not need to import FoundationNetworking.
    private static let urlErrors = [
        "unknown": -1,
        "backgroundSessionRequiresSharedContainer": -995,
        "backgroundSessionInUseByAnotherProcess": -996,
        "backgroundSessionWasDisconnected": -997,
        "cancelled": -999,
        "badURL": -1000,
        "timedOut": -1001,
        "unsupportedURL": -1002,
        "cannotFindHost": -1003,
        "cannotConnectToHost": -1004,
        "networkConnectionLost": -1005,
        "dnsLookupFailed": -1006,
        "httpTooManyRedirects": -1007,
        "resourceUnavailable": -1008,
        "notConnectedToInternet": -1009,
        "redirectToNonExistentLocation": -1010,
        "badServerResponse": -1011,
        "userCancelledAuthentication": -1012,
        "userAuthenticationRequired": -1013,
        "zeroByteResource": -1014,
        "cannotDecodeRawData": -1015,
        "cannotDecodeContentData": -1016,
        "cannotParseResponse": -1017,
        "internationalRoamingOff": -1018,
        "callIsActive": -1019,
        "dataNotAllowed": -1020,
        "requestBodyStreamExhausted": -1021,
        "appTransportSecurityRequiresSecureConnection": -1022,
        "fileDoesNotExist": -1100,
        "fileIsDirectory": -1101,
        "noPermissionsToReadFile": -1102,
        "dataLengthExceedsMaximum": -1103,
        "secureConnectionFailed": -1200,
        "serverCertificateHasBadDate": -1201,
        "serverCertificateUntrusted": -1202,
        "serverCertificateHasUnknownRoot": -1203,
        "serverCertificateNotYetValid": -1204,
        "clientCertificateRejected": -1205,
        "clientCertificateRequired": -1206,
        "cannotLoadFromNetwork": -2000,
        "cannotCreateFile": -3000,
        "cannotOpenFile": -3001,
        "cannotCloseFile": -3002,
        "cannotWriteToFile": -3003,
        "cannotRemoveFile": -3004,
        "cannotMoveFile": -3005,
        "downloadDecodingFailedMidStream": -3006,
        "downloadDecodingFailedToComplete": -3007,
    ]

    /// True when no part of a response arrives: no status, no headers and no body.
    package var isBeforeResponse: Bool {
        if case .urlError = self { true } else { false }
    }

    /// True for a failure in which part of the body arrives. A response with such a failure needs a body.
    var needsBody: Bool { self == .truncated || self == .malformed }
}
