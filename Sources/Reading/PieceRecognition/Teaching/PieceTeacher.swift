import Foundation
import Core

/// Learns a set from two photos that one camera took from the same place: the empty table, and the set laid out on
/// it.
///
/// The differences are the pieces. Their outlines, colours and faces become a piece set's file.
package struct PieceTeacher: Sendable {
    package init() {}

    /// Maximum relative difference between edges of the same shape.
    private static let alike = 0.07
    /// Minimum distance between two different colours.
    private static let colourApart = 0.45

    /// One observed piece, in pixels.
    private struct Seen {
        var at: Point
        /// Clockwise; empty for a disc.
        var corners: [Point]
        var radius: Double
        var rgb: [UInt8]
        var face: [UInt32]?
        var size: Double {
            corners.isEmpty
                ? 2 * radius
                : corners.indices.map { (corners[($0 + 1) % corners.count] - corners[$0]).length }.max() ?? 0
        }
    }

    /// The text of `models/piece-sets/<name>.json`.
    ///
    /// - Throws: `ItemFailure` that says what is wrong with the photos and what to do.
    package func file(empty: Raster, laidOut: Raster, _ request: TeachingRequest) throws(ItemFailure) -> String {
        guard empty.format == .rgb8, laidOut.format == .rgb8, empty.width == laidOut.width,
            empty.height == laidOut.height
        else { throw .unteachable("the photos differ in size or colour", "take both with one camera from one place") }
        var seen = try pieces(empty: empty, laidOut: laidOut)
        seen = Self.inReadingOrder(seen)
        let drawing = PieceSetDrawing(name: request.set, title: request.set)
        guard let longest = seen.map(\.size).max(), longest > 0 else { throw .unteachable("no pieces", "lay them out") }
        let scale = request.longestMM / longest
        let hasFaces = seen.contains { $0.face != nil }
        let isColoured = Self.differ(seen.map(\.rgb)) && !hasFaces
        return try drawing.text(
            groups(seen, scale: scale, isColoured: isColoured, hasFaces: hasFaces, names: request.names))
    }

    private func pieces(empty: Raster, laidOut: Raster) throws(ItemFailure) -> [Seen] {
        let laid: LaidObjects
        do throws(PictureFailure) { laid = try LaidObjects(empty: empty, laidOut: laidOut) } catch {
            throw error.ofPhoto
        }
        guard !laid.objects.isEmpty || laid.cut > 0 else {
            throw .unteachable("the photos show no difference", "lay the pieces out for the second photo")
        }
        guard laid.cut == 0 else {
            throw .unteachable("\(laid.cut) pieces run out of the picture", "lay all of them inside it")
        }
        var seen: [Seen] = []
        for object in laid.objects {
            let corners = object.corners
            guard [0, 3, 4].contains(corners.count), corners.isEmpty || Self.isConvex(corners) else {
                throw .unteachable(
                    "a piece at \(Int(object.at.x)), \(Int(object.at.y)) has \(corners.count) corners, or two touch",
                    "lay the pieces apart; convex ones of three or four corners and discs are learned")
            }
            var one = Seen(at: object.at, corners: corners, radius: object.radius, rgb: object.rgb)
            do throws(PictureFailure) { one.face = try Self.face(of: one, in: laidOut) } catch { throw error.ofPhoto }
            seen.append(one)
        }
        return seen
    }

    /// The glyph on a tile of four corners; nil for a plain tile.
    private static func face(of seen: Seen, in raster: Raster) throws(PictureFailure) -> [UInt32]? {
        guard seen.corners.count == 4,
            let face = try TileFace(raster, corners: upright(seen.corners), squares: (1, 1))
        else { return nil }
        let ink = try face.ink()
        guard let largest = ink.parts.first?.area, ink.contrast > 40, largest > TileFace.side * TileFace.side / 100
        else {
            return nil
        }
        let parts = ink.parts.filter { $0.area * 11 >= largest }
        let coverage = ink.coverage(parts, width: face.width)
        let size = FaceTemplate.size
        return (0..<size).map { row in
            (0..<size).reduce(0) { $0 | (coverage[row * size + $1] >= 0.5 ? 1 << UInt32(size - 1 - $1) : 0) }
        }
    }

    /// The corners from the one nearest to the upper left. Tiles are laid out to be read.
    private static func upright(_ corners: [Point]) -> [Point] {
        let first = corners.indices.min { corners[$0].x + corners[$0].y < corners[$1].x + corners[$1].y } ?? 0
        return corners.indices.map { corners[(first + $0) % corners.count] }
    }

    private static func isConvex(_ corners: [Point]) -> Bool {
        corners.indices.allSatisfy { index in
            let next = corners[(index + 1) % corners.count]
            return (next - corners[index]).cross(corners[(index + 2) % corners.count] - next) > 0
        }
    }

    private static func inReadingOrder(_ seen: [Seen]) -> [Seen] {
        let height = seen.map(\.size).min() ?? 1
        // Rows slope if the camera is rotated a little. The tiles' own direction gives the slope.
        let slope = rowDirection(seen)
        func upright(_ at: Point) -> Point { at.rotated(cosine: cos(slope), sine: -sin(slope)) }
        var rows: [[Seen]] = []
        for one in seen.sorted(by: { upright($0.at).y < upright($1.at).y }) {
            // In an oblique view the slope differs from side to side, so the nearest piece of the row counts, not its
            // first one.
            let row = rows.last?.min { abs($0.at.x - one.at.x) < abs($1.at.x - one.at.x) }
            if let row, abs(upright(one.at).y - upright(row.at).y) < 0.6 * height {
                rows[rows.count - 1].append(one)
            } else {
                rows.append([one])
            }
        }
        return rows.flatMap { $0.sorted { $0.at.x < $1.at.x } }
    }

    /// The direction of most squares' upper sides, radians clockwise from the right; 0 if there are few.
    private static func rowDirection(_ seen: [Seen]) -> Double {
        let angles = seen.filter { $0.corners.count == 4 }.map { one in
            let corners = upright(one.corners)
            let side = corners[1] - corners[0]
            return atan2(side.y, side.x)
        }
        guard angles.count >= 4, let middle = angles.median else { return 0 }
        return abs(middle) < 0.5 ? middle : 0
    }

    private static func differ(_ colours: [[UInt8]]) -> Bool {
        colours.contains { one in
            colours.contains { Colour.difference(one.map(Double.init), $0.map(Double.init)) > colourApart }
        }
    }

    /// Groups of pieces with the same shape and colour.
    private func groups(
        _ seen: [Seen], scale: Double, isColoured: Bool, hasFaces: Bool, names: [String]
    ) throws(ItemFailure) -> [PieceSetDrawing.Group] {
        var groups: [PieceSetDrawing.Group] = []
        var shapes: [(shape: PieceSetDrawing.Shape, type: String)] = []
        for (index, one) in seen.enumerated() {
            let shape = PieceSetDrawing.Shape(corners: one.corners.map { $0 * scale }, diameter: 2 * one.radius * scale)
            guard !hasFaces || one.face != nil else {
                throw .unteachable(
                    "some pieces show a face and some do not", "teach plain pieces and pieces with faces as two sets")
            }
            let known = shapes.first { $0.shape.isAlike(shape, within: Self.alike) }
            let name = index < names.count ? names[index] : nil
            let type = known?.type ?? (hasFaces ? "tile" : name) ?? "piece\(shapes.count + 1)"
            if known == nil {
                shapes.append((shape, shapes.contains { $0.type == type } ? type + "\(shapes.count + 1)" : type))
            }
            let colour = isColoured ? one.rgb : nil
            let template = one.face.map { (name: name ?? "face\(index + 1)", rows: $0) }
            if let same = groups.firstIndex(where: { group in
                group.type == type
                    && (colour == nil
                        || group.colour.map {
                            Colour.difference($0.map(Double.init), (colour ?? []).map(Double.init)) < Self.colourApart
                        } == true)
            }) {
                groups[same].count += 1
                if let template { groups[same].templates.append(template) }
            } else {
                groups.append(
                    .init(
                        type: type, count: 1, shape: known?.shape ?? shape, colour: colour,
                        templates: template.map { [$0] } ?? []))
            }
        }
        return groups
    }
}

extension ItemFailure {
    static func unteachable(_ detail: String, _ hint: String) -> ItemFailure {
        ItemFailure(stage: .recognition, code: .decodeFailed, detail: detail, hint: hint)
    }
}
