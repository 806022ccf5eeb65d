import Testing
@testable import TextRecognition
import Core

/// Words of 20 pixels height, 10 pixels per letter.
private func words(_ text: String, x: Double, y: Double, height: Double = 20) -> [Word] {
    var left = x
    let parts: [Substring] = text.split(separator: " ")
    return parts.map { part in
        let width = Double(part.count) * height / 2
        defer { left += width + height / 2 }
        return Word(text: String(part), confidence: 1, box: Quad(x: left, y: y, width: width, height: height))
    }
}

private func order(_ words: [Word]) -> [String] {
    ReadingOrder.lines(of: words).map { $0.map(\.text).joined(separator: " ") }
}

@Suite struct ReadingOrderTests {
    @Test func `Words in any order become lines from the top down`() {
        let page = words("the first line", x: 10, y: 10) + words("the second line", x: 10, y: 50)
        #expect(order(page.reversed()) == ["the first line", "the second line"])
    }

    @Test func `No words make no lines`() {
        #expect(ReadingOrder.lines(of: []).isEmpty)
    }

    @Test func `A price far to the right is a separate line directly after its dish`() {
        let page =
            words("Tomato soup", x: 10, y: 10) + words("6.50", x: 400, y: 10)
            + words("Green salad", x: 10, y: 50) + words("7.90", x: 400, y: 50)
        #expect(order(page) == ["Tomato soup", "6.50", "Green salad", "7.90"])
    }

    @Test func `A price within three text heights stays on its line`() {
        #expect(order(words("Soup", x: 10, y: 10) + words("6.50", x: 100, y: 10)) == ["Soup 6.50"])
    }

    @Test func `Two columns of text are read one after the other`() {
        let left = (1...5).map { words("left column line \($0)", x: 10, y: Double($0) * 30) }
        let right = (1...5).map { words("right column line \($0)", x: 300, y: Double($0) * 30 + 4) }
        let expected = (1...5).map { "left column line \($0)" } + (1...5).map { "right column line \($0)" }
        #expect(order(zip(left, right).flatMap { $0 + $1 }) == expected)
    }

    @Test func `Columns closer than a wide gap are still columns`() {
        let left = (1...5).map { words("left column text", x: 10, y: Double($0) * 30) }
        let right = (1...5).map { words("right column text", x: 210, y: Double($0) * 30) }
        let lines = order(zip(left, right).flatMap { $0 + $1 })
        #expect(
            lines == Array(repeating: "left column text", count: 5) + Array(repeating: "right column text", count: 5))
    }

    @Test func `A heading across both columns comes before them`() {
        let heading = words("A very long heading that spans both of the columns", x: 10, y: 0)
        let left = (2...5).flatMap { words("left column line \($0)", x: 10, y: Double($0) * 30) }
        let right = (2...5).flatMap { words("right column line \($0)", x: 300, y: Double($0) * 30) }
        let lines = order(right + left + heading)
        #expect(lines.first == "A very long heading that spans both of the columns")
        #expect(
            lines.dropFirst().map { $0.prefix(4) } == ["left", "left", "left", "left", "righ", "righ", "righ", "righ"])
    }

    @Test func `A line that sags in the middle stays one line`() {
        let sagging = (0..<8).map { index in
            let sag = 14 - abs(Double(index) - 3.5) * 4
            return Word(
                text: "w\(index)", confidence: 1,
                box: Quad(x: Double(index) * 60, y: 100 + sag, width: 50, height: 20))
        }
        #expect(order(sagging) == ["w0 w1 w2 w3 w4 w5 w6 w7"])
    }
}
