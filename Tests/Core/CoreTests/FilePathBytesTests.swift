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

    @Test func `no path of any spelling that leaves a folder is below it`() throws {
        let folder = "/a/in"
        let names = ["x", "..", ".", "", "in", "a"]
        /// Without dots; each `..` takes back the part before it.
        func parts(of text: String) -> [Substring] {
            text.split(separator: "/").reduce(into: []) { parts, part in
                if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
            }
        }
        // All paths of up to four of these parts.
        var paths = [[String]()]
        for _ in 0..<4 { paths += paths.flatMap { path in names.map { path + [$0] } } }
        for start in ["/a/in", "/a/in/", "/a//in", "/a/./in", "/", "/a", ""] {
            for path in Set(paths) {
                let text = ([start] + path).joined(separator: "/")
                guard let bytes = FilePathBytes(text) else { continue }
                let real = parts(of: text)
                let isBelow = text.hasPrefix("/") && real.count > 2 && real.starts(with: ["a", "in"])
                let found = try bytes.isBelow(#require(FilePathBytes(folder)))
                #expect(!found || isBelow, "\(text) is \(real)")
                if !path.contains("..") { #expect(found == isBelow, "\(text) is \(real)") }
            }
        }
        let relative = try #require(FilePathBytes("/a//in/./b/c")).relative(to: #require(FilePathBytes("/a/in/")))
        #expect(relative?.display == "b/c")
    }

    @Test(arguments: [("/a/b.jpg", "/a", "b.jpg"), ("b.jpg", ".", "b.jpg"), ("/b", "/", "b")])
    func `folder and last component split at the last slash`(path: String, folder: String, name: String) throws {
        let path = try #require(FilePathBytes(path))
        #expect(path.folder.display == folder)
        #expect(path.lastComponent.display == name)
    }
}
