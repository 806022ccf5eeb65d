import Core
import Kinds
import Testing

@testable import App

@Suite struct PhotoOverlayTests {
    private func item(_ number: Int, _ box: Quad) -> PhotoOverlay.Item {
        .init(number: number, label: "dish \(number)", box: box, target: "#d\(number)")
    }

    /// A dense page: three columns of lines without a gap, so that no dot has room beside its line.
    private var dense: (items: [PhotoOverlay.Item], words: [Quad]) {
        var items: [PhotoOverlay.Item] = []
        var words: [Quad] = []
        for column in 0..<3 {
            for row in 0..<30 {
                let line = Quad(x: Double(column) * 466 + 2, y: Double(row) * 60 + 4, width: 460, height: 50)
                items.append(item(items.count + 1, line))
                words += (0..<6).map { Quad(x: line.minX + Double($0) * 77, y: line.minY, width: 75, height: 50) }
            }
        }
        return (items, words)
    }

    @Test func `the page has the dots of overlay png, each with its dish and its margin`() throws {
        let (items, words) = dense
        let overlay = PhotoOverlay(width: 1400, height: 1810, items: items, underlines: [], words: words)
        let layout = DotLayout(width: 1400, height: 1810, items: items.map { ($0.number, $0.box) }, print: words)
        func number(_ value: Double) -> String { String(Int(nearest: value)) }
        #expect(overlay.dots.map(\.n) == layout.dots.map { "\($0.number)" })
        #expect(overlay.dots.map(\.cx) == layout.dots.map { number($0.center.x) })
        #expect(overlay.dots.map(\.cy) == layout.dots.map { number($0.center.y) })
        #expect(overlay.dots.map(\.r) == layout.dots.map { number($0.radius) })
        #expect(overlay.dots.map(\.label) == items.map(\.label))
        let viewBox = overlay.viewBox.split(separator: " ").compactMap { Double($0) }
        #expect(viewBox.count == 4)
        for dot in layout.dots {
            #expect(dot.center.x - dot.radius >= viewBox[0] && dot.center.x + dot.radius <= viewBox[0] + viewBox[2])
        }
    }

    @Test func `a dot stands beside its line where there is room, and the photo gets no margin`() {
        let line = Quad(x: 300, y: 400, width: 500, height: 40)
        let overlay = PhotoOverlay(width: 1400, height: 1800, items: [item(1, line)], underlines: [], words: [line])
        #expect(overlay.viewBox == "0 0 1400 1800")
        #expect(overlay.dots.map { [$0.cx, $0.cy] } == [["256", "420"]])
    }

    @Test func `a weaker line never hides a serious one under the same word`() {
        func line(_ kind: AllergenVerdict.Kind, _ y: Double) -> WordUnderline {
            .init(kind: kind, from: Point(0, y), to: Point(9, y))
        }
        let lines = WordUnderline.distinct([line(.contains, 1), line(.likely, 1), line(.mayContain, 2)])
        #expect(lines == [line(.mayContain, 2), line(.contains, 1)])
    }

    @Test func `a claim of absence is not underlined`() {
        func lines(_ polarity: AllergenFinding.Polarity) -> [AllergenVerdict.Kind] {
            AllergenFinding(
                allergen: .milk, polarity: polarity, strength: .declared,
                evidence: [
                    .init(
                        text: "milk", box: Quad(x: 0, y: 0, width: 9, height: 9), language: "en", ruleId: "", lexeme: ""
                    )
                ], probability: 0.9
            ).underlines.map(\.kind)
        }
        #expect(lines(.contains) == [.contains])
        #expect(lines(.mayContain) == [.mayContain])
        #expect(lines(.freeClaim).isEmpty)
    }
}
