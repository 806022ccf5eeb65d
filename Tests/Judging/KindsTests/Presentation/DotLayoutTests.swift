import Core
import Testing

@testable import Kinds

@Suite struct DotLayoutTests {
    private typealias Item = (number: Int, box: Quad)

    /// A page of columns of dishes, `pitch` pixels from line to line, with `gap` pixels between columns.
    private func page(columns: Int, rows: Int, pitch: Double, gap: Double) -> (items: [Item], words: [Quad]) {
        var items: [Item] = []
        var words: [Quad] = []
        let width = (1400 - gap * Double(columns + 1)) / Double(columns)
        for column in 0..<columns {
            for row in 0..<rows {
                let (x, y) = (gap + Double(column) * (width + gap), Double(row) * pitch + 4)
                items.append((items.count + 1, Quad(x: x, y: y, width: width, height: pitch * 0.8)))
                words += (0..<6).map {
                    Quad(x: x + Double($0) * width / 6, y: y, width: width / 6 - 2, height: pitch * 0.8)
                }
            }
        }
        return (items, words)
    }

    private func expectApart(_ layout: DotLayout, _ words: [Quad]) {
        for (index, dot) in layout.dots.enumerated() {
            let radius = dot.radius
            for word in words {
                let isApart =
                    dot.center.x + radius <= word.minX || dot.center.x - radius >= word.maxX
                    || dot.center.y + radius <= word.minY || dot.center.y - radius >= word.maxY
                #expect(isApart, "dot \(dot.number) covers a word")
            }
            for other in layout.dots[..<index] {
                let (x, y) = (dot.center.x - other.center.x, dot.center.y - other.center.y)
                let reach = dot.radius + other.radius
                #expect(x * x + y * y >= reach * reach - 1, "dots \(dot.number) and \(other.number) touch")
            }
        }
    }

    @Test(arguments: [
        (1, 60, 30.0, 30.0), (2, 40, 44.0, 60.0), (3, 30, 60.0, 2.0), (4, 60, 30.0, 12.0), (5, 80, 22.0, 40.0),
    ])
    func `no dot touches a word or another dot on a dense page`(
        columns: Int, rows: Int, pitch: Double, gap: Double
    ) {
        let (items, words) = page(columns: columns, rows: rows, pitch: pitch, gap: gap)
        let layout = DotLayout(width: 1400, height: Int(Double(rows) * pitch) + 8, items: items, print: words)
        #expect(layout.dots.map(\.number) == items.map(\.number))
        expectApart(layout, words)
        for dot in layout.dots {
            #expect(dot.center.x - dot.radius >= -layout.leftMargin)
            #expect(dot.center.x + dot.radius <= 1400 + layout.rightMargin)
        }
    }

    @Test func `a dot between two columns belongs to the right one`() {
        let (items, words) = page(columns: 2, rows: 20, pitch: 60, gap: 80)
        let layout = DotLayout(width: 1400, height: 1210, items: items, print: words)
        #expect((layout.leftMargin, layout.rightMargin) == (0, 0))
        for (item, dot) in zip(items, layout.dots) {
            #expect(dot.center.x < item.box.minX)
            #expect(abs(dot.center.y - item.box.center.y) < 2)
        }
    }

    @Test func `a dot in the margin stands at the height of its line`() {
        let (items, words) = page(columns: 2, rows: 30, pitch: 30, gap: 2)
        let layout = DotLayout(width: 1400, height: 1000, items: items, print: words)
        #expect(layout.leftMargin > 0 && layout.rightMargin > 0)
        for (item, dot) in zip(items, layout.dots) where dot.center.x < 0 || dot.center.x > 1400 {
            #expect(abs(dot.center.y - item.box.center.y) < 15, "\(item.number)")
        }
    }

    @Test func `boxes of any size give a place to every dot`() {
        let boxes = [
            Quad(x: -1e9, y: 5, width: 2e9, height: 1e-9), Quad(x: 5, y: 1e12, width: 3, height: 3),
            Quad(x: 0, y: 0, width: 0, height: 0),
        ]
        for (width, height) in [(1, 1), (20, 4000), (4000, 3)] {
            let layout = DotLayout(
                width: width, height: height, items: boxes.enumerated().map { ($0.offset, $0.element) }, print: boxes)
            #expect(layout.dots.count == boxes.count)
            #expect(layout.dots.allSatisfy { $0.center.x.isFinite && $0.center.y.isFinite && $0.radius > 0 })
        }
    }

    @Test func `the outline of a code leaves out the parts on words`() {
        let corners = Quad(x: 100, y: 100, width: 200, height: 80).corners
        let digits = Quad(x: 110, y: 176, width: 180, height: 20)
        let lines = OverlayOutline(corners: corners, meaning: .barcode).lines(besides: [digits], padding: 6, step: 4)
        #expect(lines.contains { $0.from.y < 100 && $0.to.y < 100 })
        for line in lines {
            let isOn =
                max(line.from.x, line.to.x) >= digits.minX && min(line.from.x, line.to.x) <= digits.maxX
                && max(line.from.y, line.to.y) >= digits.minY && min(line.from.y, line.to.y) <= digits.maxY
            #expect(!isOn, "\(line)")
        }
    }

    @Test func `a photo without a size gets an empty drawing`() throws {
        let path = try #require(FilePathBytes("x.jpg"))
        let outcome = Outcome(
            id: nil, source: .init(path: path, bytes: 1), status: .failed, domains: [], confidence: Confidence(0),
            versions: .init(tablesight: "test"))
        #expect(outcome.overlay(in: nil) == OverlayDrawing())
    }
}
