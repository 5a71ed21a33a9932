/// The names of the folders that contain the user's files.
enum FolderName {
    static let environments = "Environments"
    static let mocks = "Mocks"

    static let all: Set = [environments, mocks]
}
