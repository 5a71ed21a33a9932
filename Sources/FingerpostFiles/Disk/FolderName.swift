/// The names of the folders that contain the user's files.
package enum FolderName {
    package static let environments = "Environments"
    package static let mocks = "Mocks"

    static let all: Set = [environments, mocks]
}
