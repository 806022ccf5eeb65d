import Foundation
import Glibc
import Imaging
import TestSupport
import Testing
import Vocabulary

@Suite struct ImageFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func code(reading name: String, followSymlinks: Bool = false, limit: Int = 1 << 20) throws -> ItemFailure
        .Code?
    {
        let path = try folder.path(below: name)
        do { _ = try ImageFile.read(path, followSymlinks: followSymlinks, limit: limit) } catch { return error.code }
        return nil
    }

    @Test func `only regular files are read`() throws {
        #expect(mkfifo(folder.url.appending(path: "pipe").path, 0o600) == 0)
        try folder.write(Data([1, 2]), to: "real")
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: "link"), withDestinationURL: folder.url.appending(path: "real"))
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "folder.jpg"), withIntermediateDirectories: true)
        #expect(try code(reading: "pipe") == .notAFile)
        #expect(try code(reading: "folder.jpg") == .notAFile)
        #expect(try code(reading: "link") == .notAFile)
        #expect(try code(reading: "link", followSymlinks: true) == nil)
        #expect(try code(reading: "gone") == .fileVanished)
        #expect(try code(reading: "real", limit: 1) == .tooLarge)
    }

    @Test func `what was written is read back, and no temporary stays`() throws {
        let path = try folder.path(below: "out.png")
        try ImageFile.write([1, 2, 3], to: path)
        #expect(try ImageFile.read(path, followSymlinks: false) == [1, 2, 3])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["out.png"])
    }
}
