import Foundation
import TestSupport
import Testing
import Core

@testable import Kinds

/// Test vectors computed for this project. The element string agrees with python-stdnum 2.2.
struct GS1Tests {
    @Test("An element string contains number, dates, weight, lot and serial")
    func elementString() throws {
        let elements = try #require(
            ElementString("010950600013435217271231310300125010ABC123\u{1D}21XYZ")?.elements)
        #expect(elements.gtin?.digits == "09506000134352")
        #expect(elements.facts.expires == "2027-12-31")
        #expect(elements.facts.kilograms == 1.25)
        #expect(elements.facts.lot == "ABC123" && elements.facts.serial == "XYZ")
    }

    @Test("Printed brackets are not content")
    func brackets() {
        #expect(ElementString("(01)09506000134352(10)ABC")?.elements.facts.lot == "ABC")
    }

    @Test("Prices with and without currency, pounds, the last day of a month")
    func figures() {
        #expect(ElementString("3922599")?.elements.facts.price == .init(amount: "5.99"))
        #expect(ElementString("39329781299")?.elements.facts.price == .init(amount: "12.99", currency: "978"))
        #expect(ElementString("3201000010")?.elements.facts.kilograms == 0.453_592_37)
        #expect(ElementString("15270200")?.elements.facts.bestBefore == "2027-02-28")
    }

    @Test(
        "A text that is only partly an element string is rejected",
        arguments: ["", "0109506000134353", "01095060001343", "17271341", "05x", "hello", "310300125"])
    func refused(text: String) { #expect(ElementString(text) == nil) }

    @Test(
        "A two-digit year lies within fifty years of the reference year",
        arguments: [
            ("17510101", "2051-01-01"), ("17750630", "2075-06-30"), ("17761231", "2076-12-31"),
            ("17771231", "1977-12-31"), ("17990101", "1999-01-01"),
            ("17260101", "2026-01-01"), ("17000101", "2000-01-01"),
        ])
    func century(text: String, day: String) { #expect(ElementString(text)?.elements.facts.expires == day) }

    @Test("An unknown identifier is skipped, and the rest of the code is parsed")
    func unknownIdentifier() throws {
        // 99 internal information, 400 customer order, 8005 price per unit: variable and fixed lengths.
        let text =
            "0109506000134352" + "99anything\u{1D}" + "400ORDER7\u{1D}" + "8005012345\u{1D}" + "17271231" + "10L7"
        let elements = try #require(ElementString(text)?.elements)
        #expect(elements.gtin?.digits == "09506000134352")
        #expect(elements.facts.expires == "2027-12-31" && elements.facts.lot == "L7")
    }

    @Test("A Digital Link accepts identifiers in its path and its query")
    func link() throws {
        let link = try #require(DigitalLink("https://id.gs1.org/01/09506000134352/10/ABC123?17=271231&3103=001250"))
        #expect(link.gtin.digits == "09506000134352" && !link.isLenient)
        #expect(link.facts.lot == "ABC123" && link.facts.expires == "2027-12-31" && link.facts.kilograms == 1.25)
        let deep = try #require(DigitalLink("https://example.com/some/path/01/09506000134352/22/2A"))
        #expect(deep.gtin.digits == "09506000134352")
        #expect(DigitalLink("https://example.com/gtin/9506000134352")?.isLenient == true)
    }

    @Test("An in-store number gives a price or a weight only with a layout")
    func inStore() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            Data(
                """
                {"schema":"tablesight.in-store-layouts/1","version":"1","source":"own","licence":"own","layouts":[
                 {"name":"a","pattern":"20IIIIIVVVVVC","kind":"price","decimals":2,"currency":"EUR"},
                 {"name":"b","pattern":"02IIIIIKVVVVC","kind":"kilograms","decimals":3}]}
                """.utf8), to: "catalogue/in-store-layouts.json")
        let layouts = try InStoreLayouts(models: ModelFolder(folder.url))
        let price = try #require(GTIN("2001234015998"))
        #expect(layouts.facts(in: price)?.price == .init(amount: "15.99", currency: "EUR"))
        let weight = try #require(GTIN("0201234015994"))
        #expect(layouts.facts(in: weight)?.kilograms == 1.599)
        #expect(layouts.facts(in: try #require(GTIN("9780306406157"))) == nil)
        let shipped = try InStoreLayouts(models: ModelFolder(Repository.models))
        #expect(shipped.facts(in: price) == nil)
    }

    @Test("Lot and expiry of a declared GS1 code become part of the product; other codes are not parsed")
    func product() throws {
        let interpreter = try Shipped.products.get()
        let text = "01" + "09520100001017" + "17271231" + "10L7"
        func products(_ isGS1: Bool?) -> [Product] {
            interpreter.products(
                in: Readings(barcodes: [
                    BarcodeReading(format: "Code 128", text: text, confidence: 0.9, corners: [], isGS1: isGS1)
                ]))
        }
        let product = try #require(products(true).first)
        #expect(product.name == "Hazelnut Cocoa Spread")
        #expect(product.pack?.lot == "L7" && product.pack?.expires == "2027-12-31")
        #expect(products(nil).isEmpty)
    }

    private struct Imported: ProductSource {
        let trust: Product.Trust
        let version = "test@1"
        func products(_ gtin: GTIN) -> [Product] {
            [Product(gtin: gtin.digits, name: "imported", trust: trust)]
        }
    }

    @Test("The more trusted of two records wins", arguments: [Product.Trust.crowd, .retailer, .producer])
    func trust(imported: Product.Trust) throws {
        let models = ModelFolder(Repository.models)
        let interpreter = try ProductInterpreter(models: models, imported: Imported(trust: imported))
        let code = BarcodeReading(
            format: "EAN-13", text: "9520100001017", gtin: "09520100001017", confidence: 1, corners: [])
        // The sample catalogue has this record from its producer.
        let name = interpreter.products(
            in: Readings(barcodes: [code])
        ).first?.name
        #expect(name == (imported == .producer ? "imported" : "Hazelnut Cocoa Spread"))
    }
}
