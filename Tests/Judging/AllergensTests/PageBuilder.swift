import TestSupport
import Core

@testable import Allergens

/// Builds readings for tests: lines with boxes, ten pixels for each letter, twenty pixels high.
struct PageBuilder {
    private(set) var lines: [TextLine] = []
    private var y = 0.0
    var confidence = 0.96
    var languages: [String] = []

    /// Adds a line below the last one. With `advance: false` the next line is placed beside it; a line with a `rise` stands
    /// that far below the top of the next one.
    mutating func line(
        _ text: String, x: Double = 0, height: Double = 20, advance: Bool = true, confidence: Double? = nil,
        at rise: Double? = nil
    ) {
        let y = y + (rise ?? 0)
        var words: [Word] = []
        var left = x
        for part in text.split(separator: " ") {
            let width = Double(part.count) * 10
            words.append(
                Word(
                    text: String(part), confidence: confidence ?? self.confidence,
                    box: Quad(x: left, y: y, width: width, height: height)))
            left += width + 10
        }
        lines.append(
            TextLine(
                text: text, confidence: confidence ?? self.confidence,
                box: Quad(x: x, y: y, width: max(0, left - x - 10), height: height), words: words))
        if advance, rise == nil { self.y += height * 1.5 }
    }

    /// Adds one line of texts that are apart by a gap, in heights of the line.
    mutating func row(_ texts: [String], gap: Double) {
        var left = 0.0
        var words: [Word] = []
        for text in texts {
            for part in text.split(separator: " ") {
                let width = Double(part.count) * 10
                words.append(
                    Word(
                        text: String(part), confidence: confidence, box: Quad(x: left, y: y, width: width, height: 20)))
                left += width + 10
            }
            left += gap * 20 - 10
        }
        lines.append(
            TextLine(
                text: texts.joined(separator: " "), confidence: confidence,
                box: Quad(x: 0, y: y, width: max(0, left - gap * 20), height: 20), words: words))
        y += 30
    }

    /// Leaves a line free.
    mutating func skip() { y += 30 }

    var reading: TextReading { TextReading(languages: languages, lines: lines) }
}

extension TextReading {
    /// Lines of print below one another.
    static func page(confidence: Double = 0.96, languages: [String] = [], _ texts: String...) -> TextReading {
        var builder = PageBuilder()
        builder.confidence = confidence
        builder.languages = languages
        for text in texts { builder.line(text) }
        return builder.reading
    }
}

/// The interpreter with the checkout's lexicons, and a profile that must avoid everything.
enum Judge {
    static let models = ModelFolder(Repository.models)

    /// Loaded once, because loading reads all lexicons.
    private static let loaded = Result { try AllergenInterpreter(models: models) }

    static func interpreter() throws -> AllergenInterpreter { try loaded.get() }

    static func words(_ text: String) -> [Word] { TextReading.page(text).lines[0].words }

    static func everyone() throws -> AllergenProfile { try .shipped(named: "everyone", in: models) }

    /// The allergens of a text's findings, by polarity.
    static func allergens(
        _ text: String, language: String?, _ polarity: AllergenFinding.Polarity = .contains
    ) throws -> Set<Allergen> {
        Set(
            try interpreter().findings(inText: text, language: language).filter { $0.polarity == polarity }.map(
                \.allergen))
    }

    static func label(_ reading: TextReading) throws -> Label? {
        let people = [try everyone()]
        return try interpreter().text(of: reading, profiles: people).label(for: people)
    }

    static func menu(_ reading: TextReading) throws -> Menu? {
        let people = [try everyone()]
        return try interpreter().text(of: reading, profiles: people).menu(for: people)
    }
}
