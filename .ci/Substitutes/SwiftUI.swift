// Declares what the samples and the Xcode example use of SwiftUI, so that they can be type-checked on Linux. The name
// that matters is Environment: it is generic and a property wrapper, as in SwiftUI.

@propertyWrapper public struct Environment<Value> {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { value = EnvironmentValues()[keyPath: keyPath] }
    public init(_ type: Value.Type) where Value: AnyObject { fatalError() }
    private let value: Value
    public var wrappedValue: Value { value }
}

public struct EnvironmentValues {
    public var dismiss: DismissAction { DismissAction() }
}

@MainActor public struct DismissAction {
    nonisolated init() {}
    public func callAsFunction() {}
}

@propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding<Value> { fatalError() }
}

@propertyWrapper public struct Binding<Value> {
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {}
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
}

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { return fatalError() }
}

@MainActor @resultBuilder public enum ViewBuilder {
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> some View { Text("") }
    public static func buildOptional(_ content: (some View)?) -> some View { Text("") }
    public static func buildEither(first: some View) -> Text { Text("") }
    public static func buildEither(second: some View) -> Text { Text("") }
}

public struct Text: View {
    public init(_ text: some StringProtocol) {}
    public var body: Never { return fatalError() }
}

public struct Button: View {
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {}
    public var body: Never { return fatalError() }
}

public struct VStack<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { return fatalError() }
}

public struct Picker<Selection: Hashable, Content: View>: View {
    public init(
        _ title: some StringProtocol, selection: Binding<Selection>, @ViewBuilder content: () -> Content
    ) {}
    public var body: Never { return fatalError() }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {}
    public var body: Never { return fatalError() }
}

@MainActor @preconcurrency public protocol PreviewModifier {
    associatedtype Context
    associatedtype Body: View
    typealias Content = Text
    static func makeSharedContext() async throws -> Context
    @ViewBuilder func body(content: Content, context: Context) -> Body
}

extension View {
    public func environment<Value>(
        _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
    ) -> some View { self }
    public func task(_ action: sending @escaping @isolated(any) () async -> Void) -> some View { self }
    public func padding() -> some View { self }
}

@MainActor @preconcurrency public protocol App {
    associatedtype Content: Scene
    init()
    @SceneBuilder var body: Content { get }
}

extension App {
    public static func main() {}
}

@MainActor @preconcurrency public protocol Scene {}

@MainActor @resultBuilder public enum SceneBuilder {
    public static func buildBlock(_ content: some Scene) -> some Scene { content }
}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
}
