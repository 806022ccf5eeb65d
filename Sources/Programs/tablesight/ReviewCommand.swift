import ArgumentParser
import Engine
import Foundation
import Household
import Store
import Core

struct ReviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Stores people's corrections of what the program says.",
        help: """
            EXAMPLES
              Confirm a verdict, correct one, and confirm all verdicts of a photo:
              tablesight review add sha256:… --item "Tomatensuppe" --allergen milk --action verify --by anna
              tablesight review add sha256:… --item "Tomatensuppe" --allergen milk --action edit --value CONTAINS --by anna
              tablesight review add sha256:… --action accept --by anna
              Say that a photo is a menu; its stored readings are interpreted again:
              tablesight review add sha256:… --action readAs --value menu --by anna
              Correct the name of a dish, add one that is missing, and take a review back:
              tablesight review add sha256:… --item "Tomatensuppe" --action rename --value "Tomatencremesuppe" --by anna
              tablesight review add sha256:… --item "Gulasch" --action addDish --value 12.50 --place 80,640,500,40 --by anna
              tablesight review undo 6
              List all reviews, and write corrections as a case for tablesight eval:
              tablesight review list
              tablesight review export sha256:… > case.ndjson
              Write a corrected menu for training:
              tablesight review export sha256:… --menu > page.ndjson
            """,
        subcommands: [Add.self, List.self, Undo.self, Export.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds a review, and prints it with its number.")
        @Argument(help: "Photo id (sha256:…).") var content: String
        @Option(help: "Dish name, label, or product number; * is the whole photo.") var item = "*"
        @Option(help: "Allergen of the verdict.") var allergen: Allergen?
        @Option(help: "Action: \(Review.Action.allCases.map(\.rawValue).joined(separator: ", ")).")
        var action: Review.Action
        @Option(
            help: """
                With edit: CONTAINS, MAY_CONTAIN, ABSENT (staff said no), CAN_OMIT (staff can make it without) or UNKNOWN; \
                with readAs: the kind; with rename, describe and section: the text; with price and addDish: prices such as "3.50 / 5.00".
                """)
        var value: String?
        @Option(help: "Where the dish is printed: left,top,width,height in pixels of the upright photo.")
        var place: PlaceArgument?
        @Option(help: "Name of the reviewer.") var by: String
        @Option(help: "Who of the staff said so.") var staff: String?
        @OptionGroup var database: DatabaseOption

        func run() async throws {
            let store = try database.store(makes: false)
            var review = Review(
                content: content, item: item, allergen: allergen, action: action, value: value, place: place?.quad,
                reviewer: "", made: 0)
            review.staff = staff
            for stored in try await ReviewActions(store, judged: nil).add([review], by: by, for: .key) {
                try StandardOutput.writeLine(stored)
            }
            try database.judgeAgain(content, in: store)
        }
    }

    struct Undo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo", abstract: "Takes reviews back; what they said is undone.")
        @Argument(help: "Numbers of the reviews, as `tablesight review list` shows them.") var numbers: [Int64]
        @OptionGroup var database: DatabaseOption

        func run() async throws {
            let store = try database.store(makes: false)
            for number in numbers {
                let review = try await ReviewActions(store, judged: nil).withdraw(number, by: .key)
                try StandardOutput.writeLine(review)
                try database.judgeAgain(review.content, in: store)
            }
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
            abstract: "Writes a photo's corrections as cases for `tablesight eval`, or as a page for training.")
        @Argument(help: "Photo id (sha256:…).") var content: String
        @Flag(help: "Write the corrected menu with the lines that were read, as `tablesight-stage` takes it.")
        var menu = false
        @OptionGroup var database: DatabaseOption

        private struct Fixture: Encodable {
            var id, kind, text: String
            var contains, mayContain, covered: [Allergen]
        }

        /// The lines of a page, and what a person says its menu is.
        private struct Page: Encodable {
            struct Truth: Encodable {
                var language, currency: String?
                var sections: [Section]
            }
            struct Section: Encodable {
                var title: String?
                var items: [Item]
            }
            struct Item: Encodable {
                var name: String
                var description: String?
                var prices: [String]
            }

            var id: String
            var lines: [TextLine]
            var truth: Truth
        }

        func run() throws {
            let store = try database.store(makes: false)
            guard let stored = try store.storedReadings(of: content).first else {
                throw StartupError(
                    .noInput, "no stored reading for \(content): name the daemon's database with --database")
            }
            if menu { return try writeMenu(stored) }
            try write(try store.reviews(of: content).filter { $0.said != nil || $0.action == .verify }, stored)
        }

        private func writeMenu(_ stored: StoredReading) throws {
            guard let menu = stored.outcome.menu else {
                throw StartupError(.noInput, "the photo was not read as a menu: say that it is one with readAs menu")
            }
            let text = stored.answer.readings.text
            let sections = menu.sections.map { section in
                Page.Section(
                    title: section.title,
                    items: section.items.map {
                        Page.Item(name: $0.name, description: $0.description, prices: $0.prices.map(\.amount))
                    })
            }
            try StandardOutput.writeLine(
                Page(
                    id: content, lines: text?.lines ?? [],
                    truth: .init(language: text?.languages.first, currency: menu.currency, sections: sections)))
        }

        /// What is known of each dish: the latest word on an allergen counts.
        private func write(_ reviews: [Review], _ stored: StoredReading) throws {
            for item in Set(reviews.map(\.item)).sorted() {
                var words: [Allergen: Review.Said] = [:]
                for review in reviews where review.item == item {
                    if let allergen = review.allergen { words[allergen] = review.said ?? .contains }
                }
                words = words.filter { $0.value != .unknown }
                guard !words.isEmpty else { continue }
                let dish = stored.outcome.menu?.sections.flatMap(\.items).first {
                    ($0.corrected?.system?.name ?? $0.name) == item
                }
                let lines = stored.answer.readings.text?.lines.map(\.text) ?? []
                let text = dish.map { [$0.name, $0.description].compactMap { $0 } } ?? lines
                func named(_ said: Review.Said) -> [Allergen] { Allergen.allCases.filter { words[$0] == said } }
                try StandardOutput.writeLine(
                    Fixture(
                        id: "\(content)#\(item)", kind: dish == nil ? "label" : "dish",
                        text: text.joined(separator: "\n"), contains: named(.contains) + named(.canOmit),
                        mayContain: named(.mayContain), covered: Allergen.allCases.filter { words[$0] != nil }))
            }
        }
    }
}

/// A rectangle on a photo: `left,top,width,height`.
struct PlaceArgument: ExpressibleByArgument {
    let quad: Quad

    init?(argument: String) {
        guard let quad = Quad(rectangle: argument) else { return nil }
        self.quad = quad
    }
}

extension DatabaseOption {
    /// Judges a photo again after a review, and writes its sidecars.
    fileprivate func judgeAgain(_ content: String, in store: OutcomeStore) throws {
        let file = URL(filePath: self.file)
        let replay = try TablesightEngine().replay(of: store, in: file, for: [], comparesBytes: true)
        for change in try replay.readAgain(content, in: store) { try StandardOutput.writeLine(change) }
        try StoredSidecars.write(store, beside: file)
    }
}

extension Allergen: ExpressibleByArgument {}
extension Review.Action: ExpressibleByArgument {}
