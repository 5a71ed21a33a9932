public import Fingerpost

public struct Forecast: Endpoint {
    public typealias Response = [String]
    public var path: RoutePath { "today" }
    public var mock: MockName? { .today }
    public init() {}
}
