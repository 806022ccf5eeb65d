import Foundation

/// Lines of comma-separated values (RFC 4180) that no spreadsheet runs as formulas, and no terminal as commands.
package enum CSVLine {
    /// Spreadsheets take a field that begins with one of these for a formula (OWASP, CSV injection).
    private static let formulas: Set<Character> = ["=", "+", "-", "@", "\t", "\r", "\n", "\r\n", "＝", "＋", "－", "＠"]

    /// The fields with their line end. A field that a spreadsheet would run gets an apostrophe. Control characters are
    /// left out, but for tabs and line ends.
    package static func text(_ fields: [String]) -> String {
        fields.map { field in
            let field =
                field.unicodeScalars.contains(where: isControl)
                ? String(String.UnicodeScalarView(field.unicodeScalars.filter { !isControl($0) })) : field
            let text = isMarked(field) && Decimal(digits: field) == nil ? "'" + field : field
            guard text.contains(where: { [",", "\"", "\n", "\r", "\r\n"].contains($0) }) else { return text }
            return "\"" + text.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: ",") + "\r\n"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && !["\t", "\n", "\r"].contains(scalar)
    }

    /// A field as it was before ``text(_:)``.
    package static func original(_ field: String) -> String {
        field.hasPrefix("'") && isMarked(field) ? String(field.dropFirst()) : field
    }

    /// True for the beginning of a formula, also behind apostrophes, so that each mark can be taken away again.
    private static func isMarked(_ field: String) -> Bool {
        field.drop { $0 == "'" }.first.map(formulas.contains) ?? false
    }
}
