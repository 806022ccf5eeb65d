/// Arranges the help of a command for a terminal.
///
/// ArgumentParser wraps lines longer than 80 columns at any place and keeps all other line ends. Written text has its own
/// line ends, so both together break sentences in the middle, and tear examples from their explanations.
package enum HelpText {
    /// Columns of the narrowest terminal.
    static let width = 80

    /// The text with each paragraph on one line, which ArgumentParser wraps, and indented lines of at most 80 columns.
    ///
    /// An indented line may have two columns, with two or more blanks between them. If one line of a block is too long, the
    /// second column of the whole block moves below the first.
    package static func arranged(_ text: String) -> String {
        var lines: [String] = []
        var paragraph: [Substring] = []
        var block: [Substring] = []
        func close() {
            if !paragraph.isEmpty { lines.append(paragraph.joined(separator: " ")) }
            lines += arranged(block: block)
            (paragraph, block) = ([], [])
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.first == " " {
                if !paragraph.isEmpty { close() }
                block.append(line)
            } else if line.isEmpty || line == line.uppercased() {
                close()
                lines.append(String(line))
            } else {
                if !block.isEmpty { close() }
                paragraph.append(line)
            }
        }
        close()
        return lines.joined(separator: "\n")
    }

    // MARK: Indented lines

    /// Blanks before a second column that moved below the first, and before the rest of a long line.
    private static let deeper = 4

    private struct Row {
        var indent: Int
        var first: String
        /// Empty if the line has one column.
        var second: String
    }

    private static func arranged(block: [Substring]) -> [String] {
        guard block.contains(where: { $0.count > width }) else { return block.map(String.init) }
        let smallest = block.map(indent).min() ?? 0
        var rows: [Row] = []
        for line in block {
            let own = indent(line)
            // A line far to the right continues the second column of the line before it.
            if own > smallest + 2 * deeper, let last = rows.indices.last {
                rows[last].second += " " + line.drop { $0 == " " }
                continue
            }
            let parts = line.drop { $0 == " " }.split(separator: "  ", maxSplits: 1).map(String.init)
            rows.append(
                Row(
                    indent: own, first: parts.first ?? "",
                    second: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""))
        }
        return rows.flatMap { row -> [String] in
            let isCommand = row.first.contains("tablesight ")
            return wrapped(row.first, indent: row.indent, mark: isCommand ? " \\" : "")
                + (row.second.isEmpty ? [] : wrapped(row.second, indent: row.indent + deeper, deeper: 0))
        }
    }

    private static func indent(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }

    /// Lines of at most ``width`` columns. A command is broken before an option or a pipe, where the shell accepts the
    /// mark ` \`; other text is broken between any words.
    private static func wrapped(_ text: String, indent: Int, deeper: Int = deeper, mark: String = "") -> [String] {
        var parts: [String] = []
        for word in text.split(separator: " ").map(String.init) {
            let starts = mark.isEmpty || ["-", "|", ">", "<"].contains { word.hasPrefix($0) }
            if starts || parts.isEmpty { parts.append(word) } else { parts[parts.count - 1] += " " + word }
        }
        var lines: [String] = []
        var line = String(repeating: " ", count: indent)
        var isEmpty = true
        for part in parts {
            if !isEmpty, line.count + 1 + part.count + mark.count > width {
                lines.append(line + mark)
                line = String(repeating: " ", count: indent + deeper)
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + part
            isEmpty = false
        }
        return lines + [line]
    }
}
