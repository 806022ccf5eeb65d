import Foundation
import Store
import Core

/// What receivers and streams are told of an outcome: that it is there, and where, and what is said of the products on it; not what was
/// read.
struct OutcomeEvent: Encodable {
    struct Summary: Encodable {
        var id: String?
        var path: String
        var pathBase64: String?
        var status: Outcome.Status
        var reason: Outcome.Reason?
        var domains: [Outcome.Domain]
        var confidence: Confidence
        /// Nil where the photo names none.
        var products: [Judged]?
    }

    /// A product with what is said to each person.
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

    /// `completed` or `quarantined`.
    var type: String
    /// ISO 8601, for people: order is told by the stream's numbers.
    var timestamp: String
    var data: Summary

    init(_ outcome: Outcome, kind: String, at date: Date) {
        type = kind
        timestamp = date.formatted(.iso8601)
        data = Summary(
            id: outcome.id, path: outcome.source.path, pathBase64: outcome.source.pathBase64, status: outcome.status,
            reason: outcome.reason, domains: outcome.domains, confidence: outcome.confidence,
            products: outcome.products?.map(Judged.init))
    }

    /// To be stored with the outcome.
    func stored(receivers: [String]) throws -> NewEvent {
        NewEvent(
            id: "evt_" + UUID().uuidString.lowercased(), kind: type, body: try JSONCoding.encode(self),
            receivers: receivers)
    }
}
