// On Linux, `URLRequest` and its neighbors are in a module of their own. Whoever imports Fingerpost sees that module
// too, so that middleware and transports need the same imports on all platforms.
#if canImport(FoundationNetworking)
    @_exported public import FoundationNetworking
#endif
