import Foundation
import Core

/// The style of text for people. Files and pipes get plain text. A terminal gets a symbol before each verdict, and
/// colours unless `NO_COLOR` is set (https://no-color.org).
package struct TextStyle: Sendable {
    let hasSymbols: Bool
    let hasColour: Bool
    /// Column at which long lists wrap.
    let columns: Int

    /// For files and pipes.
    package static let plain = TextStyle(hasSymbols: false, hasColour: false, columns: 100)

    package init(hasSymbols: Bool, hasColour: Bool, columns: Int) {
        self.hasSymbols = hasSymbols
        self.hasColour = hasColour
        self.columns = max(40, columns)
    }

    /// - Parameter columns: the width of the terminal; nil if the output is no terminal.
    package init(
        terminalColumns columns: Int?, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        guard let columns else {
            self = .plain
            return
        }
        let hasColour = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        self.init(hasSymbols: true, hasColour: hasColour, columns: columns)
    }

    /// A heading of the output.
    package func heading(_ text: String) -> String { paint(text, "1") }

    /// A verdict with its symbol and colour.
    package func styled(_ text: String, as word: AllergenVerdict.Kind) -> String {
        coloured((hasSymbols ? Self.symbol(of: word) + " " : "") + text, as: word)
    }

    /// A text in the colour of a verdict. There is no green, because no verdict means the absence of danger.
    package func coloured(_ text: String, as word: AllergenVerdict.Kind) -> String {
        switch word {
        case .contains: paint(text, "1;31")
        case .likely: paint(text, "31")
        case .mayContain: paint(text, "33")
        case .cannotTell: paint(text, "36")
        case .notFoundInText: paint(text, "2")
        }
    }

    private static func symbol(of word: AllergenVerdict.Kind) -> String {
        switch word {
        case .contains, .likely: "✖"
        case .mayContain: "⚠"
        case .cannotTell: "?"
        case .notFoundInText: "·"
        }
    }

    private func paint(_ text: String, _ code: String) -> String {
        hasColour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    /// A list with commas after a title. It wraps between items and indents by the width of the title.
    package func wrapped(_ parts: [String], after title: String) -> [String] {
        var lines = [title]
        for (index, part) in parts.enumerated() {
            let text = " " + part + (index + 1 < parts.count ? "," : "")
            if index > 0, (lines.last?.count ?? 0) + text.count > columns {
                lines.append(String(repeating: " ", count: title.count))
            }
            lines[lines.count - 1] += text
        }
        return lines
    }
}
