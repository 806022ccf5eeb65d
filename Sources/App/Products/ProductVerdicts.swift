import HTTP
import Core
import Foundation
import Kinds
import Store

/// The verdicts of products by their numbers, for the entries of a list. Judges on its own thread, because the catalogue
/// and the database block.
actor ProductVerdicts {
    private let executor = ThreadExecutor(label: "product verdicts")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let interpreter: @Sendable () throws -> Interpreter
    private let store: OutcomeStore
    private var cache: [String: (verdicts: Verdicts, made: ContinuousClock.Instant)] = [:]
    private var judgedFor: [AllergenProfile] = []

    /// A list is shown again after each change of it; an import or a photo may change a verdict meanwhile.
    private static let longest = Duration.seconds(30)
    private static let mostCached = 2000
    /// Photos of a product that are looked at, the newest first.
    private static let mostPhotos = 3

    init(_ store: OutcomeStore, interpreter: @escaping @Sendable () throws -> Interpreter) {
        self.store = store
        self.interpreter = interpreter
    }

    /// The verdicts of the record, made more serious by photos of the product.
    ///
    /// - Parameter numbers: 14 digits each. A wrong number has no verdicts.
    func verdicts(of numbers: [String], for people: [AllergenProfile]) throws -> [String: Verdicts] {
        if people != judgedFor || cache.count > Self.mostCached {
            cache = [:]
            judgedFor = people
        }
        let interpreter = try interpreter()
        var found: [String: Verdicts] = [:]
        for number in numbers {
            if let kept = cache[number], kept.made + Self.longest > .now {
                found[number] = kept.verdicts
                continue
            }
            guard let gtin = GTIN(number) else { continue }
            var verdicts = interpreter.product(gtin, for: people).verdicts ?? [:]
            for json in try store.outcomes(ofProduct: gtin, limit: Self.mostPhotos) {
                let products = try JSONCoding.decode(Outcome.self, from: json).products ?? []
                for product in products where GTIN(product.gtin) == gtin {
                    verdicts.mergeWarnings(from: product.verdicts ?? [:])
                }
            }
            cache[number] = (verdicts, .now)
            found[number] = verdicts
        }
        return found
    }
}
