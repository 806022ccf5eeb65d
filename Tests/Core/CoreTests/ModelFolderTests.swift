import Foundation
import TestSupport
import Testing
import Core

@Suite struct ModelFolderTests {
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
}
