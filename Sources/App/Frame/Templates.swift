import Core
import Foundation
import Mustache

/// The templates of the pages: `models/web/features/*/*.mustache`, which are the folders `Sources/App/*/Templates`.
struct Templates: Sendable {
    private let library: MustacheLibrary

    init(from models: ModelFolder) throws {
        var library = MustacheLibrary()
        let names = try models.features.flatMap { feature in
            try models.names(in: "web/features/\(feature)", withExtension: "mustache").map { "\(feature)/\($0)" }
        }
        for name in names {
            let file = models.url.appending(path: "web/features/\(name)")
            guard let data = try? Data(contentsOf: file) else {
                throw StartupError(.unavailable, "cannot read \(file.path): restore it from the repository")
            }
            do {
                let text = Self.withoutIndentation(String(decoding: data, as: UTF8.self))
                try library.register(text, named: file.deletingPathExtension().lastPathComponent)
            } catch {
                throw StartupError(.configuration, "\(file.path) is not a valid template: \(error)")
            }
        }
        self.library = library
    }

    /// Indentation and line breaks are for a template's authors; a page carries none of them. Between elements that begin a
    /// line of their own in a browser a break is nothing; elsewhere it is the space that people see. Breaks around a line
    /// with nothing but a section's tag stay, because Mustache removes that line; so do those between symbols, each of which
    /// ``PageParts`` may remove.
    private static func withoutIndentation(_ text: String) -> String {
        var page = ""
        var isAlone = false
        for line in text.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
            let wasAlone = isAlone
            isAlone = line.hasPrefix("{{") && line.hasSuffix("}}") && !line.dropLast(2).contains("}")
            if !page.isEmpty, !endsWithBlock(page[...]), !isBlock(line), line.first != ">" {
                let isKept = isAlone || wasAlone || page.hasSuffix("</symbol>") || line.hasPrefix("<symbol")
                page += isKept ? "\n" : " "
            }
            page += line
        }
        return page
    }

    /// Elements between which no space is seen.
    private static let blocks: Set<Substring> = [
        "article", "aside", "body", "caption", "dd", "details", "div", "dl", "dt", "fieldset", "figcaption", "figure",
        "footer", "form", "h1", "h2", "h3", "h4", "head", "header", "hr", "html", "legend", "li", "main", "nav",
        "noscript", "ol", "optgroup", "option", "p", "section", "select", "summary", "table", "tbody", "td", "th",
        "thead", "tr", "ul",
    ]

    /// True if the text begins with the tag of such an element.
    private static func isBlock(_ text: Substring) -> Bool {
        guard text.first == "<" else { return false }
        return blocks.contains(text.dropFirst().drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber })
    }

    private static func endsWithBlock(_ text: Substring) -> Bool {
        guard text.last == ">", let start = text.lastIndex(of: "<") else { return false }
        return isBlock(text[start...])
    }

    /// The page as HTML; nil if there is no such template.
    func render(_ values: [String: Any], as name: String) -> String? { library.render(values, withTemplate: name) }
}

/// The symbols of `icons.mustache`.
enum Icons {
    /// The page without the symbols of `icons.mustache` that it does not use. Each symbol is on its own line.
    static func withoutUnused(_ html: String) -> String {
        let bytes = Array(html.utf8)
        let (use, symbol) = (Array("\"#i-".utf8), Array("<symbol id=\"i-".utf8))
        var used: Set<ArraySlice<UInt8>> = []
        func name(from start: Int) -> ArraySlice<UInt8> {
            bytes[start...].prefix { $0 != UInt8(ascii: "\"") }
        }
        for start in bytes.indices.dropLast(use.count)
        where bytes[start] == use[0] && bytes[start..<start + use.count].elementsEqual(use) {
            used.insert(name(from: start + use.count))
        }
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.starts(with: symbol), !used.contains(name(from: line.startIndex + symbol.count)) { continue }
            kept += line
            kept.append(UInt8(ascii: "\n"))
        }
        return String(decoding: kept.dropLast(), as: UTF8.self)
    }
}
