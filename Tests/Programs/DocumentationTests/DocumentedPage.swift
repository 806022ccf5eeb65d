import Foundation
import TestSupport

/// A page of the documentation: its links and the commands of its code blocks.
struct DocumentedPage: Sendable, CustomStringConvertible {
    /// Path from the repository's root.
    let name: String
    let text: String

    var description: String { name }
    var url: URL { Repository.root.appending(path: name) }

    /// README, change log, and all pages below docs/, by name.
    static func all() throws -> [DocumentedPage] {
        let below = FileManager.default.enumerator(atPath: Repository.root.appending(path: "docs").path)
        let pages = (below?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
        return try (["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + pages.sorted()).map { name in
            let url = Repository.root.appending(path: name)
            return DocumentedPage(name: name, text: try String(contentsOf: url, encoding: .utf8))
        }
    }

    /// Lines outside and inside code blocks; the opening line of a block belongs to neither.
    private var parts: (prose: [Substring], code: [(language: Substring, lines: [Substring])]) {
        var prose: [Substring] = []
        var code: [(language: Substring, lines: [Substring])] = []
        var isCode = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            // Code blocks of a numbered list are indented.
            let fence = line.drop { $0 == " " }
            if fence.hasPrefix("```") {
                isCode.toggle()
                if isCode { code.append((fence.dropFirst(3), [])) }
            } else if isCode {
                code[code.count - 1].lines.append(line)
            } else {
                prose.append(line)
            }
        }
        return (prose, code)
    }

    /// Each code block without a language, comments included, with what the page shows of its output: the block `text` after it.
    var shellBlocks: [(lines: [Substring], shown: [Substring])] {
        var blocks: [(lines: [Substring], shown: [Substring])] = []
        var isOpen = false
        for block in parts.code {
            if block.language.isEmpty {
                blocks.append((block.lines, []))
            } else if block.language == "text", isOpen {
                blocks[blocks.count - 1].shown = block.lines
            }
            isOpen = block.language.isEmpty
        }
        return blocks
    }

    /// Targets of Markdown links and pictures outside code, and outside inline code.
    var links: [String] {
        parts.prose.flatMap { line in
            String(line).replacing(/`[^`]*`/, with: "").matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
        }
    }

    /// Anchors of the headings, as GitHub makes them.
    var anchors: Set<String> {
        var seen: [String: Int] = [:]
        var all: Set<String> = []
        for line in parts.prose {
            guard let heading = line.wholeMatch(of: /#{1,6} +(.*)/)?.1 else { continue }
            let words = String(heading).replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.1) }.lowercased()
            let slug = String(
                words.compactMap { letter -> Character? in
                    letter == " " ? "-" : letter.isLetter || letter.isNumber || "-_".contains(letter) ? letter : nil
                })
            let count = seen[slug, default: 0]
            seen[slug] = count + 1
            all.insert(count == 0 ? slug : "\(slug)-\(count)")
        }
        return all
    }
}
