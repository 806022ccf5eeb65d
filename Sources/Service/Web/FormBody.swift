import Foundation
import HTTPAPI
import Hummingbird

/// The fields of a form, `application/x-www-form-urlencoded`. The first value of a repeated field counts.
struct FormBody {
    private let fields: [String: String]

    private static let (mostBytes, mostFields) = (64 << 10, 200)

    /// - Throws: `Problem` (413) for a body that is too long.
    init(_ request: Request) async throws {
        guard let buffer = try? await request.body.collect(upTo: Self.mostBytes) else {
            throw Problem(413, "tooLarge", "the form is too large", limitBytes: Self.mostBytes)
        }
        var fields: [String: String] = [:]
        for pair in String(buffer: buffer).split(separator: "&").prefix(Self.mostFields) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            func text(_ part: Substring) -> String {
                part.replacing("+", with: " ").removingPercentEncoding ?? ""
            }
            let name = text(parts[0])
            if fields[name] == nil { fields[name] = parts.count > 1 ? text(parts[1]) : "" }
        }
        self.fields = fields
    }

    /// Empty if the form has no such field.
    subscript(_ name: String) -> String { fields[name]?.trimmingCharacters(in: .whitespaces) ?? "" }

    /// The fields whose names begin with `prefix`, without it; empty values are left out.
    func all(_ prefix: String) -> [String: String] {
        Dictionary(
            fields.filter { $0.key.hasPrefix(prefix) && !$0.value.isEmpty }.map {
                (String($0.key.dropFirst(prefix.count)), $0.value)
            }, uniquingKeysWith: { first, _ in first })
    }
}
