import ArgumentParser
import Engine
import Foundation
import Groceries

/// `tablesight sample-data`: invented products, places, prices and experiences.
struct SampleDataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample-data",
        abstract: "Adds invented products, shops, prices and experiences, to try lists and comparisons.",
        help: """
            EXAMPLES
              tablesight sample-data --database try.sqlite
              tablesight list compare --database try.sqlite
            """)
    @OptionGroup var person: PersonOption
    @OptionGroup var options: GroceryOptions

    func run() async throws {
        let actions = try options.open(makes: true)
        let samples = try TablesightEngine().models.load(SampleGroceries.self, from: "groceries/samples.json")
        let name = try await person.name(actions)
        let report = try await actions { try $0.add(samples, for: name) }
        if options.json { return try StandardOutput.writeLine(report) }
        try GroceryOptions.lines([
            "\(report.products) products, \(report.places) shops, \(report.prices) new prices, "
                + "\(report.experiences) new experiences; list \(report.list) of \(name)"
        ])
    }
}
