extension PieceSet {
    /// The board of a set, in millimetres with the origin at its top-left corner.
    public struct Board: Sendable {
        public let widthMM: Double
        public let heightMM: Double
        /// Nil for a board without printed markers.
        public let markers: BoardMarkers?
        /// Nil for a board without squares.
        public let grid: BoardGrid?
    }
}

/// The fiducial markers printed on a set's board, and their positions.
public struct BoardMarkers: Sendable {
    /// A square marker of 6×6 cells; the outer cells are black.
    public struct Marker: Sendable {
        /// The inner cells row by row from the highest bit, 1 for white.
        public let word: UInt16
        /// Top-left corner on the board, millimetres.
        public let at: Point
    }

    /// Width of the board, 10…5000 mm.
    public let widthMM: Double
    /// Height of the board, 10…5000 mm.
    public let heightMM: Double
    /// Edge of a marker, 5…500 mm.
    public let side: Double
    /// 3…64 markers with different words.
    public let markers: [Marker]

    /// Clockwise from the top-left corner, alternating x and y.
    public var corners: [Double] {
        markers.flatMap { marker in
            [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].flatMap { [marker.at.x + side * $0.0, marker.at.y + side * $0.1] }
        }
    }
}

/// The squares of a board.
public struct BoardGrid: Sendable, Hashable {
    /// 1…32.
    public let rows: Int
    /// 1…32.
    public let columns: Int
    /// True for a grid of 3 × 3 drawn by hand as two lines in each direction, with marks as pieces.
    public let isDrawn: Bool
    /// Colours of the squares, starting with the top-left one: one colour, two alternating ones, or none if the set
    /// gives none.
    public let squares: [[UInt8]]
}

extension PieceSet.Board: Decodable {
    private enum CodingKeys: String, CodingKey {
        case markers, grid
        case widthMM = "w_mm"
        case heightMM = "h_mm"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        widthMM = try values.decode(Double.self, forKey: .widthMM)
        heightMM = try values.decode(Double.self, forKey: .heightMM)
        let (width, height) = (widthMM, heightMM)
        markers = try values.decodeIfPresent(MarkersFile.self, forKey: .markers).map {
            BoardMarkers(widthMM: width, heightMM: height, side: $0.side, markers: $0.markers)
        }
        grid = try values.decodeIfPresent(BoardGrid.self, forKey: .grid)
        guard markers == nil || (10...5000).contains(widthMM) && (10...5000).contains(heightMM) else {
            throw DataFileProblem(at: decoder, "\(widthMM) × \(heightMM): give 10 to 5000 mm")
        }
    }
}

/// `markers` of a board.
private struct MarkersFile: Decodable {
    let side: Double
    let markers: [BoardMarkers.Marker]

    private enum CodingKeys: String, CodingKey {
        case side = "side_mm"
        case markers = "squares"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        side = try values.decode(Double.self, forKey: .side)
        markers = try values.decode([BoardMarkers.Marker].self, forKey: .markers)
        guard (3...64).contains(markers.count), (5...500).contains(side) else {
            throw DataFileProblem(at: decoder, "give 3 to 64 squares of 5 to 500 mm")
        }
        guard Set(markers.map(\.word)).count == markers.count else {
            throw DataFileProblem(at: decoder, "a word occurs twice: give each marker its own")
        }
    }
}

extension BoardMarkers.Marker: Decodable {
    private struct File: Decodable {
        /// 16 binary digits.
        var word: String
        var x_mm, y_mm: Double
    }

    public init(from decoder: any Decoder) throws {
        let file = try File(from: decoder)
        guard file.word.utf8.count == 16, let word = UInt16(file.word, radix: 2) else {
            throw DataFileProblem(at: decoder, key: "word", "\(file.word): write 16 digits 0 and 1")
        }
        self.word = word
        at = Point(file.x_mm, file.y_mm)
    }
}

extension BoardGrid: Decodable {
    private struct File: Decodable {
        var rows, cols: Int
        var drawn: Bool?
        /// `#RRGGBB`.
        var squares: [String]?
    }

    public init(from decoder: any Decoder) throws {
        let file = try File(from: decoder)
        guard (1...32).contains(file.rows), (1...32).contains(file.cols) else {
            throw DataFileProblem(at: decoder, "\(file.rows) × \(file.cols): give 1 to 32 rows and cols")
        }
        let isDrawn = file.drawn ?? false
        guard !isDrawn || (file.rows == 3 && file.cols == 3) else {
            throw DataFileProblem(at: decoder, key: "drawn", "only a grid of 3 × 3 is read from drawn lines")
        }
        let colours = file.squares ?? []
        guard colours.count <= 2 else { throw DataFileProblem(at: decoder, key: "squares", "give one or two colours") }
        let squares = try colours.enumerated().map { index, colour in
            guard let rgb = PieceSet.rgb(colour) else {
                throw DataFileProblem(at: decoder, key: "squares[\(index)]", "\(colour): write #RRGGBB")
            }
            return rgb
        }
        self.init(rows: file.rows, columns: file.cols, isDrawn: isDrawn, squares: squares)
    }
}
