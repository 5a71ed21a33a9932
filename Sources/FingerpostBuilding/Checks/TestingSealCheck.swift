package import FingerpostFiles

/// Warns about a testing environment that is not sealed. The environment's own file must say so, but a reader of a test
/// expects that an environment called `Testing` sends nothing.
package enum TestingSealCheck {
    package static func problems(of schema: EnvironmentSchema) -> [FileProblem] {
        let testing = LayeredEnvironment.sealedDescription
        return schema.targets.filter { target in
            target.isComparable && !target.layers.isSealed && (target.layers.isTesting || target.name == testing)
        }.compactMap { target in
            let layers = target.layers
            let setting = layers.isTesting ? layers["$network"] : layers["description"]
            return setting?.source.problem(
                "the environment \"\(target.name)\" is not sealed, so its calls can reach servers",
                fix: "set \"$network\" to \"sealed\", or give these calls an environment with another name"
            ).with(.warning)
        }
    }
}
