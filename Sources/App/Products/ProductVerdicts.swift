import Core
import Foundation
import Groceries
import HTTP
import Kinds
import Store

/// The verdicts of the entries of a list. Judges on its own thread, because the catalogue and the database block.
actor ProductVerdicts {
    private let executor = ThreadExecutor(label: "product verdicts")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let interpreter: @Sendable () throws -> Interpreter
    private let store: OutcomeStore
    private var cache: [Thing: (verdicts: Verdicts, made: ContinuousClock.Instant)] = [:]
    private var judgedFor: [AllergenProfile] = []

    private struct Thing: Hashable {
        /// 14 digits.
        var number: String?
        var name: String
    }

    /// A list is shown again after each change of it; an import or a photo may change a verdict meanwhile.
    private static let longest = Duration.seconds(30)
    private static let mostCached = 2000
    /// Photos of a product that are looked at, the newest first.
    private static let mostPhotos = 3

    init(_ store: OutcomeStore, interpreter: @escaping @Sendable () throws -> Interpreter) {
        self.store = store
        self.interpreter = interpreter
    }

    /// The verdicts of each entry by its number: those of its name, and for a product those of the record and of photos.
    func verdicts(of items: [GroceryItem], for people: [AllergenProfile]) throws -> [Int64: Verdicts] {
        if people != judgedFor || cache.count > Self.mostCached {
            cache = [:]
            judgedFor = people
        }
        guard !people.isEmpty, !items.isEmpty else { return [:] }
        let interpreter = try interpreter()
        var found: [Int64: Verdicts] = [:]
        for item in items {
            let thing = Thing(number: item.gtin, name: item.name)
            if let kept = cache[thing], kept.made + Self.longest > .now {
                found[item.id] = kept.verdicts
                continue
            }
            let verdicts = try verdicts(of: thing, for: people, by: interpreter)
            cache[thing] = (verdicts, .now)
            found[item.id] = verdicts
        }
        return found
    }

    private func verdicts(
        of thing: Thing, for people: [AllergenProfile], by interpreter: Interpreter
    ) throws -> Verdicts {
        guard let gtin = thing.number.flatMap({ GTIN($0) }) else {
            return interpreter.verdicts(onName: thing.name, for: people)
        }
        return try product(gtin, named: thing.name, for: people).verdicts ?? [:]
    }

    /// A product with the verdicts of its record and of its photos.
    ///
    /// - Parameter name: what people call it; nil judges the record alone.
    func product(_ gtin: GTIN, named name: String? = nil, for people: [AllergenProfile]) throws -> Product {
        var found = try interpreter().product(gtin, named: name, for: people)
        var verdicts = found.verdicts ?? [:]
        for json in try store.outcomes(ofProduct: gtin, limit: Self.mostPhotos) {
            let products = try JSONCoding.decode(Outcome.self, from: json).products ?? []
            for product in products where GTIN(product.gtin) == gtin {
                // A stored photo may have been judged for what a person avoided before.
                verdicts.mergeWarnings(from: (product.verdicts ?? [:]).filtered(for: people))
                found.name = found.name ?? product.name
            }
        }
        found.verdicts = verdicts
        return found
    }
}

extension Verdicts {
    /// The verdicts on what these people avoid now.
    fileprivate func filtered(for people: [AllergenProfile]) -> Verdicts {
        people.reduce(into: [:]) { result, person in
            result[person.name] = self[person.name]?.filter { allergen, _ in
                allergen == .personal ? person.words?.isEmpty == false : person.allergens[allergen] != nil
            }
        }
    }
}
