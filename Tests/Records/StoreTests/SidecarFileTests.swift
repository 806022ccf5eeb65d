import Foundation
import Store
import TestSupport
import Testing
import Core

@Suite struct SidecarFileTests {
    @Test func `creates folders, writes complete files and leaves no temporary file`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.path(below: "a/b/c.json")
        try SidecarFile.write(Data("one".utf8), to: path)
        try SidecarFile.write(Data("two".utf8), to: path)
        let below = folder.url.appending(path: "a/b")
        #expect(try FileManager.default.contentsOfDirectory(atPath: below.path) == ["c.json"])
        #expect(try Data(contentsOf: below.appending(path: "c.json")) == Data("two".utf8))
    }

    @Test func `a folder that cannot be created is an I/O error that names it`() throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(), to: "file")
        #expect { try SidecarFile.write(Data(), to: try folder.path(below: "file/x/c.json")) } throws: {
            ($0 as? StartupError)?.exitCode == .inputOutput && "\($0)".contains("file/x")
        }
    }
}
