import Foundation
import Store
import TestSupport
import Testing
import Core

@Suite("Profiles and reviews")
struct AllergenTablesTests {
    private let folder: TemporaryFolder
    private let store: OutcomeStore

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
    }

    @Test func `a profile is stored, changed and removed`() throws {
        var anna = AllergenProfile(
            name: "anna", regime: "us9", allergens: [.milk: .severe], language: "de", words: ["kiwi"])
        try store.save(anna)
        #expect(try store.profile(named: "anna") == anna)
        anna.allergens[.fish] = .mild
        try store.save(anna)
        #expect(try store.profiles() == [anna])
        #expect(try store.removeProfile(named: "anna"))
        #expect(try store.profile(named: "anna") == nil)
        #expect(try store.removeProfile(named: "anna") == false)
    }

    @Test func `reviews are stored in order and apart from outcomes`() throws {
        let first = Review(
            content: "sha256:1", item: "Soup", allergen: .celery, action: .verify, reviewer: "anna", made: 1)
        let second = Review(
            content: "sha256:2", item: "label", allergen: .milk, action: .edit, value: "CONTAINS", reviewer: "ben",
            made: 2)
        try store.add(first)
        try store.add(second)
        #expect(try store.reviews() == [first, second])
        #expect(try store.reviews(of: "sha256:2") == [second])
        #expect(try store.storedReadings(after: 0, limit: 10).readings.isEmpty)
    }
}
