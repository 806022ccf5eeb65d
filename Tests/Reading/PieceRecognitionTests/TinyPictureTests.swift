import Core
import PieceRecognition
import TestSupport
import Testing

/// A photo may have any size; a trap would end the worker.
struct TinyPictureTests {
    private static var sets: [String] {
        get throws {
            try ModelFolder(Repository.models).names(in: "piece-sets", withExtension: "json").map {
                String($0.dropLast(5))
            }
        }
    }

    /// Patterns with outlines, lines and spots, whose parts are few pixels wide.
    private static let patterns: [@Sendable (Int, Int) -> Bool] = [
        { x, _ in x / 3 % 2 == 0 },
        { x, y in x % 7 != 0 && y % 7 != 0 },
        { x, y in (x % 9 - 4) * (x % 9 - 4) + (y % 9 - 4) * (y % 9 - 4) > 6 },
    ]

    @Test(arguments: try sets)
    func `tiny pictures give a frame`(set: String) throws {
        let recognizer = PieceRecognizer(
            set: try PreparedPieceSet.load(set, from: ModelFolder(Repository.models)))
        for (width, height) in [(1, 1), (8, 8), (3, 40), (400, 18), (40, 30)] {
            for pattern in Self.patterns {
                let bytes = (0..<height).flatMap { y in
                    (0..<width).flatMap { x in [UInt8](repeating: pattern(x, y) ? 255 : 0, count: 3) }
                }
                let raster = try #require(Raster(width: width, height: height, format: .rgb8, bytes: bytes))
                #expect(try recognizer.recognize(raster).set == "\(set)@1")
            }
        }
    }
}
