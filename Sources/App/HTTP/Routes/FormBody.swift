import Core
import Foundation
import Hummingbird

/// The fields of a form, `application/x-www-form-urlencoded`, as stream-safe text. The first value of a repeated field
/// counts.
package struct FormBody {
    private let fields: [String: String]

    private static let (mostBytes, mostFields) = (64 << 10, 1000)

    /// - Throws: `Problem` 413 for a body that is too long, 408 for one that is too slow.
    package init(_ request: Request) async throws {
        self.init(encoded: String(decoding: try await request.bytes(upTo: Self.mostBytes), as: UTF8.self))
    }

    /// The fields of the part of an address after the question mark.
    package init(queryOf request: Request) { self.init(encoded: request.uri.query.map { String($0) } ?? "") }

    package init(encoded: String) {
        var fields: [String: String] = [:]
        for pair in encoded.split(separator: "&").prefix(Self.mostFields) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            func text(_ part: Substring) -> String {
                (part.replacing("+", with: " ").removingPercentEncoding ?? "").streamSafe
            }
            let name = text(parts[0])
            if fields[name] == nil { fields[name] = parts.count > 1 ? text(parts[1]) : "" }
        }
        self.fields = fields
    }

    /// A number that a person typed, with a point or a comma; nil for an empty field.
    ///
    /// - Throws: `Problem` (400) for other text.
    package func decimal(_ name: String) throws -> Decimal? {
        let text = self[name].replacing(",", with: ".")
        guard !text.isEmpty else { return nil }
        guard text.wholeMatch(of: /[0-9]{1,6}(\.[0-9]{1,6})?/) != nil, let value = Decimal(digits: text) else {
            throw Problem(400, "badRequest", "“\(self[name].prefix(20))” is not a number of 0 or more")
        }
        return value
    }

    /// True if the form has the field, be it empty.
    package func has(_ name: String) -> Bool { fields[name] != nil }

    /// Empty if the form has no such field.
    package subscript(_ name: String) -> String { fields[name]?.trimmingCharacters(in: .whitespaces) ?? "" }

    /// A field as it was typed, blanks included: a password may begin with one.
    package func exact(_ name: String) -> String { fields[name] ?? "" }

    /// The fields whose names begin with `prefix`, without it; empty values are left out.
    package func all(_ prefix: String) -> [String: String] {
        Dictionary(
            fields.filter { $0.key.hasPrefix(prefix) && !$0.value.isEmpty }.map {
                (String($0.key.dropFirst(prefix.count)), $0.value)
            }, uniquingKeysWith: { first, _ in first })
    }
}
