import Foundation
import TestSupport
import Testing

@testable import Fingerpost

@Suite(.inTurn) struct BrokenEnvironmentTests {
    @Test(arguments: BrokenEnvironment.all)
    func `Loading an invalid environment reports every problem at once`(_ broken: BrokenEnvironment) throws {
        let fixture = try EnvironmentFixture(broken.files)
        for (name, data) in broken.data { try fixture.folder.write(data, to: name) }
        for (name, target) in broken.links {
            try FileManager.default.createSymbolicLink(atPath: fixture.folder[name].path, withDestinationPath: target)
        }
        let layers = try fixture.layers(variables: broken.variables)
        let error = #expect(throws: EnvironmentError.self) {
            try Environment(file: nil, layers: layers)
        }
        #expect(error?.problems.count == layers.problems.count)
    }
}
