import Core

/// Reads print again that may be a date: dots of ink, dates across the main print or upside down, tight lines.
///
/// The place is cut out of the page at its full resolution, its lines are detected in the cut alone, and each is read
/// with more or less blur, which joins dots, and by a reader of its own for dotted print. A date counts if two of these
/// looks agree on it.
struct DateLook {
    let detector: any LineDetector
    let reader: CascadeLineReader
    let scanner: DateScanner

    /// Standard deviations of the blur, as a share of the letters' height. Printers have seven dots for it: half a dot's
    /// pitch is .07.
    private static let blurs = [0.06, 0, 0.1]
    /// The same for the reader of dotted dates, which knows dots.
    private static let dottedBlurs = [0, 0.06]
    /// Height of letters in the cut in which lines are detected, pixels. Of larger dots each would be a line.
    private static let detectionHeight = 24.0
    /// Blur of that cut, as a share of the letters' height.
    private static let detectionBlur = 0.07
    /// Places of a page that are looked at, at most.
    private static let maxPlaces = 4
    /// Lines of a cut that are read, at most.
    private static let maxLines = 7
    /// Share of a detected line's height that its letters occupy.
    private static let letterShare = 0.6
    /// Margins around a place, in its heights.
    private static let marginAlong = 4.0
    private static let marginAcross = 1.2
    /// Length added at both ends of a place, in its heights: the detector loses a last digit.
    private static let `extension` = 1.0
    /// Least probability of a letter from which a date needs no second look.
    private static let sure: Float = 0.9
    /// Mean probability of a letter below which print is doubtful.
    private static let doubtful = 0.9
    /// Least mean probability of a letter of a look that counts.
    private static let legible = 0.9
    /// The same for the reader of dotted dates, which does not know all letters of a line.
    private static let legibleDots = 0.75
    /// Least mean probability of a letter of words beside a date.
    private static let certainWord = 0.95
    /// Least probability of each letter of a date that counts.
    private static let certain: Float = 0.6
    /// Lines lower than this, in pixels, have too few pixels for another look.
    private static let minThickness = 10.0

    /// Length of a line, in its heights, at least.
    private static let longLine = 2.5

    /// One line as the looks read it.
    struct Seen {
        let scanner: DateScanner
        var looks: [PageLine]
        /// The same line as the reader of dotted dates reads it.
        var dotted: [PageLine] = []

        /// The look of the reader of all print with the most probable date on which another look agrees, if no two agree on
        /// another date.
        ///
        /// - Parameter first: The dates of the first reading; to overrule a date there, three looks must agree.
        func agreed(against first: [[DateReading.Choice]] = []) -> PageLine? {
            let printed = dated(looks, atLeast: legible)
            let counted = printed + dated(dotted, atLeast: legibleDots)
            let votes = Dictionary(grouping: counted, by: \.days).filter { $0.value.count >= 2 }
            guard votes.count == 1, let (days, lines) = votes.first,
                first.isEmpty || first == days || lines.count > 2
            else { return nil }
            return printed.filter { $0.days == days }.map(\.line).max { $0.confidence < $1.confidence }
        }

        /// The legible lines with their dates, each letter of which is certain enough.
        private func dated(
            _ lines: [PageLine], atLeast legible: Double
        ) -> [(line: PageLine, days: [[DateReading.Choice]])] {
            lines.compactMap { line in
                let dates = scanner.dates(in: line.letters)
                return line.confidence < legible || dates.isEmpty || dates.contains { $0.probability < certain }
                    ? nil : (line, dates.map(\.choices))
            }
        }

        /// True for print of several digits, which may be the date.
        var isPrint: Bool { looks.count > 1 }

        /// Mean probability of a letter in the clearest of all readings of the line.
        var legibility: Double { (looks + dotted).map(\.confidence).max() ?? 0 }

        /// Words beside a date, such as its kind; nil if they are doubtful.
        var words: PageLine? {
            looks.first {
                $0.confidence >= certainWord && $0.letterCount > 1 && scanner.dates(in: $0.letters).isEmpty
            }
        }
    }

    /// The lines with those that a second look read instead of some of them.
    func lines(_ lines: [PageLine], on page: Raster) throws -> [PageLine] {
        let isSure = lines.contains { line in
            scanner.dates(in: line.letters).contains { $0.probability >= Self.sure && !$0.isBare }
        }
        guard !isSure else { return lines }
        var result = lines
        for place in places(in: lines).prefix(Self.maxPlaces) {
            let read = try dates(at: place, on: page)
            guard !read.isEmpty else { continue }
            var used = read.filter { line in !lines.contains { isBetter($0, than: line) } }
            for index in used.indices {
                used[index].replaced = result.map(\.shape).filter(used[index].shape.sharesPlace(with:))
            }
            result.removeAll { old in used.contains { $0.replaced.contains(old.shape) } }
            let isReversed = read.contains { abs($0.shape.turn(to: place.shape)) > 90 }
            if isReversed { result = try result.map { try self.reversed($0, near: place.shape, on: page) } }
            result += used
        }
        return result
    }

    /// A line beside print that is upside down, read in that direction too.
    private func reversed(_ line: PageLine, near place: LineShape, on page: Raster) throws -> PageLine {
        let isNear =
            line.shape.distance(to: place) < place.span / 2 + Self.marginAlong * place.thickness
            && line.confidence < Self.certainWord && abs(line.shape.turn(to: place)) < 20
        guard isNear else { return line }
        let other = try reader.line(DetectedLine(shape: line.shape.reversed, score: line.score), on: page)
        return other.confidence > line.confidence ? other : line
    }

    /// The lines that may be dates, the most promising first.
    private func places(in lines: [PageLine]) -> [PageLine] {
        lines.compactMap { line in
            let score =
                isDated(line) ? 3 : DateHint.score(of: line.letters, isDoubtful: line.confidence < Self.doubtful)
            return score > 0 && line.shape.thickness >= Self.minThickness ? (line, score) : nil
        }
        .sorted { $0.1 > $1.1 }.map(\.0)
    }

    /// The lines around a place with a date on which two looks agree, in the direction in which the print is more legible.
    private func dates(at place: PageLine, on page: Raster) throws -> [PageLine] {
        var best: (seen: [Seen], legibility: Double) = ([], 0)
        for shape in place.confidence < Self.doubtful ? [place.shape, place.shape.reversed] : [place.shape] {
            let seen = try shapes(around: shape, on: page).prefix(Self.maxLines).map { line in
                try self.seen(line, on: page)
            }
            let legibility = seen.filter(\.isPrint).map(\.legibility).max() ?? 0
            if legibility > best.legibility { best = (seen, legibility) }
        }
        let first = scanner.dates(in: place.letters).map(\.choices)
        let agreed = best.seen.compactMap { $0.agreed(against: first) }
        return agreed.isEmpty ? [] : Self.withoutRepeats(agreed + best.seen.compactMap(\.words))
    }

    /// The lines without those that another one before them shows too.
    private static func withoutRepeats(_ lines: [PageLine]) -> [PageLine] {
        lines.reduce(into: []) { kept, line in
            let isKnown = kept.contains { $0.shape.sharesPlace(with: line.shape) }
            if !isKnown { kept.append(line) }
        }
    }

    /// The lines that are detected around a place, and the place itself.
    private func shapes(around place: LineShape, on page: Raster) throws -> [DetectedLine] {
        let cut = LineCut(around: place, along: Self.marginAlong, across: Self.marginAcross)
        let scale = Self.detectionHeight / (place.thickness * Self.letterShare)
        let picture = try cut.picture(of: page, scale: scale)
            .smoothed(deviation: Self.detectionBlur * Self.detectionHeight)
        let detected = try detector.lines(on: picture, search: .close).map { line in
            DetectedLine(shape: cut.shape(line.shape, in: picture), score: line.score)
        }
        .filter { $0.shape.span > Self.longLine * $0.shape.thickness }
        .sorted { $0.shape.distance(to: place) < $1.shape.distance(to: place) }
        return [place, place.extended(by: Self.extension)].map { DetectedLine(shape: $0, score: 1) } + detected
    }

    /// The line with each blur. Without any digits at first it is read once.
    private func seen(_ line: DetectedLine, on page: Raster) throws -> Seen {
        let height = Self.letterShare * Double(LineRectifier.imageHeight)
        var seen = Seen(scanner: scanner, looks: [try reader.line(line, on: page, blur: Self.blurs[0] * height)])
        seen.dotted = [try reader.dateLine(line, on: page, blur: Self.dottedBlurs[0] * height)]
        guard (seen.looks + seen.dotted).contains(where: { DateHint.hasDigits($0.letters) }) else { return seen }
        seen.looks += try Self.blurs.dropFirst().map { try reader.line(line, on: page, blur: $0 * height) }
        seen.dotted += try Self.dottedBlurs.dropFirst().map { try reader.dateLine(line, on: page, blur: $0 * height) }
        return seen
    }

    private func isDated(_ line: PageLine) -> Bool { !scanner.dates(in: line.letters).isEmpty }

    /// True for a legible line of the same place and direction that shows more than the other one.
    private func isBetter(_ line: PageLine, than other: PageLine) -> Bool {
        line.confidence >= Self.doubtful && abs(line.shape.turn(to: other.shape)) < 90
            && isDated(line) == isDated(other) && (isDated(line) || line.letterCount > other.letterCount)
            && line.shape.sharesPlace(with: other.shape)
    }
}

/// A rectangle around a line with its direction, to be cut out of the page.
private struct LineCut {
    private let origin, along, across: Point
    private let width, height: Double

    init(around shape: LineShape, along marginAlong: Double, across marginAcross: Double) {
        let spine = shape.spine
        let (first, last) = (spine.first ?? Point(0, 0), spine.last ?? Point(0, 0))
        let length = max(1, first.distance(to: last))
        let thickness = shape.height
        along = Point((last.x - first.x) / length, (last.y - first.y) / length)
        across = Point(-along.y, along.x)
        width = length + 2 * marginAlong * thickness
        height = thickness * (1 + 2 * marginAcross)
        let center = Point((first.x + last.x) / 2, (first.y + last.y) / 2)
        origin = Point(
            center.x - along.x * width / 2 - across.x * height / 2,
            center.y - along.y * width / 2 - across.y * height / 2)
    }

    private func point(_ x: Double, _ y: Double) -> Point {
        Point(origin.x + along.x * x + across.x * y, origin.y + along.y * x + across.y * y)
    }

    func picture(of page: Raster, scale: Double) throws -> Raster {
        let quad = Quad(
            topLeft: point(0, 0), topRight: point(width, 0), bottomRight: point(width, height),
            bottomLeft: point(0, height))
        return try LineRectifier.image(of: LineShape(quad), on: page, height: max(32, Int((height * scale).rounded())))
    }

    /// A shape in the cut's picture as a shape on the page.
    func shape(_ shape: LineShape, in picture: Raster) -> LineShape {
        let (x, y) = (width / Double(picture.width), height / Double(picture.height))
        var result = shape
        result.top = shape.top.map { point($0.x * x, $0.y * y) }
        result.bottom = shape.bottom.map { point($0.x * x, $0.y * y) }
        return result
    }
}

extension LineShape {
    /// The line, longer by a multiple of its height at both ends.
    fileprivate func extended(by heights: Double) -> LineShape {
        guard let first = spine.first, let last = spine.last, length > 0 else { return self }
        let (dx, dy) = ((last.x - first.x) / length * heights * height, (last.y - first.y) / length * heights * height)
        var result = self
        for edge in [\LineShape.top, \.bottom] {
            let (begin, end) = (self[keyPath: edge].first ?? first, self[keyPath: edge].last ?? last)
            result[keyPath: edge][0] = Point(begin.x - dx, begin.y - dy)
            result[keyPath: edge][self[keyPath: edge].count - 1] = Point(end.x + dx, end.y + dy)
        }
        return result
    }

    /// The angle between two lines in degrees, −180…180.
    fileprivate func turn(to other: LineShape) -> Double {
        (angle - other.angle + 540).truncatingRemainder(dividingBy: 360) - 180
    }

    /// From the middle of one line to that of another, pixels.
    fileprivate func distance(to other: LineShape) -> Double { middle.distance(to: other.middle) }

    /// True if the middle of one of two lines lies in the other.
    fileprivate func sharesPlace(with other: LineShape) -> Bool { contains(other.middle) || other.contains(middle) }
}
