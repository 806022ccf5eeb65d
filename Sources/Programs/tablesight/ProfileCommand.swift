import ArgumentParser
import Allergens
import Daemon
import Foundation
import Baskets
import Groceries
import Household
import Presentation
import Store
import Core

/// `tablesight profile`: people and their allergens.
struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Stores people and their allergens.",
        help: """
            EXAMPLES
              tablesight profile add anna --allergen milk=severe --allergen nuts=high --language de   add a person
              tablesight profile add ben --regime us9 --all                                           all US allergens
              tablesight profile edit anna --word kiwi --without nuts                                 change a person
              tablesight profile list                                                                 list all people
            """,
        subcommands: [Add.self, Edit.self, List.self, Remove.self])

    /// The options that describe a person.
    struct Description: ParsableArguments {
        @Option(help: "Allergen with its sensitivity (mild, moderate, high, severe): milk=severe. May be repeated.")
        var allergen: [String] = []

        @Flag(help: "Add every allergen of the regime with sensitivity high.")
        var all = false

        @Option(help: "Allergen regime: eu14, us9, canada, aunz or japan.")
        var regime: String?

        @Option(help: "Language of the verdicts: en, de, fr, …")
        var language: String?

        @Option(help: "Personal word that is reported wherever it appears. May be repeated.")
        var word: [String] = []

        func apply(to profile: inout AllergenProfile, _ engine: TablesightEngine) throws {
            let interpreter = try engine.allergens()
            if let regime { profile.regime = try interpreter.regime(named: regime).name }
            let known = try interpreter.regime(named: profile.regime).allergens
            if all { for allergen in known { profile.allergens[allergen] = .high } }
            for text in allergen {
                let parts = text.split(separator: "=").map(String.init)
                guard let allergen = parts.first.flatMap(Allergen.init(rawValue:)), known.contains(allergen) else {
                    let names = known.map(\.rawValue).joined(separator: ", ")
                    let typed = parts.first ?? text
                    let meant = Suggestion.text(for: typed, among: known.map(\.rawValue))
                    throw ValidationError("\(typed) is not in the regime \(profile.regime) (\(names))\(meant)")
                }
                guard let sensitivity = AllergenProfile.Sensitivity(rawValue: parts.count > 1 ? parts[1] : "high")
                else {
                    let all = ["mild", "moderate", "high", "severe"]
                    let meant = Suggestion.text(for: parts.last ?? "", among: all)
                    throw ValidationError("\(text): the sensitivity must be mild, moderate, high or severe\(meant)")
                }
                profile.allergens[allergen] = sensitivity
            }
            if let language {
                let known = try engine.wordings().languages
                guard known.contains(language) else {
                    let meant = Suggestion.text(for: language, among: known)
                    throw ValidationError(
                        "no texts in the language \(language) (available: \(known.joined(separator: ", ")))\(meant)")
                }
                profile.language = language
            }
            if let word = word.first(where: { $0.printable != $0 }) {
                throw ValidationError("the word \(word.printable) has control characters: type it again")
            }
            if !word.isEmpty {
                profile.words = (profile.words ?? []) + word.filter { profile.words?.contains($0) != true }
            }
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Adds a person.")
        @Argument(help: "The person's name.") var name: String
        @OptionGroup var description: Description
        @OptionGroup var database: DatabaseOption

        func run() throws {
            let name: String
            do { name = try DisplayName(self.name).shown } catch { throw ValidationError(error.detail) }
            var profile = AllergenProfile(name: name, allergens: [:])
            try description.apply(to: &profile, TablesightEngine())
            guard !profile.allergens.isEmpty || profile.words?.isEmpty == false else {
                throw ValidationError("name the allergens of \(name): --allergen milk=severe, or --all")
            }
            let household = Household(try database.people(makes: true))
            do { try household.add(NewMember(name, profile: profile)) } catch HouseholdProblem.taken(let name) {
                throw StartupError(.usage, "the profile \(name) exists: change it with tablesight profile edit \(name)")
            }
        }
    }

    struct Edit: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "edit", abstract: "Changes a person.")
        @Argument(help: "The person's name.") var name: String
        @OptionGroup var description: Description
        @Option(help: "Allergen or word to remove. May be repeated.") var without: [String] = []
        @OptionGroup var database: DatabaseOption

        func run() throws {
            let store = try database.people(makes: false)
            guard var member = try Household(store).member(named: name) else {
                throw ProfileCommand.unknown(name, store)
            }
            try description.apply(to: &member.profile, TablesightEngine())
            for text in without {
                if let allergen = Allergen(rawValue: text) { member.profile.allergens[allergen] = nil }
                member.profile.words?.removeAll { $0 == text }
            }
            try Household(store).save(member)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists people, one JSON object per line.")
        @OptionGroup var database: DatabaseOption

        func run() throws {
            for profile in try database.people(makes: false).profiles() { try StandardOutput.writeLine(profile) }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "remove", abstract: "Removes a person.")
        @Argument(help: "The person's name.") var name: String
        @OptionGroup var database: DatabaseOption

        func run() throws {
            let store = try database.people(makes: false)
            let rules = try TablesightEngine().models.load(GroceryRules.self, from: "groceries/rules.json")
            guard try MemberErasure(store, rules: rules).erase(name, isAlone: false) != nil else {
                throw ProfileCommand.unknown(name, store)
            }
        }
    }

    static func unknown(_ name: String, _ store: OutcomeStore) -> StartupError {
        let names = (try? store.profiles().map(\.name).joined(separator: ", ")) ?? ""
        return StartupError(.noInput, "no profile \(name) in the database (available: \(names))".printable)
    }
}
