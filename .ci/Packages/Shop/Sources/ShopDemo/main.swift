import Model

print(await Model.login())
