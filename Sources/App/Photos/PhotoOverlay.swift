import HTTP
import Core
import Presentation

/// The places on a photo that a page marks: an outline for each item, lines under words, and numbered dots. The same
/// layout as in `overlay.png` places the dots.
struct PhotoOverlay {
    /// A numbered item of the page.
    struct Item {
        var number: Int
        var label: String
        var box: Quad
        /// Address on the page.
        var target: String
        /// The item as a play piece; its dot may be placed on it.
        var piece: DotLayout.Piece?
    }

    let width, height: Double
    let items: [Item]
    let underlines: [WordUnderline]
    /// In the order of the items.
    let dots: [OverlayDrawing.Dot]
    /// Width of the margins outside the photo that dots need, pixels of the upright photo.
    let leftMargin, rightMargin: Double

    /// - Parameters:
    ///   - words: boxes of all recognised words, and of pieces, which no dot may touch.
    init(
        width: Int, height: Int, items: [Item], underlines: [WordUnderline], words: [Quad]
    ) {
        self.width = Double(width)
        self.height = Double(height)
        self.items = items
        self.underlines = WordUnderline.distinct(underlines)
        let layout = DotLayout(
            width: width, height: height, items: items.map { ($0.number, $0.box) }, print: words,
            pieces: items.compactMap(\.piece))
        dots = layout.dots
        (leftMargin, rightMargin) = (layout.leftMargin, layout.rightMargin)
    }

    /// - Parameter texts: words of the legend below the photo; nil leaves the legend out.
    func values(image: String, texts: PageTexts? = nil) -> Values {
        func number(_ value: Double) -> String { String(Int(nearest: value)) }
        return [
            "image": image, "width": number(width), "height": number(height),
            "viewBox": "\(number(-leftMargin)) 0 \(number(leftMargin + width + rightMargin)) \(number(height))",
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
            "dots": zip(items, dots).map { item, dot -> Values in
                [
                    "n": "\(dot.number)", "label": item.label, "target": item.target, "cx": number(dot.center.x),
                    "cy": number(dot.center.y), "ty": number(dot.center.y + dot.radius * 0.42),
                    "r": number(dot.radius),
                ]
            },
            "keys": texts.map { texts in
                Set(underlines.map(\.kind)).sorted { $0.severity > $1.severity }.map { kind -> Values in
                    ["style": kind.style, "word": texts.text("v.\(kind.rawValue)")]
                }
            } ?? [],
        ]
    }
}
