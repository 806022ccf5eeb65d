import Core
import Foundation
import Glibc
import Intake
import TestSupport
import Testing

/// Changes in a watched folder do not leave it.
@Suite struct OpenFolderTests {
    private let folder: TemporaryFolder
    private let inbox, outside: URL
    private let manager = FileManager.default

    init() throws {
        folder = try TemporaryFolder()
        inbox = folder.url.appending(path: "inbox")
        outside = folder.url.appending(path: "outside")
        for place in [inbox, outside] { try manager.createDirectory(at: place, withIntermediateDirectories: true) }
    }

    private func path(_ url: URL) throws -> FilePathBytes { try #require(FilePathBytes(url.path)) }

    private func open(_ name: String, creates: Bool = false) throws -> OpenFolder? {
        OpenFolder.open(try path(inbox.appending(path: name)), below: try path(inbox), creates: creates)
    }

    @Test func `missing folders are made, and files in them`() throws {
        #expect(try open("a/b") == nil)
        let made = try #require(try open("a/b", creates: true))
        close(made.create("one"))
        #expect(made.create("one") < 0, "it exists")
        #expect(made.rename("one", to: "two"))
        #expect(manager.fileExists(atPath: inbox.appending(path: "a/b/two").path))
        #expect(made.remove(try #require(FilePathBytes("two"))))
        #expect(made.remove(try #require(FilePathBytes("two"))), "it is gone")
        #expect(try manager.contentsOfDirectory(atPath: inbox.path + "/a/b").isEmpty)
    }

    @Test func `a link is no folder, at the end of the path or on the way`() throws {
        try manager.createDirectory(at: outside.appending(path: "b"), withIntermediateDirectories: true)
        try manager.createSymbolicLink(at: inbox.appending(path: "a"), withDestinationURL: outside)
        for name in ["a", "a/b", "a/c", "a/../../outside"] { #expect(try open(name, creates: true) == nil, "\(name)") }
        #expect(OpenFolder.open(try path(outside), below: try path(inbox), creates: true) == nil)
        #expect(try manager.contentsOfDirectory(atPath: outside.path) == ["b"])
    }

    @Test func `a folder that is replaced by a link meanwhile is still the one that was opened`() throws {
        let uploads = try #require(try open("uploads", creates: true))
        close(uploads.create("mine"))
        try Data("theirs".utf8).write(to: outside.appending(path: "mine"))
        try manager.moveItem(at: inbox.appending(path: "uploads"), to: inbox.appending(path: "moved"))
        try manager.createSymbolicLink(at: inbox.appending(path: "uploads"), withDestinationURL: outside)
        close(uploads.create("new"))
        #expect(uploads.rename("new", to: "renamed"))
        #expect(uploads.remove(try #require(FilePathBytes("mine"))))
        #expect(try manager.contentsOfDirectory(atPath: outside.path) == ["mine"])
        #expect(try manager.contentsOfDirectory(atPath: inbox.path + "/moved") == ["renamed"])
    }

    @Test func `a link is removed itself, not what it leads to`() throws {
        try Data("theirs".utf8).write(to: outside.appending(path: "photo"))
        let place = try #require(try open("a", creates: true))
        try manager.createSymbolicLink(
            at: inbox.appending(path: "a/photo"), withDestinationURL: outside.appending(path: "photo"))
        #expect(place.remove(try #require(FilePathBytes("photo"))))
        #expect(manager.fileExists(atPath: outside.appending(path: "photo").path))
    }
}
