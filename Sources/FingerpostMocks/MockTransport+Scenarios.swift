import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Answers with what a scenario changes.
extension MockTransport {
    /// What the current scenario changes in the answer of a mock; nil if nothing.
    ///
    /// - Parameter time: when a variant of the mock was chosen; nil if none was. If that was later, it replaces what
    ///   the scenario says, except for the delay.
    /// - Throws: ``APIError`` if there is no such scenario, or if the scenarios cannot be read.
    func change(
        of name: MockName, in folder: MockFolder, after time: ContinuousClock.Instant?
    ) throws(APIError) -> MockChange? {
        let order = try order(for: folder)
        let ordered = order?.changes.change(of: name.rawValue.mockName, in: folder)
        let change = try scenarioChange(of: name, in: folder, after: time, order?.scenario)
        // What another process says of a mock is newer than any scenario.
        return ordered.map { ordered in change.map(ordered.over) ?? ordered } ?? change
    }

    /// - Parameter ordered: the scenario that another process has chosen; nil for the current one.
    private func scenarioChange(
        of name: MockName, in folder: MockFolder, after time: ContinuousClock.Instant?, _ ordered: MockScenario?
    ) throws(APIError) -> MockChange? {
        let current = scope.map { $0.scenario } ?? playback.scenario.map { ($0.scenario, $0.time, playback) }
        guard let scenario = ordered ?? current?.scenario else { return nil }
        let scenarios: MockScenarios
        do throws(InvalidFile) { scenarios = try folder.scenarios() } catch { throw APIError(scenarios: error) }
        guard let changes = scenarios[scenario.rawValue] else {
            throw APIError(scenario: scenario, among: scenarios.names)
        }
        guard let change = changes.change(of: name.rawValue.mockName, in: folder) else { return nil }
        return time.map { $0 >= (ordered == nil ? current?.time ?? .now : .now) } == true ? change.delayAlone : change
    }

    /// The answer of a mock with a change.
    func changed(
        _ change: MockChange, of name: MockName, _ choice: (choice: MockPlayback.Choice, owner: MockPlayback)?,
        in folder: MockFolder, _ asked: @autoclosure () -> Asked
    ) throws(APIError) -> MockReply {
        if change.times != nil { scope?.scenario?.owner.markScenarioUsed(name) }
        var reply: MockReply
        if change.failure?.isBeforeAnswer == true, folder.hasMock(named: name.rawValue.mockName) {
            reply = MockReply()
        } else if let variant = change.variant {
            reply = try filed(name, variant: variant, of: folder, asked())
        } else if let status = change.status, folder.hasMock(named: name.rawValue.mockName) {
            reply = try self.reply(withStatus: status, of: name, in: folder, asked())
        } else {
            reply = try filed(name, choice, in: folder, asked())
        }
        if let (data, type) = change.body {
            (reply.data, reply.file, reply.isFilled) = (data, nil, true)
            reply.headers[.contentType] = type
        }
        reply.status = change.status ?? reply.status
        reply.failure = change.failure ?? reply.failure
        reply.delay = change.delay.map { .seconds($0) } ?? reply.delay
        return reply
    }

    /// A reply with a status. Its body comes from the variant named after the status, if it exists.
    func reply(
        withStatus status: Int, of name: MockName, in folder: MockFolder?, _ asked: Asked
    ) throws(APIError) -> MockReply {
        // text-by-bytes: a list of names
        let hasVariant = folder?.variants(of: name.rawValue).contains("\(status)") ?? false
        var reply = MockReply()
        if let folder, hasVariant { reply = try filed(name, variant: "\(status)", of: folder, asked) }
        reply.status = status
        return reply
    }
}
