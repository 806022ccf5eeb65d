import Foundation
import GRDB
import TestSupport
import Testing
import Core

@testable import Store

@Suite("Profiles and reviews")
struct AllergenTablesTests {
    private let folder: TemporaryFolder
    private let store: OutcomeStore

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
    }

    @Test func `reviews are stored in order and apart from outcomes`() throws {
        let first = Review(
            content: "sha256:1", item: "Soup", allergen: .celery, action: .verify, reviewer: "anna", made: 1)
        let second = Review(
            content: "sha256:2", item: "label", allergen: .milk, action: .edit, value: "CONTAINS", reviewer: "ben",
            made: 2)
        let stored = try [store.add(first), store.add(second)]
        #expect(stored.map(\.item) == ["Soup", "label"])
        #expect(try store.reviews() == stored)
        #expect(try store.reviews(of: "sha256:2") == [stored[1]])
        #expect(try store.storedRows(after: 0, limit: 10).rows.isEmpty)
    }

    @Test func `a withdrawn review is gone, and its number is never used again`() throws {
        let review = Review(
            content: "sha256:1", item: "Soup", allergen: .celery, action: .verify, reviewer: "anna", made: 1)
        let number = try #require(try store.add(review).number)
        #expect(try store.withdrawReviews([number]).map(\.item) == ["Soup"])
        #expect(try store.withdrawReviews([number]).isEmpty)
        #expect(try store.reviews().isEmpty)
        #expect(try store.add(review).number != number)
    }

    @Test func `reviews of an older database keep their numbers, and a kind can be added to them`() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "old.sqlite")
        do {
            let old = try DatabaseQueue(path: url.path)
            try Migrations.all.migrate(old, upTo: "8 names")
            try old.write {
                try $0.execute(
                    sql: """
                        INSERT INTO review (content, item, allergen, action, reviewer, made)
                            VALUES ('sha256:1', 'Soup', 'milk', 'verify', 'anna', 1), ('sha256:1', '*', NULL, 'accept', 'ben', 2);
                        DELETE FROM review WHERE id = 2;
                        """)
            }
        }
        let store = try OutcomeStore(at: url)
        #expect(try store.reviews().map(\.number) == [1])
        let said = Review(
            content: "sha256:1", item: "*", allergen: nil, action: .readAs, value: "menu", reviewer: "anna", made: 3)
        #expect(try store.add(said).number == 3, "2 was withdrawn")
        #expect(try store.reviews().map(\.kind) == [nil, .menu])
    }

    @Test func `people whose names only looked different are both kept, and every spelling finds one`() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "old.sqlite")
        let (composed, decomposed) = ("Zo\u{EB}", "Zoe\u{308}")
        do {
            let old = try DatabaseQueue(path: url.path)
            try Migrations.all.migrate(old, upTo: "groceries 3 uploads, baskets")
            try old.write { database in
                for (name, allergen) in [(composed, Allergen.milk), (decomposed, .nuts), ("Ada\u{202E}", .eggs)] {
                    let json = try JSONCoding.encode(AllergenProfile(name: name, allergens: [allergen: .severe]))
                    try database.execute(
                        sql: "INSERT INTO profile (name, json) VALUES (?, ?)", arguments: [name, json])
                    try database.execute(
                        sql: "INSERT INTO diary_person (person, zone) VALUES (?, 'GMT')", arguments: [name])
                    try database.execute(
                        sql: "INSERT INTO diary_key VALUES (?, ?)", arguments: [Data(name.utf8), name])
                    try database.execute(
                        sql: "INSERT INTO diary_weight VALUES (?, 20700, ?)",
                        arguments: [name, 60_000 + name.unicodeScalars.count])
                }
                for reader in [composed, "Nobody"] {
                    try database.execute(
                        sql: "INSERT INTO diary_reader VALUES (?, ?)", arguments: [decomposed, reader])
                }
                for person in ["Ben", decomposed] {
                    try database.execute(
                        sql: "INSERT INTO account VALUES (?, ?, x'00', x'00', 4, 8, 1, 0)",
                        arguments: [Folding.fold(person), person])
                }
            }
        }
        let store = try OutcomeStore(at: url)
        #expect(try store.faults().isEmpty)
        #expect(try store.profiles().map(\.name).sorted() == ["Ada", "Zo\u{EB}", "Zo\u{EB} (2)"])
        #expect(try store.profile(named: decomposed)?.allergens == [.milk: .severe])
        #expect(try store.profile(named: "ZOË (2)")?.allergens == [.nuts: .severe])
        try store.read { database in
            let weights = try Row.fetchAll(
                database, sql: "SELECT person, grams FROM diary_weight ORDER BY grams, person")
            #expect(weights.map { $0["person"] as String } == ["Zo\u{EB}", "Ada", "Zo\u{EB} (2)"])
            let bytes = try Data.fetchAll(
                database, sql: "SELECT CAST(person AS BLOB) FROM diary_person ORDER BY person")
            #expect(bytes == ["Ada", composed, composed + " (2)"].map { Data($0.utf8) })
            let readers = try Row.fetchAll(database, sql: "SELECT person, reader FROM diary_reader")
            #expect(readers.map { [$0["person"] as String, $0["reader"]] } == [[composed + " (2)", composed]])
            let locks = try Row.fetchAll(
                database,
                sql: """
                    SELECT name, kind FROM member_lock JOIN member ON member.id = member_lock.member ORDER BY name
                    """)
            #expect(
                locks.map { [$0["name"] as String, $0["kind"]] } == [
                    ["Ada", "key"], ["Ben", "password"], [composed, "key"], [composed + " (2)", "password"],
                ])
        }
    }
}
