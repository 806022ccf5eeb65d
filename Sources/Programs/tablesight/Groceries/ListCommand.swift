import ArgumentParser
import Foods
import Core
import Foundation
import Groceries

/// `tablesight list`: shopping lists and their comparison over shops.
struct ListCommand: ParsableCommand {
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

    /// The list of a command.
    struct Target: ParsableArguments {
        @Option(name: .customLong("list"), help: "Number of the list (default: your first).") var number: Int64?
        @OptionGroup var person: PersonOption
        @OptionGroup var options: GroceryOptions

        /// - Parameter makes: true makes a list for a person without one.
        func open(makes: Bool = false) throws -> (Groceries, GroceryList) {
            let groceries = try options.open(makes: makes)
            return try GroceryOptions.reporting {
                let person = try person.name(groceries)
                if let number { return (groceries, try groceries.list(number, of: person)) }
                if let first = try groceries.lists(of: person).first { return (groceries, first) }
                guard makes else {
                    throw StartupError(
                        .noInput, "\(person) has no list: add something, or name another --person or --database")
                }
                return (groceries, try groceries.makeList("Groceries", by: person))
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

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows a list, or what was removed from it.")
        @Flag(help: "Show removed entries.") var history = false
        @OptionGroup var target: Target

        func run() throws {
            let (groceries, list) = try target.open()
            let items = try groceries.items(of: list.id, for: target.person.name(groceries), isHistory: history)
            if target.options.json { return try target.options.print(items) }
            let own = try target.person.name(groceries)
            let people = list.people.filter { $0 != own }
            let shared = people.isEmpty ? "" : ", shared with \(people.joined(separator: ", "))"
            try GroceryOptions.lines(
                ["\(list.name) (list \(list.id)\(shared))"]
                    + (items.isEmpty ? ["nothing on it"] : items.map(ListCommand.line)))
        }
    }

    struct Add: ParsableCommand {
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

        func run() throws {
            var wanted = quantity.flatMap(ListQuantity.init)
            if let quantity, wanted == nil {
                throw ValidationError("\(quantity) is not a quantity such as 3, \"1.5 kg\" or \"500 ml\"")
            }
            let (groceries, list) = try target.open(makes: true)
            var name = words.isEmpty ? nil : words.joined(separator: " ")
            if let text = name, quantity == nil {
                let typed = TypedEntry(text)
                (name, wanted) = (typed.name, typed.quantity)
            }
            var product = NewProduct(gtin: barcode, category: category, name: name)
            if name == nil, let gtin = barcode.flatMap({ GTIN(typed: $0) }) {
                try ProductLookup.complete(&product, gtin)
            }
            let added = try GroceryOptions.reporting {
                try groceries.add(
                    NewEntry(product: product, quantity: wanted?.thousandths ?? 1000, unit: wanted?.unit ?? .piece),
                    to: list.id,
                    by: target.person.name(groceries),
                    anyway: anyway)
            }
            switch added {
            case .duplicate(let item, let kind):
                let why = kind == .near ? "a similar entry" : "it"
                throw StartupError(
                    .badInput, "the list already has \(why): \(item.id) \(item.name); add it anyway with --anyway")
            case .added(let item):
                if target.options.json { return try target.options.print(item) }
                try GroceryOptions.lines(["added: " + ListCommand.line(item)])
            }
        }
    }

    struct Done: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "done", abstract: "Completes entries.")
        @Argument(help: "Numbers of entries.") var entries: [Int64] = []
        @Flag(help: "Complete all entries.") var all = false
        @Flag(help: "Open the entries again.") var not = false
        @OptionGroup var target: Target

        func run() throws {
            guard all != !entries.isEmpty else { throw ValidationError("give numbers of entries, or --all") }
            let (groceries, list) = try target.open()
            try GroceryOptions.reporting {
                if all { _ = try groceries.sweep(list.id, .completeAll, by: target.person.name(groceries)) }
                for entry in entries {
                    _ = try groceries.change(entry, EntryChange(isCompleted: !not), by: target.person.name(groceries))
                }
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Takes entries off a list; they stay in its history.")
        @Argument(help: "Numbers of entries.") var entries: [Int64] = []
        @Flag(help: "Take off all completed entries.") var completed = false
        @OptionGroup var target: Target

        func run() throws {
            guard completed != !entries.isEmpty else {
                throw ValidationError("give numbers of entries, or --completed")
            }
            let (groceries, list) = try target.open()
            try GroceryOptions.reporting {
                if completed { _ = try groceries.sweep(list.id, .removeCompleted, by: target.person.name(groceries)) }
                for entry in entries {
                    _ = try groceries.change(
                        entry, EntryChange(isInShoppingList: false), by: target.person.name(groceries))
                }
            }
        }
    }

    struct Move: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "move", abstract: "Moves an entry.")
        @Argument(help: "Number of the entry.") var entry: Int64
        @Option(help: "Number of the entry before it (default: to the beginning).") var after: Int64?
        @OptionGroup var target: Target

        func run() throws {
            let (groceries, _) = try target.open()
            try GroceryOptions.reporting { try groceries.move(entry, after: after, by: target.person.name(groceries)) }
        }
    }

    struct Undo: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "undo", abstract: "Takes your last change back.")
        @OptionGroup var target: Target

        func run() throws {
            let (groceries, list) = try target.open()
            let count = try GroceryOptions.reporting { try groceries.undo(list.id, by: target.person.name(groceries)) }
            try GroceryOptions.lines([count == 0 ? "there is nothing to undo" : "changed \(count) entries back"])
        }
    }

    struct Share: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "share", abstract: "Lets another person open a list.")
        @Argument(help: "The other person.") var other: String
        @Flag(help: "No longer.") var not = false
        @OptionGroup var target: Target

        func run() throws {
            let (groceries, list) = try target.open()
            _ = try GroceryOptions.reporting {
                try groceries.share(list.id, with: other, isAllowed: !not, by: target.person.name(groceries))
            }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Writes everything about a person to standard output: lists, prices, experiences.")
        @OptionGroup var person: PersonOption
        @OptionGroup var options: GroceryOptions

        func run() throws {
            let groceries = try options.open()
            try options.print(try groceries.exported(try person.name(groceries)))
        }
    }

    struct Erase: ParsableCommand {
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

        func run() throws {
            try GroceryErasure.erase(person, options, confirmation)
        }
    }
}
