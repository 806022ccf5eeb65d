import Core

/// The seven pieces of a tangram with a unit of 35 mm, and the colours of the coloured set.
enum TangramPieces {
    static let large = [Point(0, 0), Point(70, 0), Point(0, 70)]
    static let medium = [Point(0, 0), Point(49.4975, 0), Point(0, 49.4975)]
    static let small = [Point(0, 0), Point(35, 0), Point(0, 35)]
    static let square = [Point(0, 0), Point(35, 0), Point(35, 35), Point(0, 35)]
    static let parallelogram = [Point(0, 0), Point(49.4975, 0), Point(24.7487, 24.7487), Point(-24.7487, 24.7487)]

    /// All seven far from each other, within 320×220 mm.
    static func scattered(flipped: Bool = false) -> [LaidPiece] {
        func piece(
            _ type: String, _ slot: String, _ colour: BoardDrawing.RGB, _ template: [Point], _ x: Double, _ y: Double,
            _ angle: Double
        ) -> LaidPiece {
            LaidPiece(type: type, slot: slot, colour: colour, template: template, x: x, y: y, angle: angle)
        }
        var pieces = [
            piece("largeTriangle", "largeTriangle1", (56, 150, 255), large, 60, 60, 12),
            piece("largeTriangle", "largeTriangle2", (255, 58, 65), large, 150, 65, 200),
            piece("mediumTriangle", "mediumTriangle", (43, 186, 53), medium, 235, 60, 77),
            piece("smallTriangle", "smallTriangle1", (2, 183, 205), small, 285, 110, 305),
            piece("smallTriangle", "smallTriangle2", (196, 69, 164), small, 60, 150, 133),
            piece("square", "square", (255, 217, 53), square, 140, 165, 31),
            piece("parallelogram", "parallelogram", (255, 134, 37), parallelogram, 225, 165, 64),
        ]
        pieces[6].flipped = flipped
        return pieces
    }

    /// The seven as one square of 99 mm with its corner at (x, y) mm: slot, colour, corners in millimetres.
    static func assembled(x: Double, y: Double) -> [(
        slot: String, type: String, colour: BoardDrawing.RGB, corners: [Point]
    )] {
        let unit = 24.7487
        func place(_ corners: (Double, Double)...) -> [Point] {
            corners.map { Point(x + $0.0 * unit, y + $0.1 * unit) }
        }
        return [
            ("largeTriangle1", "largeTriangle", (56, 150, 255), place((0, 0), (4, 0), (2, 2))),
            ("largeTriangle2", "largeTriangle", (255, 58, 65), place((0, 0), (2, 2), (0, 4))),
            ("mediumTriangle", "mediumTriangle", (43, 186, 53), place((4, 2), (4, 4), (2, 4))),
            ("smallTriangle1", "smallTriangle", (2, 183, 205), place((4, 0), (4, 2), (3, 1))),
            ("smallTriangle2", "smallTriangle", (196, 69, 164), place((2, 2), (3, 3), (1, 3))),
            ("square", "square", (255, 217, 53), place((3, 1), (4, 2), (3, 3), (2, 2))),
            ("parallelogram", "parallelogram", (255, 134, 37), place((0, 4), (1, 3), (3, 3), (2, 4))),
        ]
    }
}
