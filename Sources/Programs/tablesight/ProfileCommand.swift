import ArgumentParser
import Allergens
import Engine
import Foundation
import Household
import Kinds
import Store
import Core

/// `tablesight profile`: an earlier name of commands of `tablesight household`.
struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "An earlier name of `tablesight household add`, `edit`, `list` and `remove`.",
        shouldDisplay: false,
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

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Adds a person.")
        @Argument(help: "The person's name.") var name: String
        @OptionGroup var description: Description
        @OptionGroup var place: HouseholdPlace

        func run() async throws {
            HouseholdCommand.note("profile add", is: "add")
            let name: String
            do { name = try DisplayName(self.name).shown } catch { throw ValidationError(error.detail) }
            var profile = AllergenProfile(name: name, allergens: [:])
            try description.apply(to: &profile, TablesightEngine())
            guard profile.warns else {
                throw ValidationError("name the allergens of \(name): --allergen milk=severe, or --all")
            }
            let household = try await place.household(makes: true)
            guard try household.member(named: name) == nil else {
                throw StartupError(
                    .usage, "the profile \(name) exists: change it with tablesight household edit \(name)")
            }
            _ = try HouseholdProblem.translated { try household.add(NewMember(name, profile: profile)) }
        }
    }

    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "edit", abstract: "Changes a person.")
        @Argument(help: "The person's name.") var name: String
        @OptionGroup var description: Description
        @Option(help: "Allergen or word to remove. May be repeated.") var without: [String] = []
        @OptionGroup var place: HouseholdPlace

        func run() async throws {
            HouseholdCommand.note("profile edit", is: "edit")
            let household = try await place.household()
            var member = try household.known(name)
            try description.apply(to: &member.profile, TablesightEngine())
            ProfileCommand.remove(without, from: &member.profile)
            try HouseholdProblem.translated { try household.save(member) }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists people with allergens, one JSON object per line.")
        @OptionGroup var place: HouseholdPlace

        func run() async throws {
            HouseholdCommand.note("profile list", is: "list --json")
            for profile in try await place.store().profiles() { try StandardOutput.writeLine(profile) }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "remove", abstract: "Removes a person.")
        @Argument(help: "The person's name.") var name: String
        @OptionGroup var confirmation: Confirmation
        @OptionGroup var place: HouseholdPlace

        func run() async throws {
            HouseholdCommand.note("profile remove", is: "remove")
            let file = try await place.file()
            let report = try HouseholdCommand.Remove.remove(name, from: file, confirmation)
            HouseholdCommand.Remove.tellOfDaemons(report.removed, file)
            for line in HouseholdCommand.Remove.lines(report) { StandardError.write("removed: \(line)\n") }
        }
    }

    /// Takes allergens and words out of a profile.
    static func remove(_ words: [String], from profile: inout AllergenProfile) {
        for text in words {
            if let allergen = Allergen(rawValue: text) { profile.allergens[allergen] = nil }
            profile.words?.removeAll { $0 == text }
        }
    }
}
