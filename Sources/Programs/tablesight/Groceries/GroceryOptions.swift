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
    func open(makes: Bool = false) throws -> Groceries {
        let models = try TablesightEngine().models
        let rules = try models.load(GroceryRules.self, from: "groceries/rules.json")
        return Groceries(try database.store(makes: makes), rules: rules)
    }

    func foods() throws -> FoodWords {
        try TablesightEngine().models.load(FoodWords.self, from: "groceries/foods.json")
    }

    func print(_ value: some Encodable) throws { try StandardOutput.writeLine(value) }

    static func lines(_ lines: [String]) throws {
        guard !lines.isEmpty else { return }
        try StandardOutput.write(lines.map(\.printable).joined(separator: "\n") + "\n")
    }

    /// Runs a command and turns its problems into messages with exit codes.
    static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let problem as GroceryProblem {
            switch problem {
            case .notFound: throw StartupError(.noInput, problem.message)
            case .bad, .changed, .own: throw StartupError(.badInput, problem.message)
            }
        }
    }

    static func text(_ quantity: Int64, _ unit: PriceUnit) -> String {
        let number = "\(Decimal(quantity) / 1000)"
        return unit == .piece ? (quantity == 1000 ? "" : "\(number) × ") : "\(number) \(unit.rawValue) "
    }
}

/// The person of a command.
struct PersonOption: ParsableArguments {
    @Option(help: "The person (default: the name of your user).")
    var person: String?

    /// The person as lists and prices know them.
    func name(_ groceries: Groceries) throws -> String {
        try GroceryOptions.reporting { try groceries.person(named: person ?? NSUserName()) }
    }
}

extension PriceUnit: ExpressibleByArgument {}

extension Money {
    /// `2.49 EUR`.
    var text: String { "\(digits) \(currency.code)" }
}
