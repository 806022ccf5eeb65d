import Core
import Foundation
import TestSupport
import Testing

@testable import Store

/// The photos that show a product's code.
@Suite struct ProductPhotosTests {
    private let folder: TemporaryFolder
    private let store: OutcomeStore

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
    }

    private func read(_ name: String, products: [String], summary: Bool = true) throws -> Outcome {
        let path = try #require(FilePathBytes("/in/\(name)"))
        let photo = try store.queued(path)
        var outcome = Outcome(
            id: "sha256:\(name)", source: .init(path: path, bytes: 1), status: .completed,
            versions: .init(tablesight: "test"))
        outcome.domains = [.barcode]
        outcome.products = products.map { Product(gtin: $0) }
        try store.finish(
            photo,
            FinishedPhoto(
                content: outcome.id, asked: "auto", answer: ReadAnswer(models: ["a": "1"]), status: .completed,
                json: try JSONCoding.encode(outcome), summary: summary ? OutcomeSummary(outcome) : nil))
        return outcome
    }

    private func photos(of number: String) throws -> [String?] {
        let gtin = try #require(GTIN(number))
        return try store.outcomes(ofProduct: gtin, limit: 5).map { try JSONCoding.decode(Outcome.self, from: $0).id }
    }

    @Test func `outcomes are found by the number of a product, newest first`() throws {
        _ = try read("a", products: ["9520100001017", "9520100001048"])
        _ = try read("bb", products: ["9520100001017"])
        #expect(try photos(of: "9520100001017") == ["sha256:bb", "sha256:a"])
        #expect(try photos(of: "9520100001048") == ["sha256:a"])
        #expect(try photos(of: "9520100001031").isEmpty)
    }

    @Test func `a deleted photo shows no product any more`() throws {
        _ = try read("a", products: ["9520100001017"])
        _ = try store.erase("sha256:a", isAlone: true)
        #expect(try photos(of: "9520100001017").isEmpty)
    }

    @Test func `a summary that is computed later names the products too`() throws {
        _ = try read("a", products: ["9520100001017"], summary: false)
        #expect(try photos(of: "9520100001017").isEmpty)
        #expect(try store.refreshSummaries(limit: 10, findsMissing: false) == 0)
        #expect(try store.refreshSummaries(limit: 10) == 1)
        #expect(try photos(of: "9520100001017") == ["sha256:a"])
    }

    @Test func `an outcome that is replaced while its summary is computed gets the newer one`() throws {
        var outcome = try read("a", products: ["9520100001017"], summary: false)
        let found = try store.outcomesWithoutSummary(limit: 10, findsMissing: true)
        outcome.products = [Product(gtin: "9520100001048")]
        let photo = try #require(found.first?.photo)
        try store.replace([NewOutcome(photo: photo, json: try JSONCoding.encode(outcome))])
        #expect(try store.refreshSummaries(of: found) == 1)
        #expect(try store.refreshSummaries(limit: 10) == 1)
        #expect(try photos(of: "9520100001017").isEmpty)
        #expect(try photos(of: "9520100001048") == ["sha256:a"])
    }
}
