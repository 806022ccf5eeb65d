import Core

/// The decoded `piece-sets/<name>.json`, before validation.
struct PieceSetFile: Decodable {
    /// What is wrong, and where in the file.
    struct Problem: Error {
        var key: String
        var detail: String
    }

    /// Exactly one of the three is given.
    struct Shape: Decodable {
        struct Disc: Decodable { var diameter: Double }
        struct Rect: Decodable { var w, h: Double }

        var polygon: [Point]?
        var disc: Disc?
        var rect: Rect?
    }

    enum Colour: Decodable {
        case any
        case one(name: String, srgb: String)

        private struct One: Decodable { var name, srgb: String }

        init(from decoder: any Decoder) throws {
            if let word = try? decoder.singleValueContainer().decode(String.self) {
                guard word == "any" else {
                    throw DecodingError.dataCorrupted(
                        .init(
                            codingPath: decoder.codingPath,
                            debugDescription: "colour is \"any\" or {name, srgb}, not \(word)"))
                }
                self = .any
            } else {
                let one = try One(from: decoder)
                self = .one(name: one.name, srgb: one.srgb)
            }
        }
    }

    struct Entry: Decodable {
        var slot: String?
        var type: String
        var count: Int
        var shape: Shape
        var fold: Int
        var chiral: Bool
        var colour: Colour
        var face: PieceFaceFile?

        func kind(key: String) throws -> PieceKind {
            guard !type.isEmpty else { throw Problem(key: "\(key).type", detail: "empty: name the piece's type") }
            guard (1...100).contains(count), slot == nil || count == 1 else {
                throw Problem(
                    key: "\(key).count", detail: "\(count): a named slot has one piece, alike ones 1…100")
            }
            guard (1...8).contains(fold) else {
                throw Problem(key: "\(key).fold", detail: "\(fold): write how often a full turn repeats the shape, 1…8")
            }
            return PieceKind(
                type: type, corners: try centred(key: key), fold: fold, chiral: chiral, isDisc: shape.disc != nil,
                face: try face?.face(key: "\(key).face") ?? .none, members: [try member(key: key)])
        }

        private func centred(key: String) throws -> [Point] {
            let given: [Point]
            switch (shape.polygon, shape.disc, shape.rect) {
            case (let polygon?, nil, nil): given = polygon
            case (nil, let disc?, nil): given = Self.box(disc.diameter, disc.diameter)
            case (nil, nil, let rect?): given = Self.box(rect.w, rect.h)
            default: throw Problem(key: "\(key).shape", detail: "give one of polygon, disc and rect")
            }
            let key = "\(key).shape" + (shape.polygon == nil ? "" : ".polygon")
            guard (3...4).contains(given.count), given.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else {
                throw Problem(key: key, detail: "\(given.count) corners: this recogniser reads 3 or 4")
            }
            let area = Outline.area(given)
            guard abs(area) > 1 else { throw Problem(key: key, detail: "no area: give the corners in order, in mm") }
            let middle = Outline.centroid(given)
            let corners = (area > 0 ? given : given.reversed()).map { $0 - middle }
            let turnsRight = corners.indices.allSatisfy { index in
                let next = corners[(index + 1) % corners.count]
                return (next - corners[index]).cross(corners[(index + 2) % corners.count] - next) > 0
            }
            guard turnsRight else { throw Problem(key: key, detail: "not convex: give the corners in order") }
            return corners
        }

        private static func box(_ w: Double, _ h: Double) -> [Point] {
            [Point(0, 0), Point(w, 0), Point(w, h), Point(0, h)]
        }

        private func member(key: String) throws -> PieceKind.Member {
            guard case .one(let name, let srgb) = colour else { return .init(slot: slot, count: count) }
            let rgb = try PieceSetFile.rgb(srgb, key: "\(key).colour.srgb")
            return .init(slot: slot, count: count, colourName: name, rgb: rgb)
        }
    }

    static func rgb(_ srgb: String, key: String) throws -> [UInt8] {
        guard srgb.utf8.count == 7, srgb.hasPrefix("#"), let value = UInt32(srgb.dropFirst(), radix: 16) else {
            throw Problem(key: key, detail: "\(srgb): write #RRGGBB")
        }
        return [16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }

    /// The set's board, if it is printed with markers.
    struct Board: Decodable {
        struct Markers: Decodable {
            struct Marker: Decodable {
                /// 16 binary digits, the inner cells row by row, 1 for white.
                var word: String
                var x_mm: Double
                var y_mm: Double
            }
            var side_mm: Double
            var squares: [Marker]
        }
        struct Grid: Decodable {
            var rows, cols: Int
            /// True for lines drawn by hand.
            var drawn: Bool?
            /// `#RRGGBB` of the squares, the top-left one's first.
            var squares: [String]?
        }
        var w_mm: Double
        var h_mm: Double
        var markers: Markers?
        var grid: Grid?

        func boardGrid() throws -> BoardGrid? {
            guard let grid else { return nil }
            guard (1...32).contains(grid.rows), (1...32).contains(grid.cols) else {
                throw Problem(key: "board.grid", detail: "\(grid.rows) × \(grid.cols): give 1 to 32 rows and cols")
            }
            let isDrawn = grid.drawn ?? false
            guard !isDrawn || (grid.rows == 3 && grid.cols == 3) else {
                throw Problem(key: "board.grid.drawn", detail: "only a grid of 3 × 3 is read from drawn lines")
            }
            let squares = try (grid.squares ?? []).enumerated().map { index, colour in
                try PieceSetFile.rgb(colour, key: "board.grid.squares[\(index)]")
            }
            guard squares.count <= 2 else {
                throw Problem(key: "board.grid.squares", detail: "give one or two colours")
            }
            return BoardGrid(rows: grid.rows, columns: grid.cols, isDrawn: isDrawn, squares: squares)
        }

        func boardMarkers() throws -> BoardMarkers? {
            guard let markers else { return nil }
            guard (10...5000).contains(w_mm), (10...5000).contains(h_mm) else {
                throw Problem(key: "board", detail: "\(w_mm) × \(h_mm): give 10 to 5000 mm")
            }
            guard markers.squares.count >= 3, markers.squares.count <= 64, (5...500).contains(markers.side_mm) else {
                throw Problem(key: "board.markers", detail: "give at least 3 squares of 5 to 500 mm")
            }
            let words = try markers.squares.enumerated().map { index, square -> BoardMarkers.Marker in
                guard square.word.utf8.count == 16, let word = UInt16(square.word, radix: 2) else {
                    throw Problem(
                        key: "board.markers.squares[\(index)].word", detail: "\(square.word): write 16 digits 0 and 1")
                }
                return BoardMarkers.Marker(word: word, at: Point(square.x_mm, square.y_mm))
            }
            guard Set(words.map(\.word)).count == words.count else {
                throw Problem(key: "board.markers", detail: "a word occurs twice: give each marker its own")
            }
            return BoardMarkers(widthMM: w_mm, heightMM: h_mm, side: markers.side_mm, markers: words)
        }
    }

    var schema, name, version, title, units: String
    var board: Board?
    var thicknessMM: Double
    var pieces: [Entry]

    private enum CodingKeys: String, CodingKey {
        case schema, name, version, title, units, pieces, board
        case thicknessMM = "thickness_mm"
    }
}
