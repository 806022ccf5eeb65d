import Core

/// Places the numbered dots of an overlay: left of the first line of an item, else in another gap close to it, else in a
/// margin outside the photo at the height of the line. The dot of a plain piece is on the piece. No dot touches a word or
/// another dot.
package struct DotLayout: Sendable {
    /// Where the items' dots are, in the order of the items.
    package let dots: [OverlayDrawing.Dot]
    /// Width of the margins that the dots need, pixels; 0 if there is room on the photo.
    package let leftMargin, rightMargin: Double

    /// A play piece with its number.
    package struct Piece: Sendable {
        var number: Int
        /// In order, pixels.
        var corners: [Point]
        /// True if a dot may be placed on it.
        var isPlain: Bool

        package init(number: Int, corners: [Point], isPlain: Bool) {
            self.number = number
            self.corners = corners
            self.isPlain = isPlain
        }
    }

    /// Radii that are tried, for a photo of 1,400 pixels; a smaller dot is still legible.
    private static let radii = [25.0, 19, 14]
    /// Distance of a dot from its line, and width of one column of a margin, for a photo of 1,400 pixels.
    private static let (distance, column) = (44.0, 58.0)
    /// How far from its item a dot may stand, in radii.
    private static let reach = 3.0

    /// Length on a photo of the given size that corresponds to one pixel of a photo 1,400 pixels wide.
    static func unit(width: Double, height: Double) -> Double { max(width, height * 0.6, 1) / 1400 }

    /// - Parameters:
    ///   - items: number and box of each item.
    ///   - print: boxes that no dot may touch: words, codes and pieces.
    ///   - pieces: the pieces among the items.
    ///   - words: boxes that the dots of pieces may not touch either.
    package init(
        width: Int, height: Int, items: [(number: Int, box: Quad)], print: [Quad], pieces: [Piece] = [],
        words: [Quad] = []
    ) {
        let (width, height) = (Double(max(1, width)), Double(max(1, height)))
        guard !items.isEmpty else {
            // The map of a photo's print costs as much as the rest of a page.
            (dots, leftMargin, rightMargin) = ([], 0, 0)
            return
        }
        let unit = Self.unit(width: width, height: height)
        let map = PrintMap(width: width, height: height, print: print)
        let centred = Self.centred(pieces, radii: Self.radii.map { $0 * unit }, words: words)
        // The dots on pieces come first: no other dot may touch them.
        var placed = items.compactMap { centred[$0.number] }
        var chosen: [OverlayDrawing.Dot] = []
        func place(_ dot: OverlayDrawing.Dot) {
            placed.append(dot)
            chosen.append(dot)
        }
        // Columns of dots in the margins, from the photo outwards.
        var (left, right) = (0, 0)
        for (index, item) in items.enumerated() {
            if let dot = centred[item.number] {
                chosen.append(dot)
                continue
            }
            let line = Self.firstLine(of: item.box, print, unit)
            let radii = Self.radii.map { $0 * unit }
            let beside = Self.beside(
                item.box, line: line, radii, unit, limits: (width, height), map, placed,
                others: items.enumerated().filter { $0.offset != index }.map(\.element.box))
            if let beside {
                place(.init(number: item.number, center: beside.center, radius: beside.radius))
                continue
            }
            let radius = radii[0]
            let y = min(max(line, radius), max(height - radius, radius))
            let isLeft = item.box.center.x <= width / 2
            var column = 0
            func center() -> Point {
                let offset = (Double(column) + 0.5) * Self.column * unit
                return Point(isLeft ? -offset : width + offset, y)
            }
            while placed.contains(where: { Self.touches($0, center(), radius) }) { column += 1 }
            place(.init(number: item.number, center: center(), radius: radius))
            if isLeft { left = max(left, column + 1) } else { right = max(right, column + 1) }
        }
        dots = chosen
        leftMargin = Double(left) * Self.column * unit
        rightMargin = Double(right) * Self.column * unit
    }

    /// The dots on pieces, by number.
    private static func centred(
        _ pieces: [Piece], radii: [Double], words: [Quad]
    ) -> [Int: OverlayDrawing.Dot] {
        var dots: [Int: OverlayDrawing.Dot] = [:]
        for (index, piece) in pieces.enumerated() where piece.isPlain {
            let others = pieces.enumerated().filter { $0.offset != index }.map(\.element.corners)
            let place = PieceCentre(outline: piece.corners, radii: radii, neighbours: others, print: words)
            guard let place else { continue }
            dots[piece.number] = .init(number: piece.number, center: place.center, radius: place.radius)
        }
        return dots
    }

    /// The height of the middle of the item's first line.
    private static func firstLine(of box: Quad, _ print: [Quad], _ unit: Double) -> Double {
        let own = print.filter {
            $0.center.x >= box.minX && $0.center.x <= box.maxX && $0.center.y >= box.minY && $0.center.y <= box.maxY
        }
        if let first = own.min(by: { $0.minY < $1.minY }) { return first.center.y }
        return box.topLeft.y + min(box.height, 60 * unit) / 2
    }

    /// The best free place near an item; nil if every place is taken.
    private static func beside(
        _ box: Quad, line: Double, _ radii: [Double], _ unit: Double, limits: (width: Double, height: Double),
        _ map: PrintMap, _ placed: [OverlayDrawing.Dot], others: [Quad]
    ) -> (center: Point, radius: Double)? {
        let ideal = Point(box.minX - distance * unit, line)
        for radius in radii {
            guard limits.width > 2 * radius, limits.height > 2 * radius else { continue }
            let step = radius / 2
            var candidates: [(cost: Double, center: Point)] = []
            // Boxes may be anywhere: only places on the photo are tried.
            func onPhoto(_ value: Double, _ side: Double) -> Double { min(max(value, radius), side - radius) }
            let (left, right) = (box.minX - reach * radii[0], box.maxX + reach * radii[0])
            let rangeX = onPhoto(left, limits.width)...onPhoto(right, limits.width)
            let rangeY = onPhoto(box.minY, limits.height)...onPhoto(box.maxY, limits.height)
            for y in [onPhoto(line, limits.height)]
                + stride(from: rangeY.lowerBound, through: rangeY.upperBound, by: step)
            {
                for x in [onPhoto(ideal.x, limits.width)]
                    + stride(from: rangeX.lowerBound, through: rangeX.upperBound, by: step)
                {
                    let center = Point(x, y)
                    guard map.isFree(center, radius) else { continue }
                    // A dot on another line than the first is further away for the eye.
                    candidates.append((abs(x - ideal.x) + 3 * abs(y - ideal.y), center))
                }
            }
            let best = candidates.sorted { $0.cost < $1.cost }.first { candidate in
                !placed.contains { touches($0, candidate.center, radius) }
                    && isNearest(candidate.center, box, others, radius)
            }
            if let best { return (best.center, radius) }
        }
        return nil
    }

    /// True if no other item is as near, so that nobody takes the dot for the other's.
    private static func isNearest(_ point: Point, _ own: Quad, _ others: [Quad], _ radius: Double) -> Bool {
        let limit = gap(point, own)
        return !others.contains { other in
            let distance = gap(point, other)
            // A dot left of a line belongs to the line that follows it.
            return distance < limit || distance < radius * 1.5 && other.minX >= point.x && point.x > own.minX
        }
    }

    /// Distance of a point from a box; 0 inside.
    private static func gap(_ point: Point, _ box: Quad) -> Double {
        let x = max(box.minX - point.x, 0, point.x - box.maxX)
        let y = max(box.minY - point.y, 0, point.y - box.maxY)
        return (x * x + y * y).squareRoot()
    }

    private static func touches(_ dot: OverlayDrawing.Dot, _ center: Point, _ radius: Double) -> Bool {
        let (x, y, reach) = (dot.center.x - center.x, dot.center.y - center.y, dot.radius + radius)
        return x * x + y * y < reach * reach
    }
}
