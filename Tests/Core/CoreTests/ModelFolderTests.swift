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

    @Test func `a symbolic link gives the location of its target`() throws {
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

    @Test func `an invalid TABLESIGHT_MODELS is an error`() {
        #expect {
            try ModelFolder.locate(program: Repository.root, environment: ["TABLESIGHT_MODELS": "/nowhere"])
        } throws: { ($0 as? StartupError)?.exitCode == .unavailable && "\($0)".contains("/nowhere") }
    }

    @Test func `a file that violates its schema is reported with the coding path and the missing key`() throws {
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
