import Baskets
import Core
import Foundation
import Groceries
import Logging
import Store

/// Records the prices of receipts and price tags that the daemon read, for the person who sent the photo. What is unsure
/// waits in review.
struct GroceryPrices: Sendable {
    private let groceries: Groceries
    private let logger: Logger

    init(_ store: OutcomeStore, engine: TablesightEngine, logger: Logger) throws {
        groceries = Groceries(
            store, rules: try engine.models.load(GroceryRules.self, from: "groceries/rules.json"))
        self.logger = logger
    }

    /// A failure is logged: the outcome is stored already, and its prices can be recorded again from it.
    func record(_ outcome: Outcome) {
        do {
            guard let report = try groceries.recordUploaded(outcome) else { return }
            logger.info(
                "prices", metadata: ["accepted": "\(report.accepted)", "waiting": "\(report.waiting)"])
        } catch {
            logger.error("the prices of a photo could not be recorded", metadata: ["reason": "\(error)"])
        }
    }
}
