/// The distance between two words, in half units: a letter changed, added or removed costs 2.
///
/// Print and keyboards err differently, so what costs less is a parameter: ``print``, ``phrase``, ``typed`` or ``plain``.
public struct EditDistance: Sendable {
    /// The part of the second word that the first is compared with.
    public enum Extent: Sendable { case whole, beginning, inside }

    /// Words that OCR misread: a confused letter costs 1, and so does "rn" for "m".
    public static let print = EditDistance(confused: [
        "0o", "1l", "1i", "il", "5s", "8b", "6b", "2z", "ce", "un", "vu", "hb", "tf", "gq", "9g", "lt", "rn", "ao",
        "nh",
        "0d", "ij", "vy",
    ])
    /// Long phrases of a small list that OCR misread. They have few neighbours, so letters of a similar shape count as
    /// confused too.
    public static let phrase = EditDistance(confused: ["lijtf1", "oeca0", "mnru", "bh6", "gq9", "vy", "s5"])
    /// Words that somebody typed: two neighbours swapped cost 2, as one letter.
    public static let typed = EditDistance(confused: [], areSwapsOne: true)
    /// Nothing costs less. Print swaps no letters: "oat fiber" is no misreading of "oat fibre".
    public static let plain = EditDistance(confused: [])

    private let table: [Bool]
    private let isPrint, areSwapsOne: Bool
    /// The class of each letter. Letters that OCR confuses share a class.
    private let classOf: [Int]
    /// Each letter with those that OCR confuses with it; "m" with "n", the rest of "rn".
    private let likeness: [[UInt8]]

    /// - Parameter confused: any two letters of a group are confused with each other; none for typed words.
    private init(confused: [String], areSwapsOne: Bool = false) {
        var table = [Bool](repeating: false, count: 128 * 128)
        isPrint = !confused.isEmpty
        self.areSwapsOne = areSwapsOne
        var classOf = Array(0..<256)
        var likeness = (UInt8.min...UInt8.max).map { [$0] }
        // OCR reads "rn" as "m". The pair shares a class for the filter but is no single-letter confusion.
        for group in confused + (isPrint ? ["mn"] : []) {
            let letters = Array(group.utf8).map(Int.init)
            for one in letters {
                classOf = classOf.map { $0 == classOf[one] ? classOf[letters[0]] : $0 }
                for other in letters {
                    if group != "mn" { table[one * 128 + other] = true }
                    if other != one { likeness[one].append(UInt8(other)) }
                }
            }
        }
        self.table = table
        self.classOf = classOf.map { $0 & 15 }
        self.likeness = likeness
    }

    /// Number of letters in each of 16 classes. A half unit of distance changes each count by at most one.
    public func classes(of letters: ArraySlice<UInt8>) -> SIMD16<Int8> {
        var counts = SIMD16<Int8>(repeating: 0)
        for letter in letters { counts[classOf[Int(letter)]] &+= 1 }
        return counts
    }

    /// A word that is compared with many others.
    public struct Sought: Sendable {
        /// 0 for a word without a bound: of more than 64 letters, or where swaps are one error.
        private let count: Int
        /// How often "m" is in the word.
        private let joint: Int
        /// The places of each letter, and of those that OCR confuses with it.
        private let places: [UInt64]

        fileprivate init(_ letters: [UInt8], _ distance: EditDistance) {
            count = letters.count <= 64 && !distance.areSwapsOne ? letters.count : 0
            joint = letters.count { $0 == EditDistance.m }
            var places = [UInt64](repeating: 0, count: 256)
            for (place, letter) in letters.prefix(64).enumerated() {
                for other in distance.likeness[Int(letter)] { places[Int(other)] |= 1 << UInt64(place) }
            }
            self.places = places
        }

        /// What another word is apart at least, in half units: twice the letters changed, added and removed where
        /// confused letters count as equal (Hyyrö 2003, "A bit-vector algorithm for computing Levenshtein and Damerau
        /// edit distances"). An "m" for "rn" costs half of what this counts.
        public func least(_ other: ArraySlice<UInt8>) -> Int {
            guard count > 0 else { return 0 }
            let last: UInt64 = 1 << UInt64(count - 1)
            var (score, joint) = (count, joint)
            var (more, fewer) = (~UInt64(0), UInt64(0))
            places.withUnsafeBufferPointer { places in
                for letter in other {
                    if letter == EditDistance.m { joint += 1 }
                    let equal = places[Int(letter)]
                    let vertical = equal | fewer
                    let horizontal = (((equal & more) &+ more) ^ more) | equal
                    var up = fewer | ~(horizontal | more)
                    var down = more & horizontal
                    if up & last != 0 { score += 1 } else if down & last != 0 { score -= 1 }
                    up = up << 1 | 1
                    down <<= 1
                    more = down | ~(vertical | up)
                    fewer = up & vertical
                }
            }
            return 2 * score - joint
        }
    }

    private static let m = UInt8(ascii: "m")

    /// The word with what ``Sought/least(_:)`` needs, for words of print.
    public func sought(_ letters: [UInt8]) -> Sought { Sought(letters, self) }

    /// The distance between two words by their scalars. Values above `limit` are not exact.
    public func between(_ one: String, _ other: String, limit: Int) -> Int {
        var labels: [Unicode.Scalar: UInt8] = [:]
        let words = [one, other].map { word in
            word.unicodeScalars.map { scalar -> UInt8 in
                let label =
                    labels[scalar] ?? (scalar.isASCII ? UInt8(scalar.value) : UInt8(clamping: 128 + labels.count))
                labels[scalar] = label
                return label
            }
        }
        return between(words[0], words[1][...], limit: limit)
    }

    /// The distance between a word and another, its nearest beginning, or its nearest part, in bytes of UTF-8. Values
    /// above `limit` are not exact.
    public func between(_ a: [UInt8], _ b: ArraySlice<UInt8>, limit: Int, _ extent: Extent = .whole) -> Int {
        let excess = extent == .whole ? abs(a.count - b.count) : a.count - b.count
        if 2 * excess > limit + 2 { return limit + 1 }
        if a.isEmpty || b.isEmpty { return 2 * max(0, excess) }
        return a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                table.withUnsafeBufferPointer { distance(a, b, limit, extent, $0) }
            }
        }
    }

    private func distance(
        _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>, _ limit: Int, _ extent: Extent,
        _ table: UnsafeBufferPointer<Bool>
    ) -> Int {
        // A path further from the diagonal than the band costs more than the limit.
        let band = extent == .inside ? a.count + b.count : limit / 2 + 1
        let width = (extent == .beginning ? min(b.count, a.count + band) : b.count) + 1
        return withUnsafeTemporaryAllocation(of: Int32.self, capacity: width * 3) { rows in
            let far = Int32(limit + 2)
            for j in 0..<width { rows[j] = extent == .inside ? 0 : 2 * Int32(j) }
            var (current, previous, beforePrevious) = (0, 0, 0)
            var least = far
            for i in 1...a.count {
                beforePrevious = previous
                previous = current
                current = (i % 3) * width
                let first = max(1, i - band)
                let last = min(width - 1, i + band)
                guard first <= last else { return limit + 1 }
                rows[current + first - 1] = first == 1 ? 2 * Int32(i) : far
                least = rows[current + first - 1]
                let letter = a[i - 1]
                let confused = letter < 128 ? Int(letter) * 128 : nil
                let endsRN = isPrint && i >= 2 && letter == 0x6E && a[i - 2] == 0x72
                let (mayJoin, maySwap) = (endsRN || isPrint && letter == 0x6D, areSwapsOne && i >= 2)
                // Cells outside the band of the previous row have no value.
                if i > 1, i + band <= width - 1 { rows[previous + last] = far }
                for j in first...last {
                    let known = b[j - 1]
                    var change: Int32 = 2
                    if letter == known {
                        change = 0
                    } else if let confused, known < 128, table[confused + Int(known)] {
                        change = 1
                    }
                    var cost = min(
                        rows[previous + j] + 2, rows[current + j - 1] + 2, rows[previous + j - 1] + change)
                    // "rn" is recognised as "m" and vice versa.
                    if mayJoin {
                        if endsRN, known == 0x6D, j > i - band { cost = min(cost, rows[beforePrevious + j - 1] + 1) }
                        if letter == 0x6D, j >= 2, known == 0x6E, b[j - 2] == 0x72, j - 2 >= i - 1 - band {
                            cost = min(cost, rows[previous + j - 2] + 1)
                        }
                    }
                    if maySwap, j >= 2, letter == b[j - 2], a[i - 2] == known {
                        cost = min(cost, rows[beforePrevious + j - 2] + 2)
                    }
                    rows[current + j] = cost
                    least = min(least, cost)
                }
                if least > Int32(limit + 1) { return limit + 1 }
            }
            guard extent == .whole else { return Int(least) }
            return abs(a.count - b.count) <= band ? Int(rows[current + b.count]) : limit + 1
        }
    }
}
