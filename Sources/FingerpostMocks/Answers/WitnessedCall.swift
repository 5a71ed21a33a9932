import Fingerpost
import FingerpostFiles
import FingerpostMockFiles

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

/// Keeps the last answer to a call until the call has ended.
final class WitnessedCall: CallObserver {
    private let witness: any MockWitness
    private let configuration: ClientConfiguration
    private let last = Locked<MockedCall?>(nil)

    init(_ witness: any MockWitness, _ configuration: ClientConfiguration) {
        (self.witness, self.configuration) = (witness, configuration)
    }

    func keep(
        _ stub: StubResponse, of mock: MockName, recorded: Date?, isChosen: Bool, to request: URLRequest,
        for route: Route
    ) {
        let response = stub.failure == nil ? try? MockDelivery(stub, nil).response(to: request) : nil
        var mocked = MockedCall(route, configuration, mock, response)
        (mocked.recorded, mocked.isChosen) = (recorded, isChosen)
        last.withLock { [mocked] in $0 = mocked }
    }

    func finished(_ call: LoggedCall) {
        guard var mocked = last.withLock({ $0 }) else { return }
        mocked.call = call
        witness.answered(mocked)
    }
}
