extension String {
    /// The text with `{key}` replaced by its value, in one pass: a value is not searched for placeholders, because people
    /// and products may be called `{n}`. `{key|day|days}` is the first form for the value 1, else the second. Unknown
    /// placeholders stay.
    package func filling(_ values: [String: String]) -> String {
        guard !values.isEmpty else { return self }
        var filled = ""
        var rest = self[...]
        while let open = rest.firstIndex(of: "{") {
            filled += rest[..<open]
            rest = rest[open...]
            if let close = rest.firstIndex(of: "}"),
                let value = Self.value(of: rest[rest.index(after: open)..<close], in: values)
            {
                filled += value
                rest = rest[rest.index(after: close)...]
            } else {
                filled.append(rest.removeFirst())
            }
        }
        return filled + rest
    }

    private static func value(of placeholder: Substring, in values: [String: String]) -> String? {
        let parts = placeholder.split(separator: "|", omittingEmptySubsequences: false)
        guard let value = parts.first.flatMap({ values[String($0)] }) else { return nil }
        switch parts.count {
        case 1: return value
        case 3: return String(value == "1" ? parts[1] : parts[2])
        default: return nil
        }
    }
}
