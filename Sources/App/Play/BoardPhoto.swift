import Core
import Household
import Kinds

/// The newest photo of a board with the outlines of its pieces, as the template `photo` draws it.
struct BoardPhoto {
    struct Outline { let points: String }

    /// A number that leads to the row of a piece.
    struct Dot { let n, label, target, cx, cy, ty, r: String }

    let image, width, height, viewBox: String
    /// Pieces that were read, and pieces occluded by a hand.
    let pieces, hidden: [Outline]
    let dots: [Dot]

    init(_ photo: ShownBoard.Photo, _ all: [RecognizedPiece], _ texts: PageTexts) {
        func number(_ value: Double) -> String { String(Int(nearest: value)) }
        func outlines(_ pieces: [RecognizedPiece]) -> [Outline] {
            pieces.map { piece in
                Outline(points: piece.polygonPX.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " "))
            }
        }
        let items = all.enumerated().compactMap { index, piece in
            Quad(around: piece.polygonPX.map { Quad(topLeft: $0, topRight: $0, bottomRight: $0, bottomLeft: $0) })
                .map { (number: index + 1, box: $0, piece: piece) }
        }
        let layout = DotLayout(
            width: photo.width, height: photo.height, items: items.map { ($0.number, $0.box) }, print: items.map(\.box),
            pieces: items.map { .init(number: $0.number, corners: $0.piece.polygonPX, isPlain: $0.piece.isPlain) })
        image = "/v1/outcomes/\(photo.id)/image"
        width = "\(photo.width)"
        height = "\(photo.height)"
        let whole = layout.leftMargin + Double(photo.width) + layout.rightMargin
        viewBox = "\(number(-layout.leftMargin)) 0 \(number(whole)) \(photo.height)"
        pieces = outlines(all.filter { $0.state != .occluded })
        hidden = outlines(all.filter { $0.state == .occluded })
        dots = zip(items, layout.dots).map { item, dot in
            Dot(
                n: "\(dot.number)", label: texts.piece(item.piece.type), target: "#p\(item.number)",
                cx: number(dot.center.x), cy: number(dot.center.y), ty: number(dot.center.y + dot.radius * 0.42),
                r: number(dot.radius))
        }
    }
}
