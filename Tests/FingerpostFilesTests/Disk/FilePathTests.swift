@Suite(.inTurn) struct FilePathTests {
    @Test(
        arguments: [
            ("/x/A_B.resources/Environments/A-Env.json", "Environments/A-Env.json"),
            ("/x/A_B.bundle/Contents/Resources/Mocks/a/b.json", "Mocks/a/b.json"),
            ("/x/A_B.resources/Other/b.json", "/x/A_B.resources/Other/b.json"),
            ("/x/Mocks/b.json", "/x/Mocks/b.json"),
        ])
    func `A copy in a bundle is shown as its source file`(path: String, shown: String) {
        #expect(FilePath.display(URL(fileURLWithPath: path)) == shown)
    }
}
