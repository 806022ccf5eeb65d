/// A set of flat play pieces: `models/piece-sets/<name>.json`.
///
/// Recognition, games, printed boards and TUIO all use this model. Lengths are millimetres.
public struct PieceSet: Sendable, DataFile {
    public static let schema = "tablesight.piece-set/1"

    /// The file's name.
    public let name: String
    public let version: String
    public let title: String
    /// Thickness of the pieces, 0…100 mm.
    public let thicknessMM: Double
    /// The set's board; nil for a set that is played on any table.
    public let board: Board?
    /// In the order of the file.
    public let pieces: [Piece]
    private let units: String

    private enum CodingKeys: String, CodingKey {
        case name, version, title, units, pieces, board
        case thicknessMM = "thickness_mm"
    }

    /// One piece, or several interchangeable ones.
    public struct Piece: Sendable {
        /// Nil for interchangeable pieces.
        public let slot: String?
        public let type: String
        /// 1…100; 1 for a piece with a slot.
        public let count: Int
        public let shape: Shape
        /// Order of the rotational symmetry, 1…8: a rotation by 360/fold degrees maps the shape to itself.
        public let fold: Int
        /// True if the mirrored shape differs from the shape.
        public let chiral: Bool
        /// Nil for any colour.
        public let colour: Colour?
        public let face: PieceFace
        /// The piece's TUIO symbol id; nil if the file gives none.
        public let tuioSymbol: Int?
    }

    public enum Shape: Sendable, Hashable {
        /// Corners in order, in either direction.
        case polygon([Point])
        case disc(diameter: Double)
        case rectangle(width: Double, height: Double)
    }

    public struct Colour: Sendable, Hashable {
        public let name: String
        /// Red, green, blue.
        public let rgb: [UInt8]
    }

    /// Loads a set of the folder.
    ///
    /// - Throws: `StartupError` 64 with the known names for an unknown set, 78 with file and key for an invalid one.
    public static func named(_ name: String, in models: ModelFolder) throws -> PieceSet {
        let known = try models.names(in: "piece-sets", withExtension: "json").map { String($0.dropLast(5)) }
        guard known.contains(name) else {
            throw StartupError(.usage, "no piece set \(name): choose one of \(known.joined(separator: ", "))")
        }
        return try models.load(PieceSet.self, from: "piece-sets/\(name).json")
    }

    public func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(self.name == name, "name", "\(self.name) differs from the file's name")
        try DataFileProblem.check(!version.isEmpty, "version", "empty: number the set, from 1")
        try DataFileProblem.check(units == "mm", "units", "\(units) is unknown: give lengths in mm")
        try DataFileProblem.check(
            (0...100).contains(thicknessMM), "thickness_mm", "\(thicknessMM) is not 0…100: give millimetres")
        try DataFileProblem.check(!pieces.isEmpty, "pieces", "empty: describe at least one piece")
        var slots: Set<String> = []
        for (index, piece) in pieces.enumerated() {
            guard let slot = piece.slot else { continue }
            try DataFileProblem.check(
                slots.insert(slot).inserted, "pieces[\(index)].slot", "\(slot) occurs twice: name each slot once")
        }
        let coloured = pieces.count { $0.colour != nil }
        try DataFileProblem.check(
            coloured == 0 || coloured == pieces.count && coloured <= 32, "pieces",
            "give every piece (at most 32) a colour, or write \"any\" for all")
    }
}

extension PieceSet.Piece: Decodable {
    private enum CodingKeys: CodingKey {
        case slot, type, count, shape, fold, chiral, colour, face, tuioSymbol
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        slot = try values.decodeIfPresent(String.self, forKey: .slot)
        type = try values.decode(String.self, forKey: .type)
        count = try values.decode(Int.self, forKey: .count)
        shape = try values.decode(PieceSet.Shape.self, forKey: .shape)
        fold = try values.decode(Int.self, forKey: .fold)
        chiral = try values.decode(Bool.self, forKey: .chiral)
        colour = try values.decode(PieceSet.ColourOrAny.self, forKey: .colour).colour
        face = try values.decodeIfPresent(PieceFace.self, forKey: .face) ?? .none
        tuioSymbol = try values.decodeIfPresent(Int.self, forKey: .tuioSymbol)
        guard !type.isEmpty else { throw DataFileProblem(at: decoder, key: "type", "empty: name the piece's type") }
        guard (1...100).contains(count), slot == nil || count == 1 else {
            throw DataFileProblem(at: decoder, key: "count", "\(count): a named slot has one piece, alike ones 1…100")
        }
        guard (1...8).contains(fold) else {
            throw DataFileProblem(
                at: decoder, key: "fold", "\(fold): write how often a full turn repeats the shape, 1…8")
        }
    }
}

extension PieceSet.Shape: Decodable {
    private struct File: Decodable {
        struct Disc: Decodable { var diameter: Double }
        struct Rectangle: Decodable { var w, h: Double }

        var polygon: [Point]?
        var disc: Disc?
        var rect: Rectangle?
    }

    public init(from decoder: any Decoder) throws {
        let file = try File(from: decoder)
        switch (file.polygon, file.disc, file.rect) {
        case (let polygon?, nil, nil): self = .polygon(polygon)
        case (nil, let disc?, nil): self = .disc(diameter: disc.diameter)
        case (nil, nil, let rect?): self = .rectangle(width: rect.w, height: rect.h)
        default: throw DataFileProblem(at: decoder, "give one of polygon, disc and rect")
        }
    }

    /// The outline in order; of a disc, the square around it.
    public var corners: [Point] {
        switch self {
        case .polygon(let corners): corners
        case .disc(let diameter): Self.box(diameter, diameter)
        case .rectangle(let width, let height): Self.box(width, height)
        }
    }

    private static func box(_ w: Double, _ h: Double) -> [Point] {
        [Point(0, 0), Point(w, 0), Point(w, h), Point(0, h)]
    }
}

extension PieceSet {
    /// `"any"`, or a name and `#RRGGBB`.
    fileprivate struct ColourOrAny: Decodable {
        let colour: Colour?

        private struct File: Decodable { var name, srgb: String }

        init(from decoder: any Decoder) throws {
            if let word = try? decoder.singleValueContainer().decode(String.self) {
                guard word == "any" else {
                    throw DataFileProblem(at: decoder, "colour is \"any\" or {name, srgb}, not \(word)")
                }
                colour = nil
            } else {
                let file = try File(from: decoder)
                guard let rgb = PieceSet.rgb(file.srgb) else {
                    throw DataFileProblem(at: decoder, key: "srgb", "\(file.srgb): write #RRGGBB")
                }
                colour = Colour(name: file.name, rgb: rgb)
            }
        }
    }

    /// Red, green and blue of `#RRGGBB`; nil for other text.
    static func rgb(_ text: String) -> [UInt8]? {
        guard text.utf8.count == 7, text.hasPrefix("#"), let value = UInt32(text.dropFirst(), radix: 16) else {
            return nil
        }
        return [16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }
}
