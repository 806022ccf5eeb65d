/// The scripts of letters, for names that mix them.
///
/// Generated from `Scripts.txt` of Unicode 14 (licence Unicode-3.0): the scripts that UAX 31 recommends for identifiers,
/// and the letters that every script shares. This is code and not a file of `models/`, because names are checked also
/// where no models are loaded.
enum LetterScript {
    /// The script of a letter or mark: `Latin`, `Greek` and so on. `Common` for letters of every script, `Other` for a
    /// letter of a script that is not in the table; nil for a scalar that is no letter and in no script.
    static func of(_ scalar: Unicode.Scalar) -> Substring? {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].last < scalar.value { low = middle + 1 } else { high = middle }
        }
        if low < ranges.count, ranges[low].first <= scalar.value { return ranges[low].script }
        return scalar.properties.isAlphabetic && scalar.properties.generalCategory != .nonspacingMark ? "Other" : nil
    }

    private static let ranges: [(first: UInt32, last: UInt32, script: Substring)] = table.split(separator: "\n")
        .flatMap { line -> [(first: UInt32, last: UInt32, script: Substring)] in
            let parts = line.split(separator: " ")
            return parts.dropFirst().compactMap { part -> (first: UInt32, last: UInt32, script: Substring)? in
                let ends = part.split(separator: "-").compactMap { UInt32($0, radix: 16) }
                guard let first = ends.first, let last = ends.last else { return nil }
                return (first, last, parts[0])
            }
        }.sorted { $0.first < $1.first }

    private static let table = """
        Arabic 600-63F 641-6FF 750-77F 870-8FF FB50-FDFF FE70-FEFC 10E60-10E7E 1EE00-1EEF1
        Armenian 531-58F FB13-FB17
        Bengali 980-9FE
        Bopomofo 2EA-2EB 3105-312F 31A0-31BF
        Cyrillic 400-52F 1C80-1C88 1D2B 1D78 2DE0-2DFF A640-A69F FE2E-FE2F
        Devanagari 900-97F A8E0-A8FF
        Ethiopic 1200-1399 2D80-2DDE AB01-AB2E 1E7E0-1E7FE
        Georgian 10A0-10FF 1C90-1CBF 2D00-2D2D
        Greek 370-373 375-3E1 3F0-3FF 1D26-1D2A 1D5D-1D61 1D66-1D6A 1DBF 1F00-1FFE 2126 AB65 10140-101A0
        Greek 1D200-1D245
        Gujarati A81-AFF
        Gurmukhi A01-A76
        Han 2E80-3005 3007-3029 3038-303B 3400-9FFF F900-FAD9 16FE2-16FE3 16FF0-16FF1 20000-2EBE0 2F800-3134A
        Hangul 1100-11FF 302E-302F 3131-318E 3200-327E A960-A97C AC00-D7FB FFA0-FFDC
        Hebrew 591-5F4 FB1D-FB4F
        Hiragana 3041-309F 1B001-1B11F 1B150-1B152 1F200
        Kannada C80-CF2
        Katakana 30A1-30FA 30FD-30FF 31F0-31FF 32D0-3357 FF66-FF6F FF71-FF9D 1AFF0-1B000 1B120-1B122 1B164-1B167
        Khmer 1780-17F9 19E0-19FF
        Lao E81-EDF
        Latin 41-AA BA-2B8 2E0-2E4 1D00-1D25 1D2C-1D5C 1D62-1D65 1D6B-1D77 1D79-1DBE 1E00-1EFF 2071-209C 212A-212B
        Latin 2132 214E-2188 2C60-2C7F A722-A787 A78B-A7FF AB30-AB64 AB66-AB69 FB00-FB06 FF21-FF5A 10780-107BA
        Latin 1DF00-1DF1E
        Malayalam D00-D7F
        Myanmar 1000-109F A9E0-A9FE AA60-AA7F
        Oriya B01-B77
        Sinhala D81-DF4 111E1-111F4
        Tamil B82-BFA 11FC0-11FFF
        Telugu C00-C7F
        Thaana 780-7B1
        Thai E01-E5B
        Tibetan F00-FDA
        Common B5 2B9-2D1 2EC-2EE 374 640 1CE9-1CFA 2102-2124 2128 212C-2131 2133-2149 2E2F 3006 3031-3035 303C 30FC
        Common A717-A71F A788 A9CF FF70 FF9E-FF9F 1D400-1D7CB
        """
}
