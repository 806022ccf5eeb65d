import ArgumentParser
import Foods
import Foundation
import Groceries

extension ListCommand {
    struct Compare: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "compare",
            abstract: "Compares the open entries over all shops.",
            help: """
                Shops with prices for at least 85 % of the entries count. The range comes from the age and the trust of
                each price. Different currencies are never added.
                """)
        @Option(help: "Currency that comes first, such as EUR.") var currency: String?
        @OptionGroup var target: Target

        func run() async throws {
            let (actions, list, name) = try await target.open()
            let wanted = try currency.map { text in
                guard let currency = Currency(text) else {
                    throw ValidationError("\(text) is not a currency such as EUR")
                }
                return currency
            }
            let report = try await actions.compare(list.id, currency: wanted, for: name)
            if target.options.json { return try StandardOutput.writeLine(report) }
            try GroceryOptions.lines(Self.lines(report))
        }

        static func lines(_ report: ComparisonReport) -> [String] {
            guard !report.currencies.isEmpty else {
                let closest = report.closest.map {
                    "most are known at \($0.placeName), \($0.count) of \(report.entries); "
                        + "missing: \($0.missing.joined(separator: ", "))"
                }
                return [
                    "no shop has prices for 85 % of the \(report.entries) entries: add prices with `tablesight prices`"
                ] + [closest].compactMap { $0 } + otherUnits(report)
            }
            return report.currencies.flatMap { group in
                var lines = group.cheapest.map { basket in
                    let missing = basket.missing.isEmpty ? "" : "; missing: \(basket.missing.joined(separator: ", "))"
                    return
                        "\(basket.total.rounded.text)  (\(basket.low.rounded.digits) to \(basket.high.rounded.digits))  \(basket.placeName), "
                        + "\(basket.lines.count) of \(report.entries) entries\(missing)"
                }
                if let common = group.common, common.entries.count < report.entries {
                    let totals = common.totals.map { "\($0.placeName) \($0.total.rounded.digits)" }.joined(
                        separator: ", ")
                    lines.append("the same \(common.entries.count) entries: \(totals)")
                }
                if let split = group.split {
                    let saves =
                        split.saves.map { $0.parts > 0 ? "; the second stop saves \($0.rounded.text)" : "" } ?? ""
                    let added = split.added.isEmpty ? "" : "; also: \(split.added.joined(separator: ", "))"
                    lines.append(
                        "\(split.total.rounded.text)  at \(split.placeNames.joined(separator: " and "))\(saves)\(added)"
                    )
                }
                return lines
            } + otherUnits(report)
        }

        private static func otherUnits(_ report: ComparisonReport) -> [String] {
            report.otherUnits.map { entry in
                let units = entry.units.map(\.rawValue).joined(separator: ", ")
                return "\(entry.name): prices are known per \(units) only; change the entry's quantity"
            }
        }
    }
}
