import Foundation
import Testing
import Core

@Suite struct FilePathBytesTests {
    @Test func `two spellings of one letter stay two paths`() throws {
        let composed = try #require(FilePathBytes("caf\u{E9}.jpg"))
        let decomposed = try #require(FilePathBytes("cafe\u{301}.jpg"))
        #expect(composed != decomposed)
        #expect(composed.display == decomposed.display)  // which is why text must never be the key
    }

    @Test func `a name that is not UTF-8 survives JSON`() throws {
        let path = try #require(FilePathBytes([0x61, 0xFF, 0x62]))
        #expect(path.base64IfNotUTF8 == "Yf9i")
        #expect(try JSONCoding.decode(FilePathBytes.self, from: JSONCoding.encode(path)) == path)
        #expect(FilePathBytes("ab")?.base64IfNotUTF8 == nil)
    }

    @Test func `empty paths and paths with a zero byte are rejected`() {
        #expect(FilePathBytes("") == nil)
        #expect(FilePathBytes([0x61, 0x00]) == nil)
    }

    @Test func `isBelow requires a parent folder, not a common prefix`() throws {
        let folder = try #require(FilePathBytes("/a/in"))
        #expect(try #require(FilePathBytes("/a/in/x")).isBelow(folder))
        #expect(try #require(FilePathBytes("/a/inbox")).isBelow(folder) == false)
        #expect(folder.isBelow(folder) == false)
    }

    @Test(arguments: [("/a/b.jpg", "/a", "b.jpg"), ("b.jpg", ".", "b.jpg"), ("/b", "/", "b")])
    func `folder and last component split at the last slash`(path: String, folder: String, name: String) throws {
        let path = try #require(FilePathBytes(path))
        #expect(path.folder.display == folder)
        #expect(path.lastComponent.display == name)
    }
}
