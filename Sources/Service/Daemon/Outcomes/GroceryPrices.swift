import Baskets
import Core
import Engine
import Foundation
import Groceries
import Logging
import Store

/// Records the prices of receipts and price tags that the daemon read, for the person who sent the photo. What is unsure
/// waits in review.
struct GroceryPrices: OutcomeSink {
    let name = "prices"
    private let groceries: Groceries
    private let logger: Logger

    init(_ store: OutcomeStore, engine: TablesightEngine, logger: Logger) throws {
        groceries = Groceries(
            store, rules: try engine.models.load(GroceryRules.self, from: "groceries/rules.json"))
        self.logger = logger
    }

    func follow(_ photo: JudgedPhoto) throws -> FilePathBytes? {
        if let report = try groceries.recordUploaded(photo.outcome) {
            logger.info("prices", metadata: ["accepted": "\(report.accepted)", "waiting": "\(report.waiting)"])
        }
        return nil
    }
}
