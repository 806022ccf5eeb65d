import Foundation
import TestSupport
import Testing
import Core

@Suite struct ModelFolderTests {
    private struct Row: Codable { var name: String }

    @Test func `the folder is found above a build folder`() throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(), to: "models/piece-sets/x.json")
        try folder.write(Data(), to: ".build/x86_64/release/tablesight")
        let found = try ModelFolder.locate(
            program: folder.url.appending(path: ".build/x86_64/release/tablesight"), environment: [:])
        #expect(found.url.resolvingSymlinksInPath() == folder.url.appending(path: "models").resolvingSymlinksInPath())
    }

    @Test func `an entry that is a link names the place it leads to`() throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(), to: "shared/fetched/rec.onnx")
        try folder.write(Data(), to: "models/piece-sets/x.json")
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: "models/fetched"),
            withDestinationURL: folder.url.appending(path: "shared/fetched"))
        let models = ModelFolder(folder.url.appending(path: "models"))
        #expect(
            models.places.map { $0.resolvingSymlinksInPath() }
                == ["models", "shared/fetched"].map { folder.url.appending(path: $0).resolvingSymlinksInPath() })
    }

    @Test func `a wrong TABLESIGHT_MODELS is said, never passed over`() {
        #expect {
            try ModelFolder.locate(program: Repository.root, environment: ["TABLESIGHT_MODELS": "/nowhere"])
        } throws: { ($0 as? StartupError)?.exitCode == .unavailable && "\($0)".contains("/nowhere") }
    }

    @Test func `a file that is not of its schema is named, with the place and what is missing`() throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(#"[{"name":"a"},{}]"#.utf8), to: "rows.json")
        #expect {
            try ModelFolder(folder.url).load([Row].self, from: "rows.json")
        } throws: { error in
            let text = "\(error)"
            return (error as? StartupError)?.exitCode == .configuration && text.contains("rows.json")
                && text.contains("[1]") && text.contains("name")
        }
    }
}
