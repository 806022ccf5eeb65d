import Foundation
import Glibc
import TestSupport
import Testing
import Core

@testable import Intake

@Suite struct FolderScanTests {
    @Test func `finds photos at every depth, without hidden, incomplete or special files`() throws {
        let folder = try TemporaryFolder()
        for name in [
            "a.jpg", "sub/deep/b.png", ".hidden.jpg", "c.jpg.part", "d.jpg~", "e.crdownload", "Thumbs.db",
            ".git/f.jpg", "sub/g.filepart",
        ] { try folder.write(Data([1]), to: name) }
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: "link.jpg"), withDestinationURL: folder.url.appending(path: "a.jpg"))
        #expect(mkfifo(folder.url.appending(path: "pipe.jpg").path, 0o600) == 0)
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "x.jpg"), withIntermediateDirectories: true)

        let scan = try FolderScan(of: folder.path)
        #expect(scan.files.map(\.relativePath.display) == ["a.jpg", "sub/deep/b.png"])
        #expect(Set(scan.folders.map(\.lastComponent.display)).isSuperset(of: ["sub", "deep", "x.jpg"]))
    }

    @Test(arguments: [
        ".hidden.png", "a.png.part", "a.png.opdownload", "a.png!ut", "a.aria2", "#a.png#", "~$a.png",
        "~syncthing~a.png", "a.jpg.!sync", "a.jpg.!qB", "a.jpg.bts", "a.jpg.upload", "a.jpg_tmp", "a.jpg.~tmp",
        "a.jpg.temp", "a.jpg.unfinished", "a.jpg.incomplete", "a.jpg.bc!",
        "@eaDir", "lost+found", "#recycle", "Thumbs.db", "a.PNG.json", "a.expected.json", "notes.TXT", "rows.ndjson",
    ])
    func `data files and incomplete files are ignored`(name: String) throws {
        #expect(IgnoredNames.contains(try #require(FilePathBytes(name))))
    }

    @Test func `a folder named like a sidecar holds photos as any other folder`() throws {
        let name = try #require(FilePathBytes("a.png.json"))
        #expect(IgnoredNames.contains(name))
        #expect(!IgnoredNames.contains(name, isFolder: true))
        #expect(IgnoredNames.contains(try #require(FilePathBytes("a.part")), isFolder: true))
    }

    @Test(arguments: [
        "..%2f.png", "...png", "..x", "a.json.png", "part.png", "~a.png", "#a.png", "upload.png", "a_tmp.png", "a.pdf",
        "json",
    ])
    func `unusual names are not ignored`(name: String) throws {
        #expect(!IgnoredNames.contains(try #require(FilePathBytes(name))))
    }

    @Test func `links to files of the same tree are listed and never followed`() throws {
        let folder = try TemporaryFolder()
        try folder.write(Data([1]), to: "in/sub/a.jpg")
        try folder.write(Data([1]), to: "out/b.jpg")
        for (name, target) in [
            ("inside.jpg", "sub/a.jpg"), ("outside.jpg", "../out/b.jpg"), ("tree", "../out"), ("up", ".."),
            ("self.jpg", "self.jpg"), ("gone.jpg", "gone"),
        ] {
            #expect(symlink(target, folder.url.appending(path: "in").appending(path: name).path) == 0)
        }
        let scan = try FolderScan(of: folder.path(below: "in"))
        #expect(scan.links.map(\.lastComponent.display) == ["inside.jpg"])
        #expect(scan.files.map(\.relativePath.display) == ["sub/a.jpg"])
    }

    @Test func `names that are not UTF-8, or look the same, are all found`() throws {
        let folder = try TemporaryFolder()
        let names: [[UInt8]] = [[0x61, 0xFF], Array("\u{E9}.jpg".utf8), Array("e\u{301}.jpg".utf8)]
        for name in names {
            let path = try folder.path.appending(try #require(FilePathBytes(name)))
            let file = path.withCString { open($0, O_CREAT | O_WRONLY, 0o600) }
            #expect(file >= 0)
            close(file)
        }
        let found = try FolderScan(of: folder.path).files.map(\.relativePath.bytes)
        #expect(Set(found) == Set(names))
    }

    @Test func `an error while a folder is listed is not its end`() throws {
        let folder = try TemporaryFolder()
        for name in ["a.jpg", "sub/b.jpg", "sub/c.jpg"] { try folder.write(Data("x".utf8), to: name) }
        let root = try #require(FilePathBytes(folder.url.path))
        // The error comes in the first folder at once, or in the other after one entry of each.
        for count in [0, 5] {
            var (left, found) = (count, [String]())
            let result = Result {
                try FolderScan.visit(
                    root, enter: { _ in }, file: { path, _ in found.append(path.lastComponent.display) },
                    link: { _ in },
                    read: { stream in
                        left -= 1
                        guard left >= 0 else {
                            errno = EIO
                            return nil
                        }
                        return readdir(stream)
                    })
            }
            switch result {
            case .success(let unreadable): #expect(count > 0 && unreadable.map(\.reason) == ["Input/output error"])
            case .failure(let error): #expect((error as? ScanError)?.reason == "Input/output error", "\(count)")
            }
            #expect(found.count < 3)
        }
    }

    @Test func `a missing folder is an error with the kernel's reason`() throws {
        let folder = try TemporaryFolder()
        #expect {
            try FolderScan(of: folder.path(below: "gone"))
        } throws: { ($0 as? ScanError)?.reason == "No such file or directory" }
    }

    @Test func `the identity of a file changes with its content`() throws {
        let folder = try TemporaryFolder()
        try folder.write(Data([1]), to: "a.jpg")
        let before = try FolderScan(of: folder.path).files.first?.identity
        try folder.write(Data([1, 2]), to: "a.jpg")
        #expect(try FolderScan(of: folder.path).files.first?.identity != before)
    }

    @Test(arguments: [64, 65])
    func `folders are entered down to the sixty-fourth, and one below is named`(depth: Int) throws {
        var path = "top"
        for _ in 1..<depth { path += "/d" }
        let folder = try TemporaryFolder()
        try folder.write(Data([1]), to: path + "/photo.jpg")
        let scan = try FolderScan(of: folder.path)
        #expect(scan.files.count == (depth == 64 ? 1 : 0))
        #expect(scan.unreadable.map(\.reason) == (depth == 64 ? [] : ["nested deeper than 64 folders"]))
    }
}
