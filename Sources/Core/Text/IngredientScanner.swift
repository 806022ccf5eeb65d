/// The structure of a list of ingredients: "flour (wheat, iron) 12 %, emulsifier: lecithin".
package struct IngredientScanner {
    /// The text between two signs of a list.
    package struct Part: Sendable, Hashable {
        /// From the first letter of the name to behind its last; empty if only signs stand here.
        package var range: Range<Int>
        /// The number of open brackets, at most ``mostDepth``.
        package var depth: Int
        /// Percent of the product, 0…100; nil if print gives none or may mean two. A share without a name is the share of the
        /// name before it.
        package var share: Double?
        /// All shares as they are printed; they may stand inside `range`: "cream 35 % fat 8 %".
        package var printedShares: RangeSet<Int>
        /// What ends the part.
        package var end: End
    }

    /// A stop also ends the group of a heading; the end of the text is one.
    package enum End: Sendable, Hashable { case separator, stop, heading, opening, closing }

    /// Real labels nest at most five deep. Deeper brackets only separate, because every level uses stack in readers of a tree.
    package static let mostDepth = 15

    private static let openings = Set("([{〔".unicodeScalars)
    private static let closings = Set(")]}〕".unicodeScalars)
    private static let separators = Set("•·|、・●∙".unicodeScalars)
    private static let limits = Set("<>≤≥~≈±".unicodeScalars)

    private let text: [Unicode.Scalar]
    private let end: Int
    private let isConjunction: (String) -> Bool
    private var parts: [Part] = []
    private var start: Int
    private var depth = 0
    /// Open brackets below `mostDepth`.
    private var tooDeep = 0
    /// The newest named part of each depth.
    private var latest: [Int?] = [nil]

    /// The parts of a range of the text, in their order.
    ///
    /// - Parameters:
    ///   - text: prepared by ``TextPreparation``, so that signs of full width are those of ASCII.
    ///   - isConjunction: true for a folded word that continues the name before a hyphen: "mono- and diglycerides".
    package static func parts(
        of text: [Unicode.Scalar], in range: Range<Int>, isConjunction: @escaping (String) -> Bool
    ) -> [Part] {
        var scanner = IngredientScanner(
            text: text, end: range.upperBound, isConjunction: isConjunction, start: range.lowerBound)
        scanner.run()
        return scanner.parts
    }

    private init(text: [Unicode.Scalar], end: Int, isConjunction: @escaping (String) -> Bool, start: Int) {
        (self.text, self.end, self.isConjunction, self.start) = (text, end, isConjunction, start)
    }

    package static func opens(_ scalar: Unicode.Scalar) -> Bool { openings.contains(scalar) }
    package static func closes(_ scalar: Unicode.Scalar) -> Bool { closings.contains(scalar) }

    private mutating func run() {
        var position = start
        while position < end {
            if let behind = endOfNumberPart(at: position) {
                position = behind
                continue
            }
            if let sign = sign(at: position) { close(at: position, sign) }
            position += 1
        }
        close(at: end, .stop)
    }

    private func sign(at position: Int) -> End? {
        let scalar = text[position]
        // Most scalars are letters.
        if Folding.isWordPart(scalar) { return nil }
        switch scalar {
        case ",": return isDecimal(position) ? nil : .separator
        case ".":
            return position + 1 >= end || Folding.isSpace(text[position + 1]) && !isDecimal(position) ? .stop : nil
        case ";", "。": return .stop
        case ":": return .heading
        case "-", "–", "—": return separates(hyphen: position) ? .separator : nil
        case "\n": return position + 1 < end && text[position + 1] == "\n" ? .separator : nil
        default:
            if Self.opens(scalar) { return .opening }
            if Self.closes(scalar) { return .closing }
            return Self.separators.contains(scalar) ? .separator : nil
        }
    }

    /// True in "2,5", and in "(1, 5 %)" and "0, 6 %", where no name stands before the comma.
    private func isDecimal(_ position: Int) -> Bool {
        guard position > start, Self.isDigit(text[position - 1]), position + 1 < end else { return false }
        if Self.isDigit(text[position + 1]) { return true }
        let whole = beginning(ofNumberBefore: position, from: start)
        let isBare = parts.last?.end == .opening && text[start..<whole].allSatisfy(Folding.isSpace)
        let isZero = text[whole..<position] == ["0"] && (whole == start || !Folding.isWordPart(text[whole - 1]))
        return (isBare || isZero) && isShare(from: position + 1)
    }

    /// True for a number with its "%" behind blanks.
    private func isShare(from position: Int) -> Bool {
        let number = text[position..<end].drop(while: Folding.isSpace)
        let rest = number.drop { Self.isDigit($0) || $0 == "," || $0 == "." }
        return rest.startIndex > number.startIndex && rest.first { !Folding.isSpace($0) }.map(Self.isPercent) == true
    }

    /// True for a dash between two names: alone, "salt - flour", or behind a word, "carbonates d'ammonium- diphosphates".
    private func separates(hyphen position: Int) -> Bool {
        guard position > 0, position + 1 < end, Folding.isSpace(text[position + 1]),
            LineBreak.end(of: position, in: text) == nil,
            let next = text[position..<end].firstIndex(where: { Folding.isWordPart($0) || $0 == "&" })
        else { return false }
        if Folding.isSpace(text[position - 1]) {
            // "12 - 14 %" is a share.
            return share(of: groups(ofDigitsBefore: position, from: start), from: start) == nil
                || !isShare(from: position + 1)
        }
        let word = text[next..<end].prefix { Folding.isWordPart($0) }
        return !word.isEmpty && !isConjunction(Folding.fold(String(scalars: word)))
    }

    private static func isPercent(_ scalar: Unicode.Scalar) -> Bool { scalar == "%" || scalar == "٪" }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? (0x30...0x39).contains(scalar.value) : scalar.properties.generalCategory == .decimalNumber
    }

    // MARK: Parts

    private mutating func close(at position: Int, _ sign: End) {
        let shares = shares(in: start..<position)
        let printed = RangeSet(shares.map(\.range))
        let isName = { (place: Int) in Folding.isWordPart(text[place]) && !printed.contains(place) }
        var range = position..<position
        var share = shares.first?.value
        if let first = (start..<position).first(where: isName), let last = (start..<position).last(where: isName) {
            range = first..<last + 1
            // "wheat-" and "E322(i)".
            if range.upperBound < position,
                Folding.isHyphen(text[range.upperBound]) || Self.closes(text[range.upperBound])
            {
                range = first..<last + 2
            }
            // "Cream 35 % fat 8 %" is 8 % of the product; "35 % cream with 8 % fat" is 35 %.
            if let behind = shares.last, behind.range.lowerBound > last { share = behind.value }
            latest[depth] = parts.count
        } else if let owner = latest[depth] ?? (depth > 0 ? latest[depth - 1] : nil), parts[owner].share == nil {
            parts[owner].share = share
        }
        parts.append(
            Part(range: range, depth: depth, share: range.isEmpty ? nil : share, printedShares: printed, end: sign))
        start = position + 1
        switch sign {
        case .opening where depth < Self.mostDepth:
            depth += 1
            latest.append(nil)
        case .opening: tooDeep += 1
        case .closing where tooDeep > 0: tooDeep -= 1
        case .closing where depth > 0:
            depth -= 1
            latest.removeLast()
        default: break
        }
    }

    // MARK: Shares

    /// The shares of a part: "12,5 %", "< 2%", "12–14 %" for 14. The value is nil if print may mean two: "2 7 %", "1/10 %".
    private func shares(in part: Range<Int>) -> [(range: Range<Int>, value: Double?)] {
        var shares: [(range: Range<Int>, value: Double?)] = []
        for sign in part where Self.isPercent(text[sign]) {
            let start = shares.last?.range.upperBound ?? part.lowerBound
            let groups = groups(ofDigitsBefore: sign, from: start)
            guard var (first, value) = share(of: groups, from: start) else { continue }
            let dash = skipped(Folding.isSpace, before: first, from: start) - 1
            if dash > start, Folding.isHyphen(text[dash]) || text[dash] == "/",
                let lower = self.groups(ofDigitsBefore: dash, from: start).last
            {
                first = lower.lowerBound
                if text[dash] == "/" { value = nil }
            }
            let limit = skipped(Folding.isSpace, before: first, from: start)
            let limits = skipped(Self.limits.contains, before: limit, from: start)
            shares.append(((limits < limit ? limits : first)..<sign + 1, value))
        }
        return shares
    }

    /// The numbers that only blanks separate: "2 7 %" has two.
    private func groups(ofDigitsBefore sign: Int, from start: Int) -> [Range<Int>] {
        var groups: [Range<Int>] = []
        var end = skipped(Folding.isSpace, before: sign, from: start)
        while true {
            let first = beginning(ofNumberBefore: end, from: start)
            let word = text[start..<first].reversed().prefix(while: Folding.isWordPart)
            // "oil2%" is a share; "B12%" is a name.
            let isApart = word.isEmpty || groups.isEmpty && word.count > 2 && !word.contains(where: Self.isDigit)
            guard first < end, isApart else { return groups }
            groups.insert(first..<end, at: 0)
            end = skipped({ Folding.isSpace($0) && !Folding.isNewline($0) }, before: first, from: start)
            if end == first { return groups }
        }
    }

    /// The first place and the value of a share; nil if its digits are none. "2 7 %" may be 27, 2.7, or 7 of a name with a 2; it
    /// has a value only if one of them is possible.
    private func share(of groups: [Range<Int>], from start: Int) -> (first: Int, value: Double?)? {
        guard let whole = groups.first, let last = groups.last else { return nil }
        let digits = groups.map { group in
            Folding.fold(String(scalars: text[group].filter { !Folding.isSpace($0) })).replacing(",", with: ".")
        }
        var values = [(whole.lowerBound, Double(digits.joined()))]
        if groups.count > 1 {
            if digits[0].first == "0", digits[0].dropFirst().first != "." { values.removeAll() }
            if groups.count == 2, !digits[0].contains("."), !isSpaced(before: whole.lowerBound, from: start) {
                if digits[1].count == 1 { values.append((whole.lowerBound, Double(digits.joined(separator: ".")))) }
                if text[start..<whole.lowerBound].contains(where: Folding.isWordPart), Double(digits[1]) != 0 {
                    values.append((last.lowerBound, Double(digits[1])))
                }
            }
        }
        values.removeAll { $0.1.map((0...100).contains) != true }
        return values.count > 1 ? (whole.lowerBound, nil) : values.first
    }

    /// True behind two single letters, as in "B E U R R E".
    private func isSpaced(before place: Int, from start: Int) -> Bool {
        var place = place
        for _ in 0..<2 {
            place = skipped(Folding.isSpace, before: place, from: start) - 1
            guard place >= start, Folding.isWordPart(text[place]),
                place == start || !Folding.isWordPart(text[place - 1])
            else { return false }
        }
        return true
    }

    private func skipped(_ fits: (Unicode.Scalar) -> Bool, before place: Int, from start: Int) -> Int {
        text[start..<place].lastIndex { !fits($0) }.map { $0 + 1 } ?? start
    }

    private func beginning(ofNumberBefore last: Int, from start: Int) -> Int {
        var first = last
        while first > start {
            if Self.isDigit(text[first - 1]) {
                first -= 1
                continue
            }
            // A comma that separates names is the end of a part.
            let comma = first < last ? skipped(Folding.isSpace, before: first, from: start) - 1 : start
            guard comma > start, text[comma] == "," || text[comma] == ".", Self.isDigit(text[comma - 1]) else { break }
            first = comma
        }
        return first
    }

    /// The position behind the bracket of "E322(i)", which belongs to the number; nil for another sign.
    private func endOfNumberPart(at position: Int) -> Int? {
        guard Self.opens(text[position]), position >= start + 3 else { return nil }
        let isPart = { (scalar: Unicode.Scalar) in ("a"..."h").contains(scalar.properties.lowercaseMapping) }
        let last = isPart(text[position - 1]) ? position - 1 : position
        guard last >= start + 3, text[last - 3..<last].allSatisfy(Self.isDigit) else { return nil }
        let numeral = text[(position + 1)..<end].prefix { "iIvV".unicodeScalars.contains($0) }
        guard (1...4).contains(numeral.count), numeral.endIndex < end, Self.closes(text[numeral.endIndex]) else {
            return nil
        }
        return numeral.endIndex + 1
    }
}
