import Foundation
import Testing
import Core

@testable import Imaging

@Suite struct ImageFileTests {
    @Test func `a file is read whole`() throws {
        try inFolder { folder in
            let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0) }
            let path = try write(bytes, folder, "photo.jpg")
            #expect(try ImageFile.read(path, followSymlinks: false) == bytes)
            #expect(try ImageFile.read(path, limit: bytes.count, followSymlinks: false) == bytes)
            #expect(code(path, limit: bytes.count - 1) == .tooLarge)
        }
    }

    @Test func `an empty file has no bytes`() throws {
        try inFolder { folder in
            let path = try write([], folder, "empty.png")
            #expect(try ImageFile.read(path, followSymlinks: false) == [])
        }
    }

    @Test func `an open file is read from its beginning`() throws {
        try inFolder { folder in
            let path = try write([1, 2, 3, 4], folder, "photo.jpg")
            let descriptor = path.withCString { open($0, O_RDONLY) }
            defer { close(descriptor) }
            lseek(descriptor, 3, SEEK_SET)
            #expect(try ImageFile.read(descriptor: descriptor, name: "photo.jpg") == [1, 2, 3, 4])
        }
    }

    @Test func `a link is followed only if a person named it`() throws {
        try inFolder { folder in
            let target = try write([1, 2, 3], folder, "photo.jpg")
            let link = try path(folder, "link.jpg")
            try #require(target.withCString { from in link.withCString { symlink(from, $0) } } == 0)
            #expect(try ImageFile.read(link, followSymlinks: true) == [1, 2, 3])
            #expect(code(link) == .notAFile)
        }
    }

    @Test func `a pipe without a writer is refused at once`() throws {
        try inFolder { folder in
            let pipe = try path(folder, "pipe.jpg")
            try #require(pipe.withCString { mkfifo($0, 0o600) } == 0)
            let failure = #expect(throws: ItemFailure.self) { try ImageFile.read(pipe, followSymlinks: false) }
            #expect(failure?.code == .notAFile)
            #expect(failure?.detail.contains("pipe") == true)
        }
    }

    @Test func `directories, devices and missing files are refused by kind`() throws {
        try inFolder { folder in
            let missing = try path(folder, "missing.jpg")
            #expect(code(missing) == .fileVanished)
            let failure = #expect(throws: ItemFailure.self) {
                try ImageFile.read(try path(folder, "."), followSymlinks: true)
            }
            #expect(failure?.code == .notAFile)
            #expect(failure?.detail.contains("directory") == true)
            let device = try #require(FilePathBytes("/dev/zero"))
            #expect(code(device) == .notAFile)
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func `an unreadable file is refused with its reason`() throws {
        try inFolder { folder in
            let path = try write([1], folder, "secret.jpg")
            try #require(path.withCString { chmod($0, 0) } == 0)
            #expect(code(path) == .permissionDenied)
        }
    }

    private func code(_ path: FilePathBytes, limit: Int = 1 << 20) -> ItemFailure.Code? {
        do throws(ItemFailure) {
            _ = try ImageFile.read(path, limit: limit, followSymlinks: false)
            return nil
        } catch { return error.code }
    }

    private func path(_ folder: URL, _ name: String) throws -> FilePathBytes {
        try #require(FilePathBytes(folder.appending(path: name).path))
    }

    private func write(_ bytes: [UInt8], _ folder: URL, _ name: String) throws -> FilePathBytes {
        try Data(bytes).write(to: folder.appending(path: name))
        return try path(folder, name)
    }

    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "imaging-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }
}
