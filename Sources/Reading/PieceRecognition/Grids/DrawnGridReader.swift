import Core

/// Locates a grid of nine squares drawn as two lines in each direction, and classifies the ink on its squares.
struct DrawnGridReader {
    struct Parameters: Sendable {
        /// Smallest side of a photo, pixels.
        var minPhoto = 32
        /// Paler lines are the edge of a shadow or a moulding, darkness 0…255. Set on development pictures, as all
        /// values here.
        var minLines = 16.0
        /// Darkness from which ink is erased as a line's, and from which it covers a ruled line: at least (0…255), and
        /// in the lines' darkness.
        var erased = (least: 18.0, share: 0.45)
        var ruled = (least: 18.0, share: 0.4)
        /// Darkness from which ink is a mark's: at least, and in the lines' darkness. It exceeds the grain, too.
        var mark = (least: 20.0, share: 0.3)
        /// Shorter lines have no direction, squares.
        var minLength = 0.5
        /// Around a line a ruled one is searched for so far, squares. It is where most of its length has ink; a curved
        /// line is traced from its mean position.
        var lineReach = 0.1
        var minRuled = 0.9
        /// The same for a frame around the squares.
        var frameReach = 0.32
        var minFrame = 0.82
    }

    /// A grid and what is on its squares.
    struct Reading {
        /// Squares → pixels of the picture.
        var homography: Homography
        /// How well the four lines form a grid, 0…1.
        var quality: Double
        /// Row by row; nil for a square without ink.
        var squares: [SquareContent?]
    }

    var parameters = Parameters()

    /// Nil if there is no such grid.
    func reading(of raster: Raster) throws(PictureFailure) -> Reading? {
        let p = parameters
        guard min(raster.width, raster.height) >= p.minPhoto else { return nil }
        var grey = try raster.grey()
        guard let found = try GridSearch().best(in: grey) else { return nil }
        if found.isChalk { grey = try grey.inverted() }
        let map = found.enlarging * found.grid.toPixels
        let last = 1 / map.values[8]
        let homography = Homography(map.values.map { $0 * last })
        let plan = try GridPlan(of: grey, homography)
        guard let lines = darkness(of: found.grid, in: plan), lines >= p.minLines else { return nil }
        let before = plan.dark.copied()
        let bounds = erase(found.grid, from: plan, before: before, darkness: lines)
        let squares = try SquareInk(plan: plan, bounds: bounds)
            .squares(level: max(p.mark.least, p.mark.share * lines, Ink.grain(of: before)))
        let reader = SquareReader(plan: plan, lines: lines)
        var contents: [SquareContent?] = []
        for ink in squares { contents.append(ink.isEmpty ? nil : try reader.content(of: ink)) }
        return Reading(homography: homography, quality: found.grid.quality, squares: contents)
    }

    /// The median darkness of the lines, 0…255; nil if they are outside of the plan.
    private func darkness(of grid: LineGrid, in plan: GridPlan) -> Double? {
        var values: [UInt8] = []
        for line in grid.lines {
            for step in stride(from: line.from, through: line.to, by: 1) {
                let place = grid.toSquares(line.point(step))
                let (x, y) = (Int(whole: plan.x(place.x)), Int(whole: plan.y(place.y)))
                guard x >= 1, y >= 1, x + 1 < plan.dark.width, y + 1 < plan.dark.height else { continue }
                var most: UInt8 = 0
                for row in y - 1...y + 1 {
                    for column in x - 1...x + 1 { most = max(most, plan.dark[column, row]) }
                }
                values.append(most)
            }
        }
        return values.median.map(Double.init)
    }

    /// Erases the lines and a frame around the squares, and returns the squares' outer bounds.
    private func erase(
        _ grid: LineGrid, from plan: GridPlan, before: Picture<UInt8>, darkness: Double
    ) -> GridBounds {
        let p = parameters
        let eraser = LineEraser(plan, before: before, level: max(p.erased.least, p.erased.share * darkness))
        let ruledLevel = max(p.ruled.least, p.ruled.share * darkness)
        for (index, line) in grid.lines.enumerated() {
            let isAcross = index >= 2
            let (a, b) = (grid.toSquares(line.start), grid.toSquares(line.end))
            let (pa, pb, qa, qb) = isAcross ? (a.x, b.x, a.y, b.y) : (a.y, b.y, a.x, b.x)
            guard abs(pb - pa) >= p.minLength else { continue }
            let slope = (qb - qa) / (pb - pa)
            let ruled = eraser.ruled(
                isAcross: isAcross, start: qa - slope * pa, end: qa + slope * (3 - pa), reach: p.lineReach,
                level: ruledLevel)
            let isRuled = ruled.cover > p.minRuled
            eraser.erase(
                isAcross: isAcross, first: isRuled ? ruled.place(at: 1) : qa + slope * (1 - pa),
                second: isRuled ? ruled.place(at: 2) : qa + slope * (2 - pa), along: min(pa, pb)...max(pa, pb))
        }
        var bounds = GridBounds(of: grid, margin: plan.margin)
        // A frame bounds the outer squares.
        let ends: [(WritableKeyPath<GridBounds, Double>, place: Double, isAcross: Bool)] = [
            (\.left, 0, false), (\.right, 3, false), (\.top, 0, true), (\.bottom, 3, true),
        ]
        for (end, place, isAcross) in ends {
            let frame = eraser.ruled(
                isAcross: isAcross, start: place, end: place, reach: p.frameReach, level: ruledLevel)
            guard frame.cover >= p.minFrame else { continue }
            eraser.erase(isAcross: isAcross, first: frame.place(at: 1), second: frame.place(at: 2), along: 0...3)
            bounds[keyPath: end] = place > 0 ? max(frame.start, frame.end) : min(frame.start, frame.end)
        }
        return bounds
    }
}

extension Picture {
    /// A copy with memory of its own.
    func copied() -> Picture {
        let made = Picture(width: width, height: height, channels: channels)
        made.copy(self)
        return made
    }
}
