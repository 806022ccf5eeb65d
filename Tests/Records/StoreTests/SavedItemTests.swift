import Core
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Store

/// What people save from photos, and the photos of a game in the history.
@Suite struct SavedItemTests {
    private let folder: TemporaryFolder
    private let store: OutcomeStore

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
    }

    private func member(_ name: String) throws -> Int64 {
        try store.write { database in
            try database.execute(
                sql:
                    "INSERT INTO member (name, key, role, colour, json, created) VALUES (?1, ?1, 'adult', 1, x'00', 0)",
                arguments: [name])
            return database.lastInsertedRowID
        }
    }

    /// A photo that was read; with a session it is a frame of a game.
    @discardableResult
    private func read(_ name: String, session: String? = nil, number: Int = 1) throws -> String {
        let path = try #require(FilePathBytes("/in/table/\(name)"))
        let photo = try store.queued(path)
        var outcome = Outcome(
            id: "sha256:\(name)", source: .init(path: path, bytes: 1), status: .completed,
            domains: session == nil ? [.menu] : [.board], versions: .init(tablesight: "test"))
        let capture = try session.map { id in
            outcome.game = GameReport(
                game: "tangram", puzzle: "boat", placed: number, needed: 7,
                outcome: .init(kind: .noAction, confidence: 1, reason: ""))
            return NewCapture(
                session: StoredSession(
                    id: id, board: try #require(FilePathBytes("/in/table")), number: 1, pieceSet: "tangram",
                    game: "tangram", began: 1), seq: number, time: number, capture: Data("{}".utf8), lines: [],
                state: nil)
        }
        try store.finish(
            photo,
            FinishedPhoto(
                content: outcome.id, asked: "auto", answer: ReadAnswer(models: ["a": "1"]), status: .completed,
                json: try JSONCoding.encode(outcome), capture: capture, summary: OutcomeSummary(outcome)))
        return try #require(outcome.id)
    }

    private func dish(_ name: String, on photo: String) -> SavedItem.Place {
        .init(photo: photo, kind: .dish, item: name)
    }

    @Test func `an item is saved once, found by its words, and belongs to one person`() throws {
        let (ada, ben) = (try member("Ada"), try member("Ben"))
        let photo = try read("menu.jpg")
        let soup = try #require(try store.save(dish("12-40", on: photo), title: "Crème brûlée", for: ada))
        #expect(soup.isNew)
        let again = try #require(try store.save(dish("12-40", on: photo), title: "Other", for: ada))
        #expect(!again.isNew && again.item == soup.item)
        _ = try store.save(dish("12-80", on: photo), title: "Tomato soup", for: ada)
        #expect(try store.saved(by: ada).map(\.title) == ["Tomato soup", "Crème brûlée"])
        #expect(try store.saved(by: ada, words: "CREME").map(\.title) == ["Crème brûlée"])
        #expect(try store.saved(by: ada, before: 2).map(\.title) == ["Crème brûlée"])
        #expect(try store.saved(by: ben).isEmpty)
        #expect(try !store.unsave(soup.item.number, of: ben))
        #expect(try store.unsave(soup.item.number, of: ada))
        #expect(try store.saved(by: ada).map(\.title) == ["Tomato soup"])
    }

    @Test func `saved items go with their photo, and with their member`() throws {
        let (ada, ben) = (try member("Ada"), try member("Ben"))
        let (one, two) = (try read("a.jpg"), try read("bb.jpg"))
        for person in [ada, ben] {
            for photo in [one, two] { _ = try store.save(dish("Soup", on: photo), title: "Soup", for: person) }
        }
        _ = try store.erase(one, isAlone: true)
        #expect(try store.saved(by: ada).map(\.place.photo) == [two])
        try store.write { try $0.execute(sql: "DELETE FROM member WHERE name = 'Ada'") }
        #expect(try store.saved(by: ada).isEmpty)
        #expect(try store.saved(by: ben).count == 1)
    }

    @Test func `a person saves a limited number of items`() throws {
        let ada = try member("Ada")
        for number in 0..<OutcomeStore.mostSaved {
            #expect(try store.save(dish("\(number)", on: "sha256:1"), title: "x", for: ada) != nil)
        }
        #expect(try store.save(dish("more", on: "sha256:1"), title: "x", for: ada) == nil)
        #expect(try store.save(dish("0", on: "sha256:1"), title: "x", for: ada)?.isNew == false)
    }

    @Test func `the photos of a game are one entry, which stands for the newest`() throws {
        try read("menu.jpg")
        for number in 1...3 {
            try read("frame-\(String(repeating: "x", count: number)).jpg", session: "s-1", number: number)
        }
        var filter = HistoryFilter()
        #expect(try store.historyCount(filter) == 4)
        filter.joinsFrames = true
        #expect(try store.historyCount(filter) == 2)
        let entry = try #require(try store.history(filter, limit: 10).first)
        #expect((entry.frames, entry.summary.figure?.placed) == (3, 3))
        filter = HistoryFilter()
        filter.session = "s-1"
        #expect(try store.history(filter, limit: 10).count == 3)
    }

    @Test func `frames of an older database get the session in which they were taken`() throws {
        let url = folder.url.appending(path: "old.sqlite")
        do {
            let old = try DatabaseQueue(path: url.path)
            try Migrations.all.migrate(old, upTo: "12 titles that tell")
            try old.write { database in
                for (id, path, modified) in [(1, "/in/table/a", 15), (2, "/in/table/b", 25), (3, "/in/tables", 25)] {
                    try database.execute(
                        sql: """
                            INSERT INTO photo (id, path, sidecar, device, inode, size, modified, changed, state)
                                VALUES (?1, ?2, x'00', 1, ?1, 1, ?3, 1, 'done');
                            """, arguments: [id, Data(path.utf8), modified])
                    try database.execute(
                        sql: """
                            INSERT INTO summary (photo, made, status, level, domains, marks, words, json)
                                VALUES (?, 1, 'completed', 'high', '|board|', '|', '', x'00')
                            """, arguments: [id])
                }
                for (id, number, began) in [("s-1", 1, 10), ("s-2", 2, 20)] {
                    try database.execute(
                        sql: "INSERT INTO session (id, board, number, pieceSet, began) VALUES (?, ?, ?, 'tangram', ?)",
                        arguments: [id, Data("/in/table".utf8), number, began])
                }
            }
        }
        let store = try OutcomeStore(at: url)
        let sessions = try store.read {
            try Row.fetchAll($0, sql: "SELECT session FROM photo ORDER BY id").map { $0[0] as String? }
        }
        #expect(sessions == ["s-1", "s-2", nil])
    }
}
