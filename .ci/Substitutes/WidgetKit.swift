// Declares what the widget of the Xcode example uses of WidgetKit, as SwiftUI.swift does for SwiftUI.

public import Foundation
public import SwiftUI

public protocol TimelineEntry {
    var date: Date { get }
}

public struct TimelineReloadPolicy {
    public static func after(_ date: Date) -> TimelineReloadPolicy { TimelineReloadPolicy() }
}

public struct Timeline<EntryType: TimelineEntry> {
    public init(entries: [EntryType], policy: TimelineReloadPolicy) {}
}

public struct TimelineProviderContext {}

public protocol TimelineProvider {
    associatedtype Entry: TimelineEntry
    typealias Context = TimelineProviderContext
    func placeholder(in context: Context) -> Entry
    @preconcurrency func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void)
    @preconcurrency func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void)
}

public enum WidgetFamily {
    case systemSmall
}

@MainActor @preconcurrency public protocol WidgetConfiguration {}

extension WidgetConfiguration {
    public func configurationDisplayName(_ name: some StringProtocol) -> some WidgetConfiguration { self }
    public func supportedFamilies(_ families: [WidgetFamily]) -> some WidgetConfiguration { self }
}

@MainActor @preconcurrency public struct StaticConfiguration<Content: View>: WidgetConfiguration {
    public init<Provider: TimelineProvider>(
        kind: String, provider: Provider, @ViewBuilder content: @escaping (Provider.Entry) -> Content
    ) {}
}

@MainActor @preconcurrency public protocol Widget {
    associatedtype Body: WidgetConfiguration
    init()
    var body: Body { get }
}

extension Widget {
    public static func main() {}
}

public enum ContainerBackgroundPlacement {
    case widget
}

extension View {
    public func containerBackground(
        for container: ContainerBackgroundPlacement, @ViewBuilder content: () -> some View
    ) -> some View { self }
}
