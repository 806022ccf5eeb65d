import Allergens
import Foundation
import Glibc
import Household
import Store
import Core

/// Finds people by name: in databases, in the given order, in files, and in `models/profiles`.
package struct People: Sendable {
    /// Selects all stored people; each gets verdicts for the photo.
    package static let household = "household"

    private let models: ModelFolder
    private let files: [URL]

    /// - Parameter files: databases; missing ones are skipped. The first that has a name counts.
    package init(models: ModelFolder, in files: [URL]) {
        self.models = models
        self.files = files
    }

    /// The user's database: `TABLESIGHT_PEOPLE`, else `tablesight/people.sqlite` in the folder of the user's data.
    package static func usualFile(environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        if let named = environment["TABLESIGHT_PEOPLE"] { return URL(filePath: named) }
        return UserFolder.data(environment: environment).appending(path: "tablesight/people.sqlite")
    }

    /// The database of a daemon that watches ./inbox.
    package static let daemonsFile = "inbox.tablesight/tablesight.sqlite"

    /// The database of the household for commands: `TABLESIGHT_PEOPLE`, else the daemon's if it exists, else the user's.
    ///
    /// - Parameter daemon: by default that of a daemon that watches ./inbox.
    package static func householdFile(
        daemon: URL = URL(filePath: daemonsFile), environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> URL {
        guard environment["TABLESIGHT_PEOPLE"] == nil, FileManager.default.fileExists(atPath: daemon.path) else {
            return usualFile(environment: environment)
        }
        return daemon
    }

    /// The people in the order of their names, without repetition. A name with a slash or the ending `.json` is a file.
    package func profiles(named names: [String]) throws -> [AllergenProfile] {
        // `everyone` needs no database, so none is opened.
        let stores = names == ["everyone"] ? [] : try existing.map { try OutcomeStore(at: $0, checkpoints: false) }
        var found: [AllergenProfile] = []
        for name in names {
            let people = name == Self.household ? try everybody(stores) : [try person(name, stores)]
            for person in people where !found.contains(where: { DisplayName.areEqual($0.name, person.name) }) {
                found.append(person)
            }
        }
        return found
    }

    /// Those whom a command judges for: the named people; without names all stored ones, or everyone if none is stored.
    package func judged(named names: [String]) throws -> [AllergenProfile] {
        guard names.isEmpty else { return try profiles(named: names) }
        let stored = try stored()
        return try stored.isEmpty ? profiles(named: [AllergenProfile.everyone]) : stored
    }

    private var existing: [URL] { files.filter { FileManager.default.fileExists(atPath: $0.path) } }

    /// A value that changes if people may have been added, changed or removed.
    package var signature: [Int64] {
        files.flatMap { [$0.path, $0.path + "-wal"] }.flatMap { path -> [Int64] in
            var status = stat()
            guard stat(path, &status) == 0 else { return [0, 0, 0] }
            return [Int64(status.st_size), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec)]
        }
    }

    private func person(_ name: String, _ stores: [OutcomeStore]) throws -> AllergenProfile {
        for store in stores { if let stored = try store.profile(named: name) { return stored } }
        if name.contains("/") || name.hasSuffix(".json") { return try file(name) }
        do {
            return try AllergenProfile.shipped(named: name, in: models)
        } catch {
            let stored = try stores.flatMap { try $0.profiles() }.map(\.name)
            guard !stored.isEmpty else { throw error }
            throw StartupError(
                .configuration,
                "no profile \(name): available in \(existing.map(\.path).joined(separator: " and ")): "
                    + "\(stored.joined(separator: ", "))")
        }
    }

    private func file(_ name: String) throws -> AllergenProfile {
        guard let data = FileManager.default.contents(atPath: name) else {
            throw StartupError(.configuration, "no profile \(name): the file does not exist")
        }
        do {
            var profile = try JSONCoding.decode(AllergenProfile.self, from: data)
            profile.name = try DisplayName(profile.name).shown
            return profile
        } catch let problem as NameProblem {
            throw StartupError(.configuration, "\(name): \(problem.detail)")
        } catch {
            throw StartupError(
                .configuration,
                "\(name) is not a profile: expected "
                    + "{\"name\":\"anna\",\"regime\":\"eu14\",\"allergens\":{\"milk\":\"severe\"}}"
            )
        }
    }

    /// Everybody who stays, with role and what warns them; empty if there are none.
    package func members() throws -> [NewMember] {
        try existing.map { Household(try OutcomeStore(at: $0, checkpoints: false)) }.flatMap { try $0.members() }
            .filter { $0.role != .guest }.map { NewMember($0.name, role: $0.role, profile: $0.profile) }
    }

    /// All stored people whom something warns; empty if there are none.
    package func stored() throws -> [AllergenProfile] {
        try stored(in: existing.map { try OutcomeStore(at: $0, checkpoints: false) })
    }

    private func stored(in stores: [OutcomeStore]) throws -> [AllergenProfile] {
        var people: [AllergenProfile] = []
        for person in try stores.flatMap({ try $0.profiles() })
        where !people.contains(where: { DisplayName.areEqual($0.name, person.name) }) {
            people.append(person)
        }
        return people
    }

    private func everybody(_ stores: [OutcomeStore]) throws -> [AllergenProfile] {
        let people = try stored(in: stores)
        guard !people.isEmpty else {
            throw StartupError(
                .configuration,
                "no people are stored in \(files.map(\.path).joined(separator: " or ")): "
                    + "add them with tablesight household add NAME --allergen milk=severe")
        }
        return people
    }
}
