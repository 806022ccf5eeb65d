internal import COpenCV
import Core

/// A region of uniform colour with straight sides, segmented from the photo.
struct Shape {
    /// Pixels of the raster, clockwise.
    var corners: [Point]
    /// Palette index of the colour that segmented it; nil if contrast did.
    var label: Int?
    /// Share of the polygon's interior that belongs to the region, 0…1.
    var fill: Double
    /// Difference from the table, 0…255.
    var contrast: Double
    /// Variation of its colour, 0…255.
    var spread: Double
    /// Colour as on a white table in even light.
    var rgb: [Double]
}

/// A point on a side's edge in the full picture.
struct EdgePoint {
    var at: Point
    /// Side from corner `side` to the next.
    var side: Int
    /// Colour step across the side, 0…255; 0 if no edge was found and the point is the expected one.
    var strength: Double
}

/// A photo prepared for piece detection. It owns the façade's handle and is used by one recognition at a time.
struct PreparedPieceImage: ~Copyable {
    private let handle: OpaquePointer
    let width: Int
    let height: Int
    /// Raster pixels per pixel of the working copy on which shapes are segmented.
    let workingStep: Double
    /// Saturation of the table, 0…1: its own colour or the light's.
    let tint: Double

    /// Longest side of the working copy, pixels. A larger copy takes longer and finds no more pieces.
    private static let longSide = 1000
    /// A board seen from above is segmented at half size. Its sides are then located in the full picture.
    private static let boardStep = 2
    /// Maximum number of regions. No photo of a board has as many with straight sides.
    private static let most = 600

    /// Prepares the raster. Nil if memory runs out.
    ///
    /// - Parameter tableIsWhite: True attributes any tint of the table to the light.
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

    /// Prepares a board as seen from above, in pixels of that view. Shapes are segmented by the set's colours alone,
    /// if it has any.
    ///
    /// Nil if memory runs out.
    init?(_ raster: Raster, through view: BoardView, palette: [[UInt8]]) {
        // A printed board is white, so any tint comes from the light.
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

    /// Regions with three or four straight sides. A piece may occur several times.
    func shapes() -> [Shape] {
        var found = [tcv_piece_shape](repeating: tcv_piece_shape(), count: Self.most)
        var count: Int32 = 0
        guard tcv_pieces_shapes(handle, &found, Int32(Self.most), &count) == TCV_OK else { return [] }
        return Self.shapes(found.prefix(Int(count)))
    }

    /// Quadrangles with an edge on all sides. A piece may occur several times.
    ///
    /// They include pieces that hardly differ from the table or have an equally strong shadow. Their colour is not
    /// set.
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

    /// The true sides of a convex polygon in the full picture, within `reach` pixels across each side.
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

    /// Mean difference from the table, 0…255, for each cell of a grid over the picture, row by row. Empty on failure.
    func coarse(columns: Int, rows: Int) -> [UInt8] {
        var values = [UInt8](repeating: 0, count: columns * rows)
        return tcv_pieces_coarse(handle, Int32(columns), Int32(rows), &values) == TCV_OK ? values : []
    }

    /// The largest region of a palette colour, or nil.
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

    /// Removes the less similar part of a palette colour's region if it contains two colours. False if it has only
    /// one.
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
