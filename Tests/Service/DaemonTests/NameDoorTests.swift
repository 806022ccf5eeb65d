import Foods
import Catalogue
import Core
import Diary
import Foundation
import GRDB
import Groceries
import HTTP
import Household
import Store
import TestSupport
import Testing

@testable import App
@testable import Daemon
@testable import Engine

/// Every door that takes the name of a person, a list or a place.
@Suite struct NameDoorTests {
    /// What takes a name, and the stored name that it then finds.
    private struct Door {
        var name: String
        var add: (String) throws -> Void
        var find: (String) throws -> String?
    }

    private let folder: TemporaryFolder
    private let store: OutcomeStore
    private let groceries: Groceries

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        let rules = try ModelFolder(Repository.models).load(GroceryRules.self, from: "groceries/rules.json")
        groceries = Groceries(store, rules: rules)
    }

    private func doors() throws -> [Door] {
        let diary = Diary(store)
        let household = Household(store)
        let shared = try groceries.makeList("Shared", by: "Owner").id
        func profile(_ name: String) -> AllergenProfile { AllergenProfile(name: name, allergens: [.milk: .severe]) }
        let file = folder.url.appending(path: "person.json")
        let people = People(models: ModelFolder(Repository.models), in: [])
        return [
            Door(
                name: "member", add: { try household.add(NewMember($0, profile: profile($0))) },
                find: { try household.member(named: $0)?.name }),
            Door(
                name: "member of a command", add: { _ = try household.person(named: $0) },
                find: { try store.profile(named: $0)?.name }),
            Door(
                name: "profile file",
                add: {
                    try JSONCoding.encode(profile($0)).write(to: file)
                    _ = try people.profiles(named: [file.path])
                }, find: { _ in try people.profiles(named: [file.path]).first?.name }),
            Door(
                name: "diary", add: { try diary.save(.init(name: $0, zone: "GMT")) },
                find: { try diary.person($0)?.name }),
            Door(
                name: "list", add: { _ = try groceries.makeList($0, by: "Owner") },
                find: { name in
                    try groceries.lists(of: "Owner").map(\.name).first { DisplayName.areEqual($0, name) }
                }),
            Door(
                name: "owner", add: { _ = try groceries.makeList("Week", by: $0) },
                find: { try groceries.lists(of: groceries.person(named: $0)).first?.owner }),
            Door(
                name: "sharer", add: { _ = try groceries.share(shared, with: $0, isAllowed: true, by: "Owner") },
                find: { try groceries.list(shared, of: groceries.person(named: $0)).people.first { $0 != "Owner" } }),
            Door(
                name: "place", add: { _ = try groceries.place(of: NewPlace(name: $0), by: "Owner") },
                find: { name in
                    // A new one is made where none is found, so there would be two.
                    _ = try groceries.place(of: NewPlace(name: "ZOË"), by: "Owner")
                    let all = try groceries.places(for: "Owner")
                    return all.count == 1 ? all.first { DisplayName.areEqual($0.name, name) }?.name : nil
                }),
        ]
    }

    private static let spellings = ["Zoe\u{308}", " ZO\u{CB}", "zo\u{EB}\u{200B}", "Ｚoë", "Zo\u{EB}\u{AD}"]

    @Test func `each door stores a name in NFC and finds it by every spelling`() throws {
        for door in try doors() {
            try door.add("Zoe\u{308}")
            for spelling in ["Zo\u{EB}"] + Self.spellings {
                let found = try #require(try door.find(spelling), "\(door.name): \(spelling)")
                #expect(found.utf8.elementsEqual("Zo\u{EB}".utf8), "\(door.name): \(Array(found.unicodeScalars))")
            }
        }
        #expect(try store.profiles().count == 1)
        #expect(try Diary(store).people().count == 1)
    }

    @Test func `each door refuses what nobody sees and what looks like another name`() throws {
        let hidden = (Array(UInt32(0)..<0x3400) + Array(0xE0000..<0xE0FFF)).lazy.compactMap(Unicode.Scalar.init).filter
        { scalar in
            scalar.properties.generalCategory == .format || scalar.properties.generalCategory == .control
                || scalar.properties.isDefaultIgnorableCodePoint
        }
        let all = Array(hidden)
        let names =
            stride(from: 0, to: all.count, by: max(1, all.count / 60)).map { "Ad\(all[$0])a" }
            + ["Аda", "Lеo", "\u{200B}", "", "Ada\u{202E}", "Ad\u{85}a", String(repeating: "x", count: 61)]
        for door in try doors() {
            for name in names {
                #expect(throws: (any Error).self, "\(door.name): \(Array(name.unicodeScalars))") { try door.add(name) }
            }
        }
    }

    @Test func `no request of the API falls into a default`() throws {
        let sources = Repository.root.appending(path: "Sources")
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { path in
            ["UseCases", "Actions", "Refusals"].contains { path.hasSuffix("\($0).swift") }
        }
        #expect(files.count > 10)
        for name in files {
            let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(!lines.contains { $0.hasPrefix("default:") }, "\(name): name each case")
        }
    }
}
