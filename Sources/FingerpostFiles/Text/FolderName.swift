/// The folders that users keep their files in, by the names that they are looked for.
enum FolderName {
    static let environments = "Environments"
    static let mocks = "Mocks"

    static let all: Set = [environments, mocks]
}
