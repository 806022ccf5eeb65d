import Testing
@testable import TextRecognition
import Core

private func word(_ text: String, _ confidence: Double) -> Word {
    Word(
        text: text, confidence: confidence,
        box: Quad(x: 0, y: 0, width: Double(text.count) * 12, height: 20))
}

@Suite struct WordFilterTests {
    @Test(arguments: ["€", "%", "12", "A", "größe", "(G)"])
    func `Signs with a meaning of their own are text`(text: String) {
        #expect(WordFilter.hasPrint(text))
    }

    @Test(arguments: ["|", "—", "...", "“", "_", "'", ""])
    func `Rules, dots and quotes are not text`(text: String) {
        #expect(!WordFilter.hasPrint(text))
    }

    @Test func `Doubtful words on a page without a confident one are noise`() {
        #expect(WordFilter.filtered([word("eee", 0.7), word("ae", 0.6), word("wis", 0.8)], pageHeight: 1000).isEmpty)
    }

    @Test func `A doubtful word among confident ones is kept`() {
        let page = ["butter", "sugar", "flour"].map { word($0, 0.96) } + [word("mi1k", 0.6)]
        let kept = WordFilter.filtered(page, pageHeight: 1000)
        #expect(kept.count == 4)
    }
}
