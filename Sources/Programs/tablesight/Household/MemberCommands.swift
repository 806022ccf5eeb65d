import ArgumentParser
import Core
import Engine
import Foundation
import Household
import Store

extension Member.Role: ExpressibleByArgument {}

/// Columns of text for people. A line has no blanks at its end.
struct TextTable {
    private var rows: [[String]]

    init(head: [String], rows: [[String]]) { self.rows = [head] + rows }

    var lines: [String] {
        let widths = rows.reduce(into: [Int]()) { widths, row in
            for (column, text) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], text.count)
            }
        }
        return rows.map { row in
            let line = zip(row, widths).map { text, width in
                text + String(repeating: " ", count: width - text.count)
            }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension HouseholdCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the people.",
            help: """
                EXAMPLES
                  tablesight household list           a table
                  tablesight household list --json    one JSON object a line
                """)
        @Flag(help: "Print one JSON object a line.") var json = false
        @OptionGroup var place: HouseholdPlace

        struct Line: Encodable {
            var name, role: String
            var colour: Int
            /// `none`, `pin`, or what an earlier version used: `password`, `key`.
            var lock: String
            /// When a guest ends, ISO 8601.
            var ends: String?
            var profile: AllergenProfile
        }

        func run() async throws {
            let members = try await place.household()({ try $0.members() })
            if json {
                for member in members {
                    try StandardOutput.writeLine(
                        Line(
                            name: member.name, role: member.role.rawValue, colour: member.colour,
                            lock: member.lock.rawValue, ends: member.ends.map(Self.time), profile: member.profile))
                }
                return
            }
            guard !members.isEmpty else {
                return StandardError.write("tablesight: nobody yet: tablesight household add NAME\n")
            }
            let table = TextTable(
                head: ["NAME", "ROLE", "LOCK", "WARNED OF"],
                rows: members.map { member in
                    let role = member.ends.map { "guest until \(Self.time($0))" } ?? member.role.rawValue
                    let lock = member.lock == .none ? "–" : member.lock.rawValue
                    return [member.name, role, lock, Self.warnings(member.profile)].map(\.printable)
                })
            try StandardOutput.write(table.lines.joined(separator: "\n") + "\n")
        }

        /// `milk (severe), nuts (high), “kiwi”`, in the order of the law.
        private static func warnings(_ profile: AllergenProfile) -> String {
            let allergens = profile.allergens.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { "\($0.key.rawValue) (\($0.value.rawValue))" }
            let all = allergens + (profile.words ?? []).map { "“\($0)”" }
            return all.isEmpty ? "–" : all.joined(separator: ", ")
        }

        static func time(_ seconds: Int64) -> String {
            Date(seconds: seconds).formatted(.iso8601)
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds a person.",
            help: """
                EXAMPLES
                  tablesight household add Anna --allergen milk=severe --language de
                  tablesight household add Tim --role child --word kiwi
                  tablesight household add Ben --regime us9 --all
                """)
        @Argument(help: "The person's name.") var name: String
        @Option(help: "adult, child, or guest: a guest ends after a day.") var role = Member.Role.adult
        @OptionGroup var description: ProfileCommand.Description
        @OptionGroup var place: HouseholdPlace

        func run() async throws {
            let people = try await place.people(makes: true)
            var input = PersonInput(role: role)
            try description.apply(to: &input, people)
            try await people.save(name, formerly: nil, input, by: .key)
        }
    }

    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "edit", abstract: "Changes a person's role, colour, language and allergens.",
            help: """
                EXAMPLES
                  tablesight household edit Anna --word kiwi --without nuts
                  tablesight household edit Tim --role adult --colour 3
                """)
        @Argument(help: "The person's name.") var name: String
        @Option(help: "adult or child; a guest with a new role stays.") var role: Member.Role?
        @Option(help: "Number of the picture's colour, 1 to 4.") var colour: Int?
        @OptionGroup var description: ProfileCommand.Description
        @Option(help: "Allergen or word to remove. May be repeated.") var without: [String] = []
        @OptionGroup var place: HouseholdPlace

        func run() async throws {
            try await description.edit(name, role: role, colour: colour, without: without, place.people())
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Gives a person another name, in everything that is theirs.",
            help: """
                EXAMPLES
                  tablesight household rename Anna "Anna Huber"
                """)
        @Argument(help: "The present name.") var name: String
        @Argument(help: "The new name.") var new: String
        @OptionGroup var place: HouseholdPlace

        func run() async throws {
            try await place.household().rename(name, to: new)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes a person with everything that is theirs.",
            help: """
                Diary, goal, weights, lists and prices of the person are deleted. The command prints what there was.
                Copies of `tablesight backup` keep it. The command asks first; without a terminal it needs --yes.

                EXAMPLES
                  tablesight household remove Tim --yes
                """)
        @Argument(help: "The person's name.") var name: String
        @OptionGroup var confirmation: Confirmation
        @OptionGroup var place: HouseholdPlace

        func run() async throws {
            let file = try await place.file()
            let report = try await Self.remove(name, from: file, confirmation)
            try StandardOutput.write(
                (Self.lines(report) + ["\(report.removed.printable) is removed", ""]).joined(separator: "\n"))
            Self.tellOfDaemons(report.removed, file)
        }

        /// Removes a person from a database, which a daemon may have open.
        ///
        /// - Parameter confirmation: asked before anything is deleted.
        static func remove(
            _ name: String, from file: URL, _ confirmation: Confirmation
        ) async throws -> Member.Report {
            let household = Household(try DatabaseOption.store(at: file, makes: false))
            let people = try HouseholdPlace.people(household)
            let (member, report) = try await people.report(of: name)
            let lines = lines(report)
            try confirmation.ask(report.removed.printable + (lines.isEmpty ? "" : " and all of this"), after: lines)
            try DatabaseOption.erasing(in: file.deletingLastPathComponent().path) {
                try people.erase(member, isAlone: $0)
            }
            return report
        }

        /// Says where somebody of the user's own database stays: each daemon that took them over has its own copy.
        static func tellOfDaemons(_ name: String, _ file: URL) {
            guard file.standardizedFileURL == People.usualFile().standardizedFileURL else { return }
            StandardError.write(
                "tablesight: a daemon that ran meanwhile keeps its own copy of \(name.printable) and still judges for them. "
                    + "Remove that copy too: tablesight household remove NAME --output FOLDER\n")
        }

        /// What there was, a line for each kind.
        static func lines(_ report: Member.Report) -> [String] {
            [
                (report.diaryEntries, "entries of the diary"), (report.weights, "weights"),
                (report.lists, "lists of their own"), (report.sharedLists, "lists that stay with others"),
                (report.prices, "prices"), (report.experiences, "experiences"),
                (report.saved, "items saved from photos"),
                (report.devices, "devices that they used, which stay"),
            ].filter { $0.0 > 0 }.map { "\($0.0)  \($0.1)" }
        }
    }

    struct Name: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "name", abstract: "Prints the name of the household, or sets it.",
            help: """
                EXAMPLES
                  tablesight household name "Huber family"
                  tablesight household name
                """)
        @Argument(help: "The new name.") var new: String?
        @OptionGroup var place: HouseholdPlace

        func run() async throws {
            let household = try await place.household(makes: new != nil)
            if let new { return try await household { try $0.setName(new) } }
            guard let name = try await household({ try $0.name() }) else {
                throw StartupError(.noInput, "the household has no name yet: tablesight household name NAME")
            }
            try StandardOutput.write("\(name.printable)\n")
        }
    }

    struct PIN: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pin", abstract: "Says if a person has a PIN, or removes a forgotten one at once.",
            help: """
                A person sets the PIN in the app. In the app an adult can ask for the removal of a forgotten PIN, which
                takes a day. This command needs the right to write the daemon's database, and removes it at once. The
                private pages are then open to whoever chooses the person, until they set a new PIN.

                EXAMPLES
                  tablesight household pin Mia
                  tablesight household pin Mia --remove
                """)
        @Argument(help: "The person's name.") var name: String
        @Flag(help: "Remove the PIN.") var remove = false
        @OptionGroup var place: HouseholdPlace

        func run() async throws {
            let household = try await place.household()
            let member = try await household.member(name)
            let name = member.name.printable
            guard member.lock != .none else { return try StandardOutput.write("\(name) has no PIN\n") }
            if remove {
                try await household.askRemoval(of: member.name, by: .key)
                return try StandardOutput.write("the PIN of \(name) is removed\n")
            }
            var text = "\(name) has a PIN"
            switch member.lock {
            case .password: text = "\(name) has the password of an earlier version, and chooses a PIN with it once"
            case .key: text = "\(name) has the diary key of an earlier version, and chooses a PIN with it once"
            case .pin, .none: break
            }
            if let removal = member.removal {
                text +=
                    "; \(removal.askedBy.printable) asked for its removal, which takes place at "
                    + List.time(removal.opens)
            }
            try StandardOutput.write(text + "\n")
        }
    }
}
