import Core
import Foundation
import Hashing
import GRDB
import TestSupport
import Testing

@testable import Household
@testable import Store

/// A database of version 0d5695b with every kind of data that belongs to a person.
@Suite("Migration of people")
struct MigrationTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appending(path: "tablesight.sqlite")
        let old = try DatabaseQueue(path: file.path)
        try Migrations.all.migrate(old, upTo: "groceries 3 uploads, baskets")
        let password = try SecretHash(of: "correct horse", parameters: LockTests.quick)
        try old.write { database in
            for (name, allergen) in [("Ada", Allergen.milk), ("Leo", .peanuts)] {
                try database.execute(
                    sql: "INSERT INTO profile VALUES (?, ?)",
                    arguments: [
                        name, try JSONCoding.encode(AllergenProfile(name: name, allergens: [allergen: .severe])),
                    ])
            }
            for name in ["Ada", "Ben"] {
                try database.execute(
                    sql: "INSERT INTO diary_person (person, zone) VALUES (?, 'GMT')", arguments: [name])
                try database.execute(
                    sql: "INSERT INTO diary_key VALUES (?, ?)",
                    arguments: [Data(SHA256.digest(of: "key\(name)".utf8)), name])
                try database.execute(sql: "INSERT INTO diary_weight VALUES (?, 20700, 61000)", arguments: [name])
                try database.execute(
                    sql: """
                        INSERT OR IGNORE INTO diary_food (id, words, json) VALUES (1, 'oats', x'7B7D');
                        """)
                try database.execute(
                    sql: """
                        INSERT INTO diary_entry (person, id, day, at, zone, meal, food, serving, calories, protein, carbs, fat)
                        VALUES (?, 'one', 20700, 0, 'GMT', 'lunch', 1, x'7B7D', 450000, 0, 0, 0)
                        """, arguments: [name])
            }
            try database.execute(sql: "INSERT INTO diary_reader VALUES ('Ada', 'Ben')")
            try database.execute(sql: "INSERT INTO diary_code (person, hash, expires) VALUES ('Ada', x'00', 9)")
            for name in ["Ada", "Ruth", "Carl"] {
                try database.execute(
                    sql: "INSERT INTO account VALUES (?, ?, ?, ?, ?, ?, ?, 0)",
                    arguments: [
                        name.lowercased(), name, password.salt, password.hash, password.parameters.cost,
                        password.parameters.blockSize, password.parameters.lanes,
                    ])
                try database.execute(
                    sql: "INSERT INTO account_session VALUES (?, ?, 9999999999)",
                    arguments: [Data(name.utf8), name.lowercased()])
                try database.execute(
                    sql: "INSERT INTO grocery_list (name, owner, created) VALUES ('Week', ?, 0)", arguments: [name])
                try database.execute(
                    sql: "INSERT INTO grocery_member VALUES (?, last_insert_rowid())", arguments: [name])
            }
            try database.execute(
                sql: """
                    INSERT INTO grocery_place (uid, name, chain) VALUES ('place:1', 'Shop', 'shop');
                    INSERT INTO grocery_product (name, words) VALUES ('Oats', 'oats');
                    INSERT INTO grocery_mark VALUES ('Ada', 1, 1, 0);
                    INSERT INTO grocery_price
                        (product, place, amount, currency, per, isDiscounted, day, proof, confidence, contributor)
                        VALUES (1, 1, 24900, 'EUR', 'piece', 0, 20700, 'typed', 1, 'Ada');
                    INSERT INTO grocery_experience (kind, rating, comment, by, at) VALUES ('general', 5, 'Good', 'Ruth', 0);
                    INSERT INTO review (content, item, action, reviewer, made) VALUES ('sha256:1', '*', 'accept', 'Ada', 1);
                    INSERT INTO device (name, digest, paired) VALUES ('Phone', x'01', 0);
                    """)
        }
    }

    @Test func `everything is found under one person`() throws {
        let store = try OutcomeStore(at: file)
        #expect(try store.faults().isEmpty)
        let household = Household(store, parameters: LockTests.quick)
        let members = try household.members()
        #expect(members.map(\.name) == ["Ada", "Ben", "Carl", "Leo", "Ruth"])
        #expect(members.map(\.lock) == [.password, .key, .password, .none, .password])
        #expect(members.allSatisfy { $0.role == .adult })
        #expect(try store.profiles().map(\.name) == ["Ada", "Leo"])
        #expect(try store.reviews().map(\.reviewer) == ["Ada"])
        try store.read { (database) throws in
            func count(_ table: String, _ column: String, _ name: String) throws -> Int {
                try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM \(table) WHERE \(column) = ?", arguments: [name]) ?? -1
            }
            for (table, column) in [
                ("diary_person", "person"), ("diary_key", "person"), ("diary_weight", "person"),
                ("diary_entry", "person"), ("diary_day", "person"), ("diary_reader", "person"),
                ("grocery_list", "owner"), ("grocery_member", "person"), ("grocery_mark", "person"),
                ("grocery_price", "contributor"),
            ] {
                #expect(try count(table, column, "Ada") == 1, "\(table)")
            }
            #expect(try count("grocery_experience", "by", "Ruth") == 1)
            #expect(try count("diary_entry", "person", "Ben") == 1)
            for table in ["account", "account_session", "diary_code", "profile"] {
                #expect(try !database.tableExists(table))
            }
        }
        let phone = try #require(try household.devices().first)
        #expect(phone.name == "Phone" && phone.member == nil, "paired phones stay, and ask who it is")
    }

    @Test func `spellings that were stored since are one person too`() throws {
        let old = try DatabaseQueue(path: file.path)
        try Migrations.all.migrate(old, upTo: "9 reviews of kinds")
        try old.write { database in
            try database.execute(sql: "DELETE FROM account_session")
            try database.execute(sql: "UPDATE account SET person = 'BEN', name = 'ben' WHERE person = 'Carl'")
            try database.execute(sql: "UPDATE grocery_list SET owner = 'BEN' WHERE owner = 'Carl'")
            try database.execute(sql: "UPDATE grocery_member SET person = 'BEN' WHERE person = 'Carl'")
        }
        try old.close()
        let household = Household(try OutcomeStore(at: file), parameters: LockTests.quick)
        #expect(try household.members().map(\.name) == ["Ada", "Ben", "Leo", "Ruth"])
        #expect(try household.member(named: "BEN")?.lock == .password)
        let owners = try OutcomeStore(at: file).read { try String.fetchAll($0, sql: "SELECT owner FROM grocery_list") }
        #expect(owners == ["Ada", "Ruth", "Ben"])
    }

    @Test func `the old password or key opens once more, until a PIN is chosen`() throws {
        let household = Household(try OutcomeStore(at: file), parameters: LockTests.quick)
        let ada = try #require(try household.member(named: "Ada"))
        let ben = try #require(try household.member(named: "Ben"))
        let phone = try #require(try household.devices().first)
        #expect(throws: HouseholdProblem.refused) { try household.check("wrong horse", of: ada.id, on: phone.id) }
        try household.check("correct horse", of: ada.id, on: phone.id)
        #expect(try household.members(ofKeys: ["keyAda", "keyBen", "other"]) == [ada.id, ben.id])
        #expect(throws: HouseholdProblem.refused) { try household.check("", of: ben.id, on: phone.id) }
        try household.setPIN("1234", of: ada.id)
        #expect(throws: HouseholdProblem.refused) { try household.check("correct horse", of: ada.id, on: phone.id) }
        #expect(try household.members(ofKeys: ["keyAda", "keyBen"]) == [ben.id])
        try household.removePIN(of: ben.id)
        #expect(try household.members(ofKeys: ["keyBen"]) == [])
    }

    @Test func `the database is copied first, and a second start changes nothing`() throws {
        let before = try DatabaseQueue(path: file.path).read {
            try String.fetchAll($0, sql: "SELECT name FROM account")
        }
        _ = try OutcomeStore(at: file)
        let copies = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter {
            $0.hasPrefix("tablesight.sqlite.before-")
        }
        #expect(copies.count == 1)
        let copy = try DatabaseQueue(path: folder.url.appending(path: copies[0]).path)
        #expect(try copy.read { try String.fetchAll($0, sql: "SELECT name FROM account") } == before)
        func dump() throws -> [String] {
            try OutcomeStore(at: file).read { database in
                try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
                    .flatMap { table in
                        try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\"").map { "\(table) \($0)" }
                    }
            }
        }
        let first = try dump()
        #expect(try dump() == first)
        #expect(first.contains { $0.hasPrefix("member ") })
    }

    @Test func `a copy of that version is restored into this one`() throws {
        let place = folder.url.appending(path: "new.sqlite")
        let sidecars = try #require(FilePathBytes(folder.url.path))
        let store = try OutcomeStore.restore(file, to: place, sidecarsBelow: sidecars, replaces: false)
        #expect(try Household(store).members().count == 5)
        let old = try DatabaseQueue(path: file.path)
        #expect(try old.read { try $0.tableExists("account") }, "the copy itself is not changed")
    }
}
