import Foundation
import TestSupport
import Testing
import Core

@testable import Catalogue

/// The sample records, as a fresh install has them.
@Suite struct SampleRecordTests {
    private let folder: TemporaryFolder
    private let catalogue: Catalogue
    private let spread: GTIN

    init() throws {
        folder = try TemporaryFolder()
        catalogue = Catalogue(folder: folder.url, models: ModelFolder(Repository.models))
        spread = try #require(GTIN("9520100001017"))
    }

    private func importRecord(_ code: String, _ name: String, isProducers: Bool = false) throws {
        let owner = isProducers ? #","owner":"org-kornmark""# : ""
        let line = #"{"code":"\#(code)","product_name":"\#(name)"\#(owner)}"#
        let file = try folder.write(Data(line.utf8), to: "import.jsonl")
        _ = try CatalogueImport(folder: folder.url, format: .offJSONL).run(file.path) { _, _, _ in }
    }

    @Test func `a number finds its sample with nutrients, allergens and a notice`() throws {
        let product = try #require(try catalogue.product(spread))
        #expect(product.name == "Hazelnut Cocoa Spread")
        #expect(product.trust == .producer)
        #expect(product.nutrients.energyKcal == 541)
        #expect(product.allergens == "en:nuts,en:milk,en:soybeans")
        #expect(product.traces == "en:peanuts")
        #expect(product.recordedDay == "2026-01-12")
        #expect(product.sampleNotice?.contains("invented") == true)
        let item = FoodItem(product, asOf: Date())
        #expect(item.id == "samples:9520100001017" && item.source == .userCreated, "an invented food is not verified")
    }

    @Test(arguments: ["hazelnut cocoa spread", "Oat & Honey Crunch", "CELERI"])
    func `words never find an invented record`(words: String) throws {
        #expect(try catalogue.search(words).allSatisfy { $0.product.source != "samples" })
        try importRecord("4006381333931", "Hazelnut paste")
        #expect(try catalogue.search(words).allSatisfy { $0.product.source != "samples" })
        #expect(try catalogue.product(spread)?.name == "Hazelnut Cocoa Spread", "its number does")
    }

    @Test(arguments: [(false, "Hazelnut Cocoa Spread"), (true, "Other spread")])
    func `the more trusted record counts, and the imported one of two equal ones`(
        isProducers: Bool, name: String
    ) throws {
        try importRecord(spread.normalised, "Other spread", isProducers: isProducers)
        let stored = try #require(try catalogue.storedProducts(spread).first)
        #expect(stored.name == "Other spread" && stored.sampleNotice == nil)
        #expect(try catalogue.product(spread)?.name == name)
    }

    @Test func `samples are no import`() throws {
        #expect(try catalogue.contents().isEmpty)
        #expect(try catalogue.imported().isEmpty)
        #expect(try catalogue.storedProducts(spread).isEmpty)
        #expect(try catalogue.faults().isEmpty)
    }

    @Test func `another server is not asked for a sample`() async throws {
        struct Silent: RemoteTransport {
            func get(_ url: URL, userAgent: String, timeout: Duration) async throws(RemoteFailure) -> RemoteReply {
                throw .unreachable("asked")
            }
        }
        let settings = try RemoteSettings(
            address: "https://food.example", contact: "cook@kitchen.example", patience: .seconds(1))
        let answer = await RemoteCatalogue(settings, keptIn: catalogue, transport: Silent()).product(spread)
        #expect(answer.product?.name == "Hazelnut Cocoa Spread")
        #expect(answer.failure == nil)
    }

    @Test func `a catalogue without models has no samples`() throws {
        let bare = Catalogue(folder: folder.url)
        #expect(try bare.product(spread) == nil)
        #expect(try bare.search("hazelnut").isEmpty)
    }
}
