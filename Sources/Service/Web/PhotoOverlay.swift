import Core

/// The places on a photo that a page marks: an outline for each item, lines under words, and numbered dots. Dots are
/// next to the print: left of the item's line if that place is empty, else in a margin outside the photo.
struct PhotoOverlay {
    /// A numbered item of the page.
    struct Item {
        var number: Int
        var label: String
        var box: Quad
        /// Address on the page.
        var target: String
    }

    struct Dot: Equatable {
        var number: Int
        var label: String
        var target: String
        var center: Point
    }

    /// A line under a word.
    struct Underline: Equatable {
        var kind: AllergenVerdict.Kind
        var from, to: Point
    }

    let width, height: Double
    let items: [Item]
    let underlines: [Underline]
    let dots: [Dot]
    /// Radius of a dot and width of the margin, pixels of the upright photo.
    let radius: Double
    let margin: Double

    /// - Parameters:
    ///   - words: boxes of all recognised words, which no dot may touch.
    init(
        width: Int, height: Int, items: [Item], underlines: [Underline], words: [Quad]
    ) {
        self.width = Double(width)
        self.height = Double(height)
        self.items = items
        self.underlines = Self.distinct(underlines)
        // Sizes are for a photo of 1,400 pixels; another one is shown at the same size.
        let unit = Double(width) / 1400
        let radius = 25 * unit
        var placed: [Dot] = []
        var usesMargin = false
        for item in items {
            let line = min(item.box.height, 60 * unit) / 2
            let y = min(max(item.box.topLeft.y + line, radius), max(Double(height) - radius, radius))
            let free = [item.box.minX - 44 * unit, item.box.minX - 80 * unit].first { x in
                x - radius >= 0 && Self.isFree(Point(x, y), radius, words, placed)
            }
            var center = Point(free ?? -Self.marginShare * unit / 2, y)
            if free == nil {
                usesMargin = true
                while placed.contains(where: { Self.touches($0.center, center, radius) }) { center.y += 2 * radius }
            }
            placed.append(Dot(number: item.number, label: item.label, target: item.target, center: center))
        }
        self.radius = radius
        dots = placed
        margin = usesMargin ? Self.marginShare * unit : 0
    }

    /// One line for each word: the most serious verdict, so that no weaker line hides it. Serious lines come last, on
    /// top.
    static func distinct(_ lines: [Underline]) -> [Underline] {
        struct Place: Hashable {
            var from, to: Point
        }
        let places = Dictionary(grouping: lines) { Place(from: $0.from, to: $0.to) }
        let kept = places.values.compactMap { $0.max { $0.kind.severity < $1.kind.severity } }
        return kept.sorted { ($0.kind.severity, $0.from.y, $0.from.x) < ($1.kind.severity, $1.from.y, $1.from.x) }
    }

    private static let marginShare = 64.0

    private static func touches(_ one: Point, _ other: Point, _ radius: Double) -> Bool {
        let (x, y) = (one.x - other.x, one.y - other.y)
        return x * x + y * y < 4 * radius * radius
    }

    /// True if a dot at this place covers no word and no other dot.
    static func isFree(_ center: Point, _ radius: Double, _ words: [Quad], _ dots: [Dot]) -> Bool {
        if dots.contains(where: { touches($0.center, center, radius) }) { return false }
        return !words.contains { word in
            center.x + radius > word.minX && center.x - radius < word.maxX && center.y + radius > word.minY
                && center.y - radius < word.maxY
        }
    }

    func values(image: String) -> Values {
        func number(_ value: Double) -> String { String(Int(value.rounded())) }
        let lowest = dots.map { $0.center.y + radius }.max() ?? 0
        return [
            "image": image, "width": number(width), "height": number(height),
            "viewBox": "\(number(-margin)) 0 \(number(width + margin)) \(number(max(height, lowest)))",
            "boxes": items.map { item -> Values in
                [
                    "n": "\(item.number)",
                    "points": item.box.corners.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " "),
                ]
            },
            "lines": underlines.map { line -> Values in
                [
                    "style": line.kind.style, "x1": number(line.from.x), "y1": number(line.from.y),
                    "x2": number(line.to.x), "y2": number(line.to.y),
                ]
            },
            "dots": dots.map { dot -> Values in
                [
                    "n": "\(dot.number)", "label": dot.label, "target": dot.target, "cx": number(dot.center.x),
                    "cy": number(dot.center.y), "ty": number(dot.center.y + radius * 0.42), "r": number(radius),
                ]
            },
            "keys": Set(underlines.map(\.kind)).sorted { $0.severity > $1.severity }.map(\.style),
        ]
    }
}

extension AllergenFinding {
    /// The verdict whose line marks the words of this finding; nil for words that warn nobody.
    var kind: AllergenVerdict.Kind? {
        switch polarity {
        case .contains: strength == .dishKnowledge ? .likely : .contains
        case .likely: .likely
        case .mayContain: .mayContain
        case .option: .cannotTell
        case .freeClaim: nil
        }
    }

    /// Lines under the words of this finding.
    var underlines: [PhotoOverlay.Underline] {
        guard let kind else { return [] }
        return evidence.compactMap(\.box).map { box in
            .init(kind: kind, from: box.bottomLeft, to: box.bottomRight)
        }
    }
}
