/// One frame of the piece stream (version 1). A photo is a stream of one frame.
///
/// Board coordinates are millimetres on the table plane, origin at the top-left corner of the board, x right, y
/// **down**. Angles are clockwise, in degrees, modulo 360/fold.
public struct PieceFrame: Sendable, Hashable, Codable {
    /// The board in the image.
    public struct Board: Sendable, Hashable, Codable {
        /// How the board was located: by `aruco` markers, its `quad` outline, the `pieces` themselves, or `fixed`.
        public enum Location: String, Sendable, Hashable, Codable, CaseIterable { case aruco, quad, pieces, fixed }

        public var widthMM: Double
        public var heightMM: Double
        public var located: Location
        /// Homography from millimetres to pixels of the upright image, 9 numbers in row-major order.
        public var homography: [Double]
        /// Root mean square reprojection error of the homography in pixels.
        public var reprojectionPX: Double

        public init(
            widthMM: Double, heightMM: Double, located: Location, homography: [Double], reprojectionPX: Double
        ) {
            self.widthMM = widthMM
            self.heightMM = heightMM
            self.located = located
            self.homography = homography
            self.reprojectionPX = reprojectionPX
        }

        private enum CodingKeys: String, CodingKey {
            case widthMM = "w_mm"
            case heightMM = "h_mm"
            case located
            case homography = "H"
            case reprojectionPX = "reproj_px"
        }
    }

    public var v: Int
    public var kind: String
    public var session: String
    public var seq: Int
    /// Nanoseconds since the start of the session.
    public var t_ns: Int
    public var board: Board?
    /// The piece set and its version, `tangram@1`.
    public var set: String
    public var pieces: [RecognizedPiece]
    public var events: [PieceEvent]
    /// Centres of 10 mm board squares that something other than a piece covers, such as a hand; nil if unknown.
    public var covered_mm: [Point]?
    /// Outlines of shapes that may be pieces or print, in pixels of the upright image; nil without such shapes.
    public var unclear_px: [[Point]]?
    /// Milliseconds by step. `total` covers the whole frame.
    public var timing_ms: [String: Double]

    public init(
        session: String = "photo", seq: Int = 0, t_ns: Int = 0, board: Board?, set: String,
        pieces: [RecognizedPiece], events: [PieceEvent] = [], timing_ms: [String: Double] = [:]
    ) {
        self.v = 1
        self.kind = "frame"
        self.session = session
        self.seq = seq
        self.t_ns = t_ns
        self.board = board
        self.set = set
        self.pieces = pieces
        self.events = events
        self.timing_ms = timing_ms
    }
}

extension PieceFrame {
    /// Why pieces may be missing and what to change, in English sentences; empty for a frame without doubt.
    public var remarks: [String] {
        var all: [String] = []
        if let unclear_px, !unclear_px.isEmpty {
            all.append(
                "\(unclear_px.count) shapes repeat as exactly as print. Printed or laid: cannot tell. Cover the print, "
                    + "or lay these pieces apart from each other.")
        } else if pieces.isEmpty, board == nil {
            all.append(
                "No piece was found. Use more light without glare, photograph straight from above and so close that the "
                    + "pieces fill the picture, and lay them apart on a plain table of another colour.")
        }
        return all
    }
}

/// One play piece on the table.
public struct RecognizedPiece: Sendable, Hashable, Codable {
    /// A square of the board grid, counted from 0 at the top-left corner.
    public struct Cell: Sendable, Hashable, Codable {
        public var row: Int
        public var column: Int

        public init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }

        private enum CodingKeys: String, CodingKey {
            case row = "r"
            case column = "c"
        }
    }

    /// The tracking state of a piece.
    public enum State: String, Sendable, Hashable, Codable, CaseIterable { case tentative, moving, placed, occluded }

    /// Unique within the session and never reused.
    public var id: Int
    /// The slot of the piece in its set; nil if pieces of the type are interchangeable.
    public var slot: String?
    /// The type of the piece in its set: `largeTriangle`, `square`, …
    public var type: String
    public var colour: String?
    /// Area centroid, millimetres.
    public var xMM: Double
    public var yMM: Double
    /// Clockwise rotation in degrees, 0 ..< 360/fold.
    public var angleDegrees: Double
    /// Order of rotational symmetry: 4 for a square, 2 for a parallelogram, otherwise 1.
    public var fold: Int
    /// True if a chiral piece shows its back.
    public var flipped: Bool
    public var vx: Double
    public var vy: Double
    public var va: Double
    public var state: State
    /// Time without motion, milliseconds.
    public var stableMS: Int
    /// Visible share of the piece, 0…1.
    public var visible: Double
    /// Calibrated P(type, flip and pose within 2 mm / 3°).
    public var confidence: Double
    /// Median distance between the observed and the fitted outline, millimetres.
    public var residualMM: Double
    /// Corners on the board, millimetres.
    public var polygonMM: [Point]
    /// Corners in pixels of the upright image, in the order of `polygonMM`.
    public var polygonPX: [Point]
    /// The square of the board grid; nil if the board has no grid.
    public var cell: Cell?
    /// The number on the face: pips, dots or a numeral, or nil.
    public var value: Int?
    /// The numbers of both halves of a domino. The half at −x of the unrotated piece comes first.
    public var values: [Int]?
    /// The letter or shape on the face: `A`, `star`, or nil.
    public var symbol: String?

    public init(
        id: Int, slot: String? = nil, type: String, colour: String? = nil, xMM: Double, yMM: Double,
        angleDegrees: Double, fold: Int = 1, flipped: Bool = false, vx: Double = 0, vy: Double = 0, va: Double = 0,
        state: State = .placed, stableMS: Int = 0, visible: Double = 1, confidence: Double, residualMM: Double = 0,
        polygonMM: [Point] = [], polygonPX: [Point] = [], cell: Cell? = nil, value: Int? = nil,
        values: [Int]? = nil, symbol: String? = nil
    ) {
        self.id = id
        self.slot = slot
        self.type = type
        self.colour = colour
        self.xMM = xMM
        self.yMM = yMM
        self.angleDegrees = angleDegrees
        self.fold = fold
        self.flipped = flipped
        self.vx = vx
        self.vy = vy
        self.va = va
        self.state = state
        self.stableMS = stableMS
        self.visible = visible
        self.confidence = confidence
        self.residualMM = residualMM
        self.polygonMM = polygonMM
        self.polygonPX = polygonPX
        self.cell = cell
        self.value = value
        self.values = values
        self.symbol = symbol
    }

    private enum CodingKeys: String, CodingKey {
        case id, slot, type, colour
        case xMM = "x_mm"
        case yMM = "y_mm"
        case angleDegrees = "angle_deg"
        case fold, flipped, vx, vy, va, state
        case stableMS = "stable_ms"
        case visible, confidence
        case residualMM = "residual_mm"
        case polygonMM = "polygon_mm"
        case polygonPX = "polygon_px"
        case cell, value, values, symbol
    }
}

/// A change of a piece or of the board between two frames.
public struct PieceEvent: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case appeared, lifted, moved, placed, flipped, occluded, removed, valueChanged, boardLost, boardFound
    }

    public var kind: Kind
    /// The affected piece; nil for events of the board.
    public var id: Int?

    public init(kind: Kind, id: Int? = nil) {
        self.kind = kind
        self.id = id
    }
}
