import Foods
import Core
import Engine
import Foundation
import Groceries
import Logging
import Store

/// Records the prices of receipts and price tags that the daemon read, for the person who sent the photo. What is unsure
/// waits in review. Other bytes at the same path replace what the file gave before.
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
        guard photo.outcome.isReadToItsEnd else { return nil }
        if let report = try groceries.recordUploaded(photo.outcome, at: photo.path) {
            logger.info("prices", metadata: ["accepted": "\(report.accepted)", "waiting": "\(report.waiting)"])
        }
        return nil
    }
}
