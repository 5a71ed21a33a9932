import FingerpostTesting
import Model

// The tests of the module use the plugin too. They have no second copy of the public names.
func names() throws -> (APIEnvironment.MapValues, MockName) { (try APIEnvironment.load("Testing").map, .today) }
