import ArgumentParser
import Foods
import Core
import Engine
import Foundation
import Groceries
import Store

/// The database and the output of a command about lists and prices.
struct GroceryOptions: ParsableArguments {
    @OptionGroup var database: DatabaseOption

    @Flag(help: "Print JSON instead of text.")
    var json = false

    /// - Parameter makes: true creates the database if it does not exist.
    func open(makes: Bool = false) throws -> GroceryActions {
        let engine = try TablesightEngine()
        let rules = try engine.models.load(GroceryRules.self, from: "groceries/rules.json")
        return GroceryActions(
            Groceries(try database.store(makes: makes), rules: rules), catalogue: engine.catalogue,
            foods: try FoodWords(models: engine.models))
    }

    static func lines(_ lines: [String]) throws {
        guard !lines.isEmpty else { return }
        try StandardOutput.write(lines.map(\.printable).joined(separator: "\n") + "\n")
    }

    static func text(_ quantity: Int64, _ unit: PriceUnit) -> String {
        let number = "\(Decimal(quantity) / 1000)"
        return unit == .piece ? (quantity == 1000 ? "" : "\(number) × ") : "\(number) \(unit.rawValue) "
    }
}

struct PersonOption: ParsableArguments {
    @Option(help: "The person (default: the name of your user).")
    var person: String?

    func name(_ actions: GroceryActions) async throws -> String {
        try await Self.name(person ?? NSUserName(), actions)
    }

    static func name(_ typed: String, _ actions: GroceryActions) async throws -> String {
        try await actions { try $0.person(named: typed) }
    }
}

extension PriceUnit: ExpressibleByArgument {}

extension Money {
    /// `2.49 EUR`.
    var text: String { "\(digits) \(currency.code)" }
}
