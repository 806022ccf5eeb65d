import Foundation
import Kinds
import Store
import Core

/// The event about an outcome, for receivers and streams. It names the outcome and has the verdicts on its products,
/// but not the text that was read.
package struct OutcomeEvent: Encodable {
    struct Summary: Encodable {
        var id: String?
        var path: String
        var pathBase64: String?
        var status: Outcome.Status
        var reason: Outcome.Reason?
        var domains: [Outcome.Domain]
        var confidence: Confidence
        /// What the photo names itself; nil if it names nothing.
        var title: String?
        /// What each person should avoid or ask about; nil if nothing was judged.
        var household: [String: Outcome.PersonalSummary]?
        /// Nil if the photo names no product.
        var products: [Judged]?
        /// Verdicts that changed; nil for a first reading.
        var changes: [VerdictChange]?
    }

    struct Judged: Encodable {
        var gtin: String
        var name: String?
        var trust: Product.Trust?
        var recorded: String?
        var verdicts: Verdicts?
        var contradictions: [Product.Contradiction]?

        init(_ product: Product) {
            gtin = product.gtin
            name = product.name
            trust = product.trust
            recorded = product.recorded
            verdicts = product.verdicts
            contradictions = product.contradictions
        }
    }

    /// `completed`, `quarantined` or `verdictChanged`.
    var type: String
    /// ISO 8601, for people; the stream's numbers give the order.
    var timestamp: String
    var data: Summary

    package init(_ outcome: Outcome, kind: String, at date: Date, changes: [VerdictChange]? = nil) {
        type = kind
        timestamp = date.formatted(.iso8601)
        data = Summary(
            id: outcome.id, path: outcome.source.path, pathBase64: outcome.source.pathBase64, status: outcome.status,
            reason: outcome.reason, domains: outcome.domains, confidence: outcome.confidence, title: outcome.title,
            household: outcome.household, products: outcome.products?.map(Judged.init), changes: changes)
    }

    /// The event about the products of a photo's barcodes before its print is read. It is not stored: the outcome follows.
    package static func products(_ outcome: Outcome) -> OutcomeEvent? {
        (outcome.products ?? []).isEmpty ? nil : OutcomeEvent(outcome, kind: "product", at: Date())
    }

    package func stored(receivers: [String]) throws -> NewEvent {
        NewEvent(
            id: "evt_" + UUID().uuidString.lowercased(), kind: type, body: try JSONCoding.encode(self),
            receivers: receivers)
    }

    /// The event about verdicts that changed, as it is stored.
    package static func changed(_ outcome: Outcome, _ changes: [VerdictChange]) throws -> NewEvent {
        try OutcomeEvent(outcome, kind: "verdictChanged", at: Date(), changes: changes).stored(receivers: [])
    }
}
