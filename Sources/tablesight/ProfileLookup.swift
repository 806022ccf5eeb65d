import Foundation
import Pipeline
import Store
import Vocabulary

/// Finds people by their names: in a daemon's database first, then in `models/profiles`.
struct ProfileLookup {
    /// Everybody who is stored: one photo, a verdict for each of them.
    static let household = "household"

    let interpreter: Interpreter
    /// The daemon's database; it may not be there yet.
    let database: URL

    /// Each person once, in the order named.
    /// - Throws: `StartupError` that lists the people there are.
    func profiles(named names: [String]) throws -> [AllergenProfile] {
        // A database is opened only where it may be needed: `everyone` needs none.
        let isStored = FileManager.default.fileExists(atPath: database.path)
        let store = isStored && names != ["everyone"] ? try OutcomeStore(at: database) : nil
        var found: [AllergenProfile] = []
        for name in names {
            let people = name == Self.household ? try everybody(store) : [try person(name, store)]
            for person in people where !found.contains(where: { $0.name == person.name }) { found.append(person) }
        }
        return found
    }

    private func person(_ name: String, _ store: OutcomeStore?) throws -> AllergenProfile {
        if let stored = try store?.profile(named: name) { return stored }
        do {
            return try interpreter.profile(named: name)
        } catch {
            let stored = try store?.profiles().map(\.name) ?? []
            guard !stored.isEmpty else { throw error }
            throw StartupError(
                .configuration,
                "no profile \(name): in \(database.path) there are \(stored.joined(separator: ", "))")
        }
    }

    private func everybody(_ store: OutcomeStore?) throws -> [AllergenProfile] {
        let people = try store?.profiles() ?? []
        guard !people.isEmpty else {
            throw StartupError(
                .configuration,
                "no people are stored in \(database.path): add them with tablesight profile add NAME --allergen milk=severe, "
                    + "and name the database with --database")
        }
        return people
    }
}
