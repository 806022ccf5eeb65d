import ArgumentParser
import Foods
import Core
import Foundation
import Groceries

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Keeps shopping lists, and compares them over shops.",
        help: """
            EXAMPLES
              tablesight list add 2 Milk                             add to your list
              tablesight list add Butter --quantity 2                an amount as an option
              tablesight list add --barcode 9520100001017
              tablesight list add --category en:bananas --quantity "1.5 kg"
              tablesight list show
              tablesight list done 3                                 entry 3 is in the cart
              tablesight list share Ben                              let Ben open the list
              tablesight list compare                                where the list is cheapest
              tablesight list undo
              tablesight list export > mine.json                     everything about you
            """,
        subcommands: [
            Show.self, Add.self, Done.self, Remove.self, Move.self, Undo.self, Share.self, Compare.self, Export.self,
            Erase.self,
        ])

    struct Target: ParsableArguments {
        @Option(name: .customLong("list"), help: "Number of the list (default: your first).") var number: Int64?
        @OptionGroup var person: PersonOption
        @OptionGroup var options: GroceryOptions

        /// The list, and the person as lists know them.
        ///
        /// - Parameter makes: true makes a list for a person without one.
        func open(makes: Bool = false) async throws -> (actions: GroceryActions, list: GroceryList, name: String) {
            let actions = try options.open(makes: makes)
            let name = try await person.name(actions)
            return (actions, try await actions.list(number, of: name, making: makes ? "Groceries" : nil), name)
        }

        func change(_ entries: [Int64], _ change: EntryChange, orAll sweep: Groceries.SweepAction?) async throws {
            let (actions, list, name) = try await open()
            try await actions { groceries in
                if let sweep { _ = try groceries.sweep(list.id, sweep, by: name) }
                for entry in entries { _ = try groceries.change(entry, change, by: name) }
            }
        }
    }

    static func line(_ item: GroceryItem) -> String {
        let marks = [item.isFavorite ? "favourite" : nil, item.isOnSale ? "on sale" : nil].compactMap { $0 }
        let brand = item.brand.map { ", \($0)" } ?? ""
        let note = marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))"
        return
            "\(item.isCompleted ? "x" : " ") \(item.id)  \(GroceryOptions.text(item.quantity, item.unit))\(item.name)"
            + "\(brand)\(note)"
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows a list, or what was removed from it.")
        @Flag(help: "Show removed entries.") var history = false
        @OptionGroup var target: Target

        func run() async throws {
            let (actions, list, name) = try await target.open()
            let isHistory = history
            let items = try await actions { try $0.items(of: list.id, for: name, isHistory: isHistory) }
            if target.options.json { return try StandardOutput.writeLine(items) }
            let people = list.people.filter { $0 != name }
            let shared = people.isEmpty ? "" : ", shared with \(people.joined(separator: ", "))"
            try GroceryOptions.lines(
                ["\(list.name) (list \(list.id)\(shared))"]
                    + (items.isEmpty ? ["nothing on it"] : items.map(ListCommand.line)))
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Adds to a list.")
        @Argument(help: "The name, and a quantity before it: 2 Milk.") var words: [String] = []
        @Option(help: "Product number.") var barcode: String?
        @Option(help: "Loose goods by Open Food Facts' category, such as en:bananas.") var category: String?
        @Option(help: "3, \"1.5 kg\", 500g or \"1/2 l\"; the name is taken as it is then.") var quantity: String?
        @Flag(help: "Add it also if the list has the same or a similar product.") var anyway = false
        @OptionGroup var target: Target

        func validate() throws {
            guard !words.isEmpty || barcode != nil || category != nil else {
                throw ValidationError("give a name, --barcode or --category")
            }
        }

        func run() async throws {
            let wanted = quantity.flatMap(ListQuantity.init)
            if let quantity, wanted == nil {
                throw ValidationError("\(quantity) is not a quantity such as 3, \"1.5 kg\" or \"500 ml\"")
            }
            let (actions, list, name) = try await target.open(makes: true)
            var entry = try await actions.entry(
                typed: words.joined(separator: " "), quantity: wanted?.thousandths, unit: wanted?.unit)
            if barcode != nil || category != nil {
                entry.product = NewProduct(
                    gtin: barcode, category: category, name: words.isEmpty ? nil : entry.product.name)
            }
            let added = try await actions.add(entry, to: list.id, anyway: anyway, by: name)
            switch added {
            case .duplicate(let item, let kind):
                let why = kind == .near ? "a similar entry" : "it"
                throw StartupError(
                    .badInput, "the list already has \(why): \(item.id) \(item.name); add it anyway with --anyway")
            case .added(let item):
                if target.options.json { return try StandardOutput.writeLine(item) }
                try GroceryOptions.lines(["added: " + ListCommand.line(item)])
            }
        }
    }

    struct Done: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "done", abstract: "Completes entries.")
        @Argument(help: "Numbers of entries.") var entries: [Int64] = []
        @Flag(help: "Complete all entries.") var all = false
        @Flag(help: "Open the entries again.") var not = false
        @OptionGroup var target: Target

        func run() async throws {
            guard all != !entries.isEmpty else { throw ValidationError("give numbers of entries, or --all") }
            try await target.change(entries, EntryChange(isCompleted: !not), orAll: all ? .completeAll : nil)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Takes entries off a list; they stay in its history.")
        @Argument(help: "Numbers of entries.") var entries: [Int64] = []
        @Flag(help: "Take off all completed entries.") var completed = false
        @OptionGroup var target: Target

        func run() async throws {
            guard completed != !entries.isEmpty else {
                throw ValidationError("give numbers of entries, or --completed")
            }
            try await target.change(entries, .removal, orAll: completed ? .removeCompleted : nil)
        }
    }

    struct Move: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "move", abstract: "Moves an entry.")
        @Argument(help: "Number of the entry.") var entry: Int64
        @Option(help: "Number of the entry before it (default: to the beginning).") var after: Int64?
        @OptionGroup var target: Target

        func run() async throws {
            let (actions, _, name) = try await target.open()
            let (entry, after) = (entry, after)
            try await actions { try $0.move(entry, after: after, by: name) }
        }
    }

    struct Undo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "undo", abstract: "Takes your last change back.")
        @OptionGroup var target: Target

        func run() async throws {
            let (actions, list, name) = try await target.open()
            let count = try await actions { try $0.undo(list.id, by: name) }
            try GroceryOptions.lines([count == 0 ? "there is nothing to undo" : "changed \(count) entries back"])
        }
    }

    struct Share: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "share", abstract: "Lets another person open a list.")
        @Argument(help: "The other person.") var other: String
        @Flag(help: "No longer.") var not = false
        @OptionGroup var target: Target

        func run() async throws {
            let (actions, list, name) = try await target.open()
            _ = try await actions.share(list.id, with: other, isAllowed: !not, isStranger: true, by: name)
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Writes everything about a person to standard output: lists, prices, experiences.")
        @OptionGroup var person: PersonOption
        @OptionGroup var options: GroceryOptions

        func run() async throws {
            let actions = try options.open()
            let name = try await person.name(actions)
            try StandardOutput.writeLine(try await actions { try $0.exported(name) })
        }
    }

    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "erase",
            abstract: "Erases a person's lists, prices and experiences.",
            help: """
                Lists that others share pass to them. Stop the daemon first: only then the file is rewritten, so that no
                deleted page keeps the data.
                """)
        @Option(help: "The person.") var person: String
        @OptionGroup var confirmation: Confirmation
        @OptionGroup var options: GroceryOptions

        func run() async throws {
            let actions = try options.open()
            let name = try await PersonOption.name(person, actions)
            try confirmation.ask("the lists, prices and experiences of \(name.printable)")
            let folder = URL(filePath: options.database.file).deletingLastPathComponent().path
            try DatabaseOption.erasing(in: folder) { try actions.groceries.erase(name, isAlone: $0) }
        }
    }
}
