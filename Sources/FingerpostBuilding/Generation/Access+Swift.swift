import FingerpostFiles

extension EnvironmentRules.Access {
    /// What precedes each generated declaration and import. Empty for the access level that Swift uses by default.
    var modifier: String { self == .internal ? "" : "\(rawValue) " }
}
