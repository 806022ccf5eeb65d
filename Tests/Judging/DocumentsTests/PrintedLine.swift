import Core

extension TextLine {
    /// A line whose words stand beside each other; a letter is half as wide as it is high.
    static func printed(_ text: String, _ x: Double, _ y: Double, _ height: Double, confidence: Double) -> TextLine {
        var left = x
        let words = text.split(separator: " ").map { word in
            let box = Quad(x: left, y: y, width: Double(word.count) * height / 2, height: height)
            left += Double(word.count + 1) * height / 2
            return Word(text: String(word), confidence: confidence, box: box)
        }
        let box = Quad(x: x, y: y, width: left - x, height: height)
        return TextLine(text: text, confidence: confidence, box: box, words: words)
    }
}
