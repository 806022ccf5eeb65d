import Core

/// Prepares a text for the scanner: corrects misread digits, and masks phone numbers, times and addresses. The length
/// of the text does not change.
enum AmountMask {
    static func cleared(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var text = corrected(text)
        correctLitres(&text)
        maskAddresses(&text)
        maskNumbers(&text)
        return text
    }

    /// Replaces letters that look like digits next to digits and separators: `9.5O` is 9.50, `$l2` is $12, `(l3,50` is
    /// (13,50.
    private static func corrected(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var text = text
        for index in text.indices.dropFirst() {
            guard let digit = lookalikes[text[index]] else { continue }
            let before = text[index - 1]
            if before == "(", index + 2 < text.count, Letters.isDigit(text[index + 1]),
                [",", "."].contains(text[index + 2])
            {
                text[index] = digit
                continue
            }
            let isBehindMark = Letters.isSpace(before) && index > 1 && signs.contains(text[index - 2])
            guard Letters.isDigit(before) || before == "." || before == "," || signs.contains(before) || isBehindMark
            else { continue }
            // ".l" after a word is the end of a sentence.
            if before == "." || before == ",", index < 2 || !Letters.isDigit(text[index - 2]) { continue }
            let next = index + 1 < text.count ? text[index + 1] : " "
            if Letters.isDigit(next) || next == "." || next == "," || !Letters.isWordPart(next) {
                // "0,5l" is a volume.
                if digit != "0", Letters.isDigit(before), !Letters.isDigit(next) { continue }
                text[index] = digit
            }
        }
        return text
    }

    /// Replaces a 1 behind the volume of a drink, before a price: "0,04 1 1,20" is 0,04 l, and so is "0,041 1,20".
    private static func correctLitres(_ text: inout [Unicode.Scalar]) {
        var start = 0
        while start + 3 < text.count {
            defer { start += 1 }
            guard text[start] == "0", [",", "."].contains(text[start + 1]),
                start == 0 || !Letters.isWordPart(text[start - 1]) && ![",", "."].contains(text[start - 1])
            else { continue }
            let digits = text[(start + 2)...].prefix(while: Letters.isDigit)
            let end = digits.endIndex
            let place = isVolume(digits) && text[end...].prefix(2).elementsEqual([" ", "1"]) ? end + 1 : end - 1
            guard place >= end || isVolume(digits.dropLast()), text[place] == "1", place + 2 < text.count,
                text[place + 1] == " ", Letters.isDigit(text[place + 2]) || ["€", "$", "£"].contains(text[place + 2])
            else { continue }
            text[place] = "l"
        }
    }

    private static func isVolume(_ decimals: ArraySlice<Unicode.Scalar>) -> Bool {
        (1...3).contains(decimals.count)
            && Double("0." + String(scalars: decimals)).map(PriceForms.volumes.contains) == true
    }

    private static let signs: [Unicode.Scalar] = ["$", "€", "£"]
    private static let lookalikes = Letters.lookalikes.adding(["T": "7"])

    /// Masks words with `@`, `www.` or `http`.
    private static func maskAddresses(_ text: inout [Unicode.Scalar]) {
        var start = 0
        while start < text.count {
            var end = start
            while end < text.count, text[end] != " " { end += 1 }
            let word = text[start..<end]
            if word.contains("@") || starts(word, with: "http") || starts(word, with: "www.") {
                for index in start..<end { text[index] = "x" }
            }
            start = end + 1
        }
    }

    /// True if the word starts with these small letters, in either case.
    private static func starts(_ word: ArraySlice<Unicode.Scalar>, with prefix: StaticString) -> Bool {
        guard word.count >= prefix.utf8CodeUnitCount else { return false }
        return prefix.withUTF8Buffer { prefix in
            zip(word, prefix).allSatisfy { scalar, byte in
                scalar.value == UInt32(byte) || Letters.isLetter(scalar) && scalar.value | 0x20 == UInt32(byte)
            }
        }
    }

    /// Masks phone numbers, dates and times.
    private static func maskNumbers(_ text: inout [Unicode.Scalar]) {
        var start = 0
        while start < text.count {
            guard Letters.isDigit(text[start]) || text[start] == "+" || text[start] == "(" else {
                start += 1
                continue
            }
            var end = start
            while end < text.count, Letters.isDigit(text[end]) || "+() ./-:".unicodeScalars.contains(text[end]) {
                end += 1
            }
            mask(start..<end, &text)
            start = max(end, start + 1)
        }
    }

    private static func mask(_ run: Range<Int>, _ text: inout [Unicode.Scalar]) {
        let digits = text[run].count(where: Letters.isDigit)
        let groups = text[run].split { !Letters.isDigit($0) }
        let first = text[run.lowerBound]
        let isLong = groups.contains { $0.count >= 8 }
        let isThousands = groups.count > 1 && groups.dropFirst().contains { $0.elementsEqual(["0", "0", "0"]) }
        let isPhone =
            (first == "+" || first == "(" || groups.first?.first == "0") && digits >= 8 && groups.count <= 6
            && !text[run].contains(":")
            || groups.count == 3 && groups[0].count == 3 && groups[1].count == 3 && groups[2].count == 4
        if isLong || isPhone && !isThousands {
            for index in run where text[index] != " " { text[index] = "x" }
            return
        }
        // 11:30, 23.12.2024, 12/05/24.
        for group in groups where group.startIndex > run.lowerBound && text[group.startIndex - 1] == ":" {
            for index in group.indices { text[index] = "x" }
            if let before = groups.last(where: { $0.endIndex == group.startIndex - 1 }) {
                for index in before.indices { text[index] = "x" }
            }
        }
        if groups.count == 3, let separator = separators(groups, text), ".-/".unicodeScalars.contains(separator),
            groups[0].count <= 2, groups[1].count <= 2, [2, 4].contains(groups[2].count)
        {
            // "9.50/12" has two different separators; a date has one.
            for index in run where text[index] != " " { text[index] = "x" }
        }
    }

    /// The separator between all groups; nil if they differ.
    private static func separators(
        _ groups: [ArraySlice<Unicode.Scalar>], _ text: [Unicode.Scalar]
    ) -> Unicode.Scalar? {
        var sign: Unicode.Scalar?
        for (one, next) in zip(groups, groups.dropFirst()) {
            guard next.startIndex - one.endIndex == 1 else { return nil }
            let between = text[one.endIndex]
            guard sign == nil || sign == between else { return nil }
            sign = between
        }
        return sign
    }
}
