import Core
import Foundation
import Store
import TestSupport
import Testing

@Suite("Outcomes of a kitchen")
struct KitchensTests {
    private let folder: TemporaryFolder
    private let store: OutcomeStore

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "test.sqlite"))
    }

    private func add(_ name: String, _ content: String, kitchen: String?, json: String) throws {
        let path = try #require(FilePathBytes(name))
        let file = FoundFile(
            path: path, relativePath: path,
            identity: FileIdentity(device: 1, inode: 2, size: 1, modified: 3, changed: 4))
        try store.enqueue([file], kitchen: { _ in kitchen.flatMap { FilePathBytes($0) } }) {
            $0.path.appending(suffix: ".json")
        }
        let photo = try #require(try store.nextQueued(after: Data(), leavingOut: []))
        try store.finish(
            photo,
            FinishedPhoto(content: content, asked: "auto", answer: nil, status: .completed, json: Data(json.utf8)))
    }

    private func outcomes(_ name: String, _ content: String, limit: Int = 10) throws -> [String] {
        try store.kitchenOutcomes(of: try #require(FilePathBytes(name)), content: content, limit: limit)
            .map { String(decoding: $0.json, as: UTF8.self) }
    }

    private static let coded = #"{"a":"legendCode"}"#

    @Test func `other photos of the folder count if they have codes or reviews`() throws {
        try add("/in/one/a.jpg", "a", kitchen: "/in/one", json: Self.coded)
        try add("/in/one/b.jpg", "b", kitchen: "/in/one", json: #"{"b":1}"#)
        try add("/in/one/c.jpg", "c", kitchen: "/in/one", json: #"{"c":1}"#)
        try add("/in/two/d.jpg", "d", kitchen: "/in/two", json: #"{"d":"legendCode"}"#)
        try add("/in/e.jpg", "e", kitchen: nil, json: #"{"e":"legendCode"}"#)
        #expect(try outcomes("/in/one/c.jpg", "c") == [Self.coded])
        #expect(try outcomes("/in/one/a.jpg", "a").isEmpty)
        #expect(try outcomes("/in/e.jpg", "e").isEmpty)
        for content in ["b", "c"] {
            try store.add(
                Review(content: content, item: "*", allergen: nil, action: .accept, reviewer: "Ada", made: 1))
        }
        #expect(try outcomes("/in/one/c.jpg", "c") == [Self.coded, #"{"b":1}"#])
        #expect(try outcomes("/in/one/c.jpg", "c", limit: 1) == [#"{"b":1}"#])
    }
}
