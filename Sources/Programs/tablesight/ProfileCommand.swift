import ArgumentParser
import Core
import Household
import Store

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

        /// Adds what is named to what is known of a person.
        func apply(to input: inout PersonInput, _ people: PeopleActions) throws {
            input.regime = regime ?? input.regime
            if all { for one in try people.allergens(of: input.regime) { input.allergens[one.rawValue] = .high } }
            for text in allergen {
                let parts = text.split(separator: "=").map(String.init)
                guard let level = AllergenProfile.Sensitivity(rawValue: parts.count > 1 ? parts[1] : "high") else {
                    let all = ["mild", "moderate", "high", "severe"]
                    let meant = Suggestion.text(for: parts.last ?? "", among: all)
                    throw ValidationError("\(text): the sensitivity must be mild, moderate, high or severe\(meant)")
                }
                input.allergens[parts.first ?? text] = level
            }
            input.language = language ?? input.language
            input.words += word
        }

        /// - Parameter without: allergens and words to take away.
        func edit(
            _ name: String, role: Member.Role? = nil, colour: Int? = nil, without: [String], _ people: PeopleActions
        ) async throws {
            let member = try await people.actions.member(name)
            var input = PersonInput(of: member)
            (input.role, input.colour) = (role ?? input.role, colour ?? input.colour)
            try apply(to: &input, people)
            for text in without {
                input.allergens[text] = nil
                input.words.removeAll { $0 == text }
            }
            try await people.save(member.name, input)
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Adds a person.")
        @Argument(help: "The person's name.") var name: String
        @OptionGroup var description: Description
        @OptionGroup var place: HouseholdPlace

        func run() async throws {
            HouseholdCommand.note("profile add", is: "add")
            let people = try await place.people(makes: true)
            var input = PersonInput()
            try description.apply(to: &input, people)
            guard !input.allergens.isEmpty || !input.words.isEmpty else {
                throw ValidationError("name the allergens of \(name.printable): --allergen milk=severe, or --all")
            }
            try await people.save(name, formerly: nil, input, by: .key)
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
            try await description.edit(name, without: without, place.people())
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
            let report = try await HouseholdCommand.Remove.remove(name, from: file, confirmation)
            HouseholdCommand.Remove.tellOfDaemons(report.removed, file)
            for line in HouseholdCommand.Remove.lines(report) { StandardError.write("removed: \(line)\n") }
        }
    }
}
