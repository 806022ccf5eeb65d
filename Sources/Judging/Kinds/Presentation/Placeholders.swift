extension String {
    /// The text with `{key}` replaced by its value, in one pass: a value is not searched for placeholders, because people
    /// and products may be called `{n}`. Unknown placeholders stay.
    package func filling(_ values: [String: String]) -> String {
        guard !values.isEmpty else { return self }
        var filled = ""
        var rest = self[...]
        while let open = rest.firstIndex(of: "{") {
            filled += rest[..<open]
            rest = rest[open...]
            if let close = rest.firstIndex(of: "}"), let value = values[String(rest[rest.index(after: open)..<close])] {
                filled += value
                rest = rest[rest.index(after: close)...]
            } else {
                filled.append(rest.removeFirst())
            }
        }
        return filled + rest
    }
}
