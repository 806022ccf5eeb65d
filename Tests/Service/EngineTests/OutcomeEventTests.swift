import Foundation
import Kinds
import TestSupport
import Testing
import Core

@testable import Engine

@Suite struct OutcomeEventTests {
    @Test func `events contain the verdict on a product, not only its number`() throws {
        let interpreter = try Interpreter(models: ModelFolder(Repository.models))
        let code = BarcodeReading(
            format: "EAN-13", text: "9520100001086", gtin: "09520100001086", confidence: 0.99, corners: [])
        let outcome = interpreter.judge(
            ReadAnswer(
                image: .init(format: "jpeg", width: 8, height: 6, orientation: 1), readings: Readings(barcodes: [code])),
            of: PhotoFacts(path: try #require(FilePathBytes("a.jpg")), id: "sha256:0", bytes: 3), as: nil,
            for: [AllergenProfile(name: "anna", allergens: [.peanuts: .severe])])
        let event = try OutcomeEvent(outcome, kind: "completed", at: Date(timeIntervalSince1970: 0)).stored(
            receivers: [])
        let body = String(decoding: event.body, as: UTF8.self)
        #expect(body.contains("\"verdict\":\"CONTAINS\""), "\(body)")
        #expect(body.contains("\"recorded\":\"2024-11-05\"") && body.contains("anna"))
        #expect(!body.contains("ingredients"), "without the text that was read")
    }
}
