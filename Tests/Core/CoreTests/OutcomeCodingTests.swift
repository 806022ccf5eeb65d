import Foundation
import Testing
import Core

@Suite struct OutcomeCodingTests {
    private func outcome() throws -> Outcome {
        let path = try #require(FilePathBytes("menu.jpg"))
        let box = Quad(x: 1, y: 2, width: 30.04, height: 4)
        let verdicts: Verdicts = ["anna": [.milk: AllergenVerdict(verdict: .contains, risk: .high, probability: 0.98)]]
        let item = Menu.Item(
            name: "Toast", prices: [.init(amount: "4.50")], box: box, verdicts: verdicts, confidence: 0.9)
        return Outcome(
            id: "sha256:00", source: .init(path: path, bytes: 3, width: 10, height: 20, format: "jpeg", orientation: 6),
            status: .completed, domains: [.menu], confidence: Confidence(0.9),
            menu: Menu(
                currency: "EUR", sections: [.init(title: "Small", items: [item])],
                legend: [.init(code: "A", allergen: .gluten)], coverage: Coverage(ocrQuality: 0.9, sourceKind: "dish")),
            versions: .init(tablesight: "0"))
    }

    @Test func `the JSON keys match the contract`() throws {
        let data = try JSONCoding.encode(try outcome())
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(json["schema"] as? String == "tablesight.outcome/1")
        let menu = try #require(json["menu"] as? [String: Any])
        let sections = try #require(menu["sections"] as? [[String: Any]])
        let items = try #require(sections.first?["items"] as? [[String: Any]])
        let verdicts = try #require(items.first?["verdicts"] as? [String: [String: [String: Any]]])
        #expect(verdicts["anna"]?["milk"]?["verdict"] as? String == "CONTAINS")
        #expect(items.first?["box"] as? [[Double]] == [[1, 2], [31, 2], [31, 6], [1, 6]])
        #expect((json["source"] as? [String: Any])?["pathBase64"] == nil)
    }

    @Test func `an outcome survives JSON, and equal outcomes give equal bytes`() throws {
        let first = try JSONCoding.encode(try outcome())
        let again = try JSONCoding.encode(try JSONCoding.decode(Outcome.self, from: first))
        #expect(first == again)
    }

    @Test func `a frame has the JSON keys of the piece stream`() throws {
        let piece = RecognizedPiece(
            id: 17, slot: nil, type: "square", xMM: 1.5, yMM: 2, angleDegrees: 30, fold: 4, confidence: 0.97,
            polygonPX: [Point(0, 0)])
        let data = try JSONCoding.encode(PieceFrame(board: nil, set: "tangram@1", pieces: [piece]))
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(json["kind"] as? String == "frame")
        #expect(json["v"] as? Int == 1)
        let first = try #require((json["pieces"] as? [[String: Any]])?.first)
        #expect(first["x_mm"] as? Double == 1.5)
        #expect(first["angle_deg"] as? Double == 30)
        #expect(first["state"] as? String == "placed")
        #expect(first["polygon_px"] as? [[Double]] == [[0, 0]])
    }

    @Test func `no verdict claims absence of danger`() {
        let words = AllergenVerdict.Kind.allCases.map(\.rawValue)
        #expect(Set(words) == ["CONTAINS", "MAY_CONTAIN", "LIKELY", "NOT_FOUND_IN_TEXT", "CANNOT_TELL"])
    }
}
