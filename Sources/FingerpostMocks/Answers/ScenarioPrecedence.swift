import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles

/// What counts if several say something of the answer of a mock. The first of these does:
///
/// 1. what another process has set for the mock, and the scenario that it has chosen
/// 2. a variant that was chosen after the scenario; the delay of the scenario stays
/// 3. the scenario
/// 4. a variant that was chosen before, and the mock's usual files
///
/// An answer set in code comes before all of them: see ``AnswerResolver``.
struct ScenarioPrecedence {
    let folder: MockIndex

    /// What a scenario and another process change in the answer of a mock; nil if nothing.
    ///
    /// - Parameters:
    ///   - choices: what was chosen for the mock.
    ///   - order: what another process has set; nil if none controls the call.
    /// - Throws: ``APIError`` if there is no such scenario, or if the scenarios cannot be read.
    func change(
        of name: MockName, _ choices: MockChoices.Latest, _ order: ControlOrder?
    ) throws(APIError) -> StubResponse? {
        if order == nil, choices.scenario == nil { return nil }
        let ordered = order?.changes.change(of: name.rawValue.mockName, in: folder)
        let change = try scenarioChange(of: name, choices, order?.scenario)
        // What another process says of a mock is newer than any scenario.
        return ordered.map { ordered in change.map(ordered.replacing) ?? ordered } ?? change
    }

    /// - Parameter ordered: the scenario that another process has chosen; nil for the current one.
    private func scenarioChange(
        of name: MockName, _ choices: MockChoices.Latest, _ ordered: MockScenario?
    ) throws(APIError) -> StubResponse? {
        guard let scenario = ordered ?? choices.scenario?.scenario else { return nil }
        let scenarios: MockScenarios
        do throws(InvalidFile) { scenarios = try folder.scenarios() } catch { throw APIError(error.problems) }
        guard let changes = scenarios[scenario.rawValue] else {
            throw APIError(scenario: scenario, among: scenarios.names)
        }
        guard let change = changes.change(of: name.rawValue.mockName, in: folder) else { return nil }
        // What another process has chosen is newer than any choice here.
        guard ordered == nil, let chosen = choices.variant, let number = choices.scenario?.number else { return change }
        return chosen.choice.number > number ? change.delayAlone : change
    }
}
