import Model

print(CommandLine.arguments.count > 1 ? "\(Model.unused())" : await Model.login())
