import ArgumentParser
import Daemon
import Foundation
import Store
import Core

/// `tablesight review`: people's corrections of verdicts, stored apart from the program's findings.
struct ReviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Stores people's corrections of verdicts.",
        help: """
            EXAMPLES
              Confirm a verdict, correct one, and confirm all verdicts of a photo:
              tablesight review add sha256:… --item "Tomatensuppe" --allergen milk --action verify --by anna
              tablesight review add sha256:… --item "Tomatensuppe" --allergen milk --action edit --value CONTAINS --by anna
              tablesight review add sha256:… --action accept --by anna
              Say that a photo is a menu; its stored readings are interpreted again:
              tablesight review add sha256:… --action readAs --value menu --by anna
              List all reviews, and write corrections as a case for tablesight eval:
              tablesight review list
              tablesight review export sha256:… > case.ndjson
            """,
        subcommands: [Add.self, List.self, Export.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Adds a review.")
        @Argument(help: "Photo id (sha256:…).") var content: String
        @Option(help: "Dish name, label, or product number; * is the whole photo.") var item = "*"
        @Option(help: "Allergen of the verdict.") var allergen: Allergen?
        @Option(help: "Action: verify, edit, accept or readAs.") var action: Review.Action
        @Option(help: "With edit: CONTAINS, MAY_CONTAIN or ABSENT; with readAs: the kind.") var value: String?
        @Option(help: "Name of the reviewer.") var by: String
        @OptionGroup var database: DatabaseOption

        func validate() throws {
            if action == .edit,
                value.map({ Review.values.contains($0) }) != true || allergen == nil
            {
                throw ValidationError("--action edit needs --allergen and --value CONTAINS, MAY_CONTAIN or ABSENT")
            }
        }

        func run() throws {
            let store = try database.store(makes: false)
            let by: String
            do { by = try DisplayName(self.by).shown } catch { throw ValidationError(error.detail) }
            let review = Review(
                content: content, item: item, allergen: allergen, action: action, value: value, reviewer: by,
                made: Date().timeIntervalSince1970)
            try review.check(in: store)
            try store.add(review)
            let file = URL(filePath: database.file)
            if action == .readAs {
                let replay = try TablesightEngine().replay(of: store, in: file, for: [], comparesBytes: true)
                for change in try replay.readAgain(content, in: store) { try StandardOutput.writeLine(change) }
            }
            try store.applyReviews(of: content)
            try StoredSidecars.write(store, beside: file)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists reviews, one JSON object per line.")
        @Argument(help: "Photo id (default: all photos).") var content: String?
        @OptionGroup var database: DatabaseOption

        func run() throws {
            for review in try database.store(makes: false).reviews(of: content) { try StandardOutput.writeLine(review) }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Writes a photo's corrections as a case for `tablesight eval`.")
        @Argument(help: "Photo id (sha256:…).") var content: String
        @OptionGroup var database: DatabaseOption

        private struct Fixture: Encodable {
            var id, kind, text: String
            var contains, mayContain, covered: [Allergen]
        }

        func run() throws {
            let store = try database.store(makes: false)
            let edits = try store.reviews(of: content).filter { $0.action != .accept && $0.allergen != nil }
            var last: Int64 = 0
            while true {
                let (page, end) = try store.storedReadings(after: last, limit: 500)
                guard let end else { break }
                last = end
                guard let found = page.first(where: { $0.outcome.id == content }) else { continue }
                return try write(edits, found)
            }
            throw StartupError(.noInput, "no stored reading for \(content): name the daemon's database with --database")
        }

        private func write(_ edits: [Review], _ stored: StoredReading) throws {
            for item in Set(edits.map(\.item)).sorted() {
                let own = edits.filter { $0.item == item }
                // The latest review of an allergen counts.
                var words: [Allergen: String] = [:]
                for edit in own { if let allergen = edit.allergen { words[allergen] = edit.value ?? "CONTAINS" } }
                let dish = stored.outcome.menu?.sections.flatMap(\.items).first { $0.name == item }
                let lines = stored.answer.readings.text?.lines.map(\.text) ?? []
                let text = dish.map { [$0.name, $0.description].compactMap { $0 } } ?? lines
                func named(_ word: String) -> [Allergen] { Allergen.allCases.filter { words[$0] == word } }
                try StandardOutput.writeLine(
                    Fixture(
                        id: "\(content)#\(item)", kind: dish == nil ? "label" : "dish",
                        text: text.joined(separator: "\n"), contains: named("CONTAINS"),
                        mayContain: named("MAY_CONTAIN"),
                        covered: Allergen.allCases.filter { words[$0] != nil }))
            }
        }
    }
}

extension Allergen: ExpressibleByArgument {}
extension Review.Action: ExpressibleByArgument {}
