internal import COpenCV
import Core

/// A region of even colour with straight sides, as it was cut out of the photo.
struct Shape {
    /// Pixels of the raster, clockwise.
    var corners: [Point]
    /// Number in the set's palette of the colour that cut it out; nil where contrast did.
    var label: Int?
    /// Share of the polygon's inside that belongs to the region, 0…1.
    var fill: Double
    /// How much it differs from the table, 0…255.
    var contrast: Double
    /// How much its own colour varies, 0…255.
    var spread: Double
    /// As it would be on a white table in even light.
    var rgb: [Double]
}

/// A point on a side's edge in the full picture.
struct EdgePoint {
    var at: Point
    /// From corner `side` to the next.
    var side: Int
    /// Colour step across it, 0…255; 0 where none was found and the point is where it was expected.
    var strength: Double
}

/// One photo while its pieces are looked for: owns the façade's handle and is used by one recognition at a time.
struct PieceSheet: ~Copyable {
    private let handle: OpaquePointer
    let width: Int
    let height: Int
    /// Pixels of the raster for one pixel of the copy that shapes are cut out of.
    let workingStep: Double
    /// How far the table is from grey, 0…1: its own colour or the light's.
    let tint: Double

    /// Longest side of the copy that shapes are cut out of: above it nothing more is found, only later.
    private static let longSide = 1000
    /// A board seen from above is cut at half its size: the sides are then found in the picture.
    private static let boardStep = 2
    /// No photo of a board has as many regions with straight sides.
    private static let most = 600

    /// `tableIsWhite` takes any tint of the table for the light's. Nil where memory does not suffice.
    init?(_ raster: Raster, palette: [[UInt8]], tableIsWhite: Bool) {
        var opened: OpaquePointer?
        var tint = 0.0
        let colours = palette.flatMap { $0 }
        let status = raster.bytes.withUnsafeBufferPointer { pixels in
            colours.withUnsafeBufferPointer { colours in
                tcv_pieces_open(
                    pixels.baseAddress, Int32(raster.width), Int32(raster.height), Int32(raster.format.rawValue),
                    Int32(Self.longSide), colours.baseAddress, Int32(palette.count),
                    tableIsWhite ? 1 : 0, &opened, &tint)
            }
        }
        guard status == TCV_OK, let opened else { return nil }
        self.init(
            handle: opened, width: raster.width, height: raster.height,
            workingStep: max(1, Double(max(raster.width, raster.height)) / Double(Self.longSide)), tint: tint)
    }

    /// A board as it looks from above, in pixels of that view; shapes are cut out by the set's colours alone where it has any.
    ///
    /// Nil where memory does not suffice.
    init?(_ raster: Raster, through view: BoardView, palette: [[UInt8]]) {
        // A printed board is white: what tint it has is the light's.
        guard !palette.isEmpty else {
            guard let top = view.fromAbove(raster) else { return nil }
            self.init(top, palette: palette, tableIsWhite: true)
            return
        }
        var opened: OpaquePointer?
        let status = raster.bytes.withUnsafeBufferPointer { pixels in
            tcv_pieces_open_through(
                pixels.baseAddress, Int32(raster.width), Int32(raster.height), Int32(raster.format.rawValue),
                view.viewToPicture, Int32(view.width), Int32(view.height), Int32(Self.boardStep),
                palette.flatMap { $0 }, Int32(palette.count), &opened)
        }
        guard status == TCV_OK, let opened else { return nil }
        self.init(
            handle: opened, width: view.width, height: view.height, workingStep: Double(Self.boardStep), tint: 0)
    }

    private init(handle: OpaquePointer, width: Int, height: Int, workingStep: Double, tint: Double) {
        (self.handle, self.width, self.height) = (handle, width, height)
        (self.workingStep, self.tint) = (workingStep, tint)
    }

    deinit { tcv_pieces_close(handle) }

    /// Regions with three or four straight sides, the same piece perhaps several times.
    func shapes() -> [Shape] {
        var found = [tcv_piece_shape](repeating: tcv_piece_shape(), count: Self.most)
        var count: Int32 = 0
        guard tcv_pieces_shapes(handle, &found, Int32(Self.most), &count) == TCV_OK else { return [] }
        return Self.shapes(found.prefix(Int(count)))
    }

    /// Quadrangles that an edge surrounds on all sides, the same piece perhaps several times: those that hardly differ from the
    /// table, or whose shadow does as much. Their colour is not told.
    func enclosed() -> [Shape] {
        var found = [tcv_piece_shape](repeating: tcv_piece_shape(), count: Self.most)
        var count: Int32 = 0
        guard tcv_pieces_enclosed(handle, &found, Int32(Self.most), &count) == TCV_OK else { return [] }
        return Self.shapes(found.prefix(Int(count)))
    }

    private static func shapes(_ found: ArraySlice<tcv_piece_shape>) -> [Shape] {
        found.map { shape in
            let xy = withUnsafeBytes(of: shape.xy) { Array($0.bindMemory(to: Double.self)) }
            return Shape(
                corners: (0..<Int(shape.corners)).map { Point(xy[2 * $0], xy[2 * $0 + 1]) },
                label: shape.label < 0 ? nil : Int(shape.label), fill: shape.fill, contrast: shape.contrast,
                spread: shape.spread, rgb: [Double(shape.rgb.0), Double(shape.rgb.1), Double(shape.rgb.2)])
        }
    }

    /// Where the sides of a convex polygon really are in the full picture, within `reach` pixels across each side.
    func edges(of corners: [Point], reach: Double, samples: Int) -> [EdgePoint] {
        let xy = corners.flatMap { [$0.x, $0.y] }
        var found = [tcv_piece_edge](repeating: tcv_piece_edge(), count: corners.count * samples)
        guard
            tcv_pieces_edges(handle, xy, Int32(corners.count), min(64, reach), Int32(samples), &found) == TCV_OK
        else { return [] }
        return found.filter { $0.found != 0 }.map {
            EdgePoint(at: Point($0.x, $0.y), side: Int($0.side), strength: $0.strength)
        }
    }

    /// Mean difference from the table, 0…255, of the picture cut into so many parts, row by row; empty where there is none.
    func coarse(columns: Int, rows: Int) -> [UInt8] {
        var values = [UInt8](repeating: 0, count: columns * rows)
        return tcv_pieces_coarse(handle, Int32(columns), Int32(rows), &values) == TCV_OK ? values : []
    }

    /// The largest region of a palette colour; nil where the colour is nowhere.
    func region(of label: Int) -> (outline: [Point], area: Double)? {
        let capacity = 140
        var xy = [Double](repeating: 0, count: 2 * capacity)
        var count: Int32 = 0
        var area = 0.0
        guard tcv_pieces_region(handle, Int32(label), &xy, Int32(capacity), &count, &area) == TCV_OK, count > 2 else {
            return nil
        }
        return ((0..<Int(count)).map { Point(xy[2 * $0], xy[2 * $0 + 1]) }, area)
    }

    /// Takes what is less like a palette colour from its region, where two colours are taken for it; false where there is but one.
    mutating func narrow(label: Int) -> Bool {
        var narrowed: Int32 = 0
        return tcv_pieces_narrow(handle, Int32(label), &narrowed) == TCV_OK && narrowed != 0
    }

    /// Shares of a palette colour and of bare table inside a convex polygon, 0…1.
    func inside(_ corners: [Point], label: Int) -> (own: Double, bare: Double)? {
        var (own, bare) = (0.0, 0.0)
        let xy = corners.flatMap { [$0.x, $0.y] }
        guard tcv_pieces_inside(handle, xy, Int32(corners.count), Int32(label), &own, &bare) == TCV_OK else {
            return nil
        }
        return (own, bare)
    }
}
