import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles

extension MockFolder {
    /// What a scenario and another process change in the answer of a mock; nil if nothing.
    ///
    /// - Parameters:
    ///   - choices: what was chosen for the mock. A variant that was chosen after the scenario replaces what it says,
    ///     except for the delay.
    ///   - order: what another process has set; nil if none controls the call.
    /// - Throws: ``APIError`` if there is no such scenario, or if the scenarios cannot be read.
    func change(
        of name: MockName, _ choices: MockChoices.Latest, _ order: ControlOrder?
    ) throws(APIError) -> WrittenAnswer? {
        if order == nil, choices.scenario == nil { return nil }
        let ordered = order?.changes.change(of: name.rawValue.mockName, in: self)
        let change = try scenarioChange(of: name, choices, order?.scenario)
        // What another process says of a mock is newer than any scenario.
        return ordered.map { ordered in change.map(ordered.replacing) ?? ordered } ?? change
    }

    /// - Parameter ordered: the scenario that another process has chosen; nil for the current one.
    private func scenarioChange(
        of name: MockName, _ choices: MockChoices.Latest, _ ordered: MockScenario?
    ) throws(APIError) -> WrittenAnswer? {
        guard let scenario = ordered ?? choices.scenario?.scenario else { return nil }
        let scenarios: MockScenarios
        do throws(InvalidFile) { scenarios = try self.scenarios() } catch { throw APIError(error.problems) }
        guard let changes = scenarios[scenario.rawValue] else {
            throw APIError(scenario: scenario, among: scenarios.names)
        }
        guard let change = changes.change(of: name.rawValue.mockName, in: self) else { return nil }
        // What another process has chosen is newer than any choice here.
        guard ordered == nil, let chosen = choices.variant, let number = choices.scenario?.number else { return change }
        return chosen.choice.number > number ? change.delayAlone : change
    }
}
