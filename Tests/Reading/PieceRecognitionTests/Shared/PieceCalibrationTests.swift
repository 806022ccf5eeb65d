import Foundation
import Testing
import Core

@testable import PieceRecognition

@Suite struct `Calibration of pieces` {
    private func calibration(_ models: String) throws(DataFileProblem) -> PieceCalibration {
        let text = """
            {"schema": "tablesight.piece-calibration/1", "version": "1", "source": "test", "licence": "test",
             "models": \(models)}
            """
        return try PieceCalibration(Data(text.utf8), name: "pieces", origin: .shipped)
    }

    @Test func `better evidence is more probable`() throws {
        let known = try calibration(#"{"shapes": {"weights": {"edges": 1.5, "colour": 0.5}, "bias": 2}}"#)
        func probability(_ edges: Double, _ colour: Double) -> Double {
            known.probability(.shapes, PieceFeatures(["edges": edges, "colour": colour])) ?? .nan
        }
        #expect(abs(probability(1, 1) - 1 / (1 + exp(-2))) < 1e-12)
        #expect(probability(0.8, 1) < probability(1, 1))
        #expect(probability(0.8, 0.5) < probability(0.8, 1))
        // A feature that was not measured counts as the worst.
        #expect(probability(0, 1) == known.probability(.shapes, PieceFeatures(["colour": 1])))
    }

    @Test func `no count of photos proves certainty`() throws {
        let known = try calibration(#"{"dice": {"weights": {"score": 1}, "bias": 40}}"#)
        #expect(known.probability(.dice, PieceFeatures(["score": 1])) == 0.995)
    }

    @Test func `without a model or evidence the score stays`() throws {
        let known = try calibration(#"{"dice": {"weights": {"score": 1}, "bias": 0}}"#)
        #expect(known.probability(.tiles, PieceFeatures(["score": 1])) == nil)
        #expect(known.probability(.dice, PieceFeatures()) == nil)
    }

    @Test(arguments: [
        #"{"cards": {"weights": {}, "bias": 0}}"#, #"{"dice": {"weights": {"score": -1}, "bias": 0}}"#,
    ]) func `a wrong file is refused`(models: String) {
        #expect(throws: DataFileProblem.self) { try calibration(models) }
    }
}
