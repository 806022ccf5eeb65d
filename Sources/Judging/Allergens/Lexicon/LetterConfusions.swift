/// Edit distance for OCR errors: letters that OCR confuses cost half.
///
/// Distances are in half units. A confusion costs 1; any other substitution, insertion or deletion costs 2.
struct LetterConfusions: Sendable {
    private let table: [Bool]
    /// The class of each letter. Letters that OCR confuses share a class.
    private let classOf: [Int]

    /// Made once, because a page with personal words needs one of its own.
    private static let shared = LetterConfusions(table: ())

    init() { self = Self.shared }

    private init(table _: Void) {
        var table = [Bool](repeating: false, count: 128 * 128)
        var classOf = Array(0..<256)
        for pair in [
            "0o", "1l", "1i", "il", "5s", "8b", "6b", "2z", "ce", "un", "vu", "hb", "tf", "gq", "9g", "lt", "rn", "ao",
            "nh", "0d", "ij", "vy", "mn",
        ] {
            let letters = Array(pair.utf8).map(Int.init)
            let (old, new) = (classOf[letters[1]], classOf[letters[0]])
            classOf = classOf.map { $0 == old ? new : $0 }
            // OCR reads "rn" as "m". The pair shares a class for the filter but is no single-letter confusion.
            guard pair != "mn" else { continue }
            table[letters[0] * 128 + letters[1]] = true
            table[letters[1] * 128 + letters[0]] = true
        }
        self.table = table
        self.classOf = classOf.map { $0 & 15 }
    }

    /// Number of letters in each of 16 classes. A half unit of distance changes each count by at most one.
    func classes(of letters: some Sequence<UInt8>) -> SIMD16<Int8> {
        var counts = SIMD16<Int8>(repeating: 0)
        for letter in letters { counts[classOf[Int(letter)]] &+= 1 }
        return counts
    }

    private static func swap(_ a: UInt8, _ b: UInt8, _ table: UnsafeBufferPointer<Bool>) -> Int32 {
        if a == b { return 0 }
        return a < 128 && b < 128 && table[Int(a) * 128 + Int(b)] ? 1 : 2
    }

    /// Distance between two words, in half units. "rn" for "m" costs one half unit. Values above `limit` are not
    /// exact.
    func distance(_ a: [UInt8], _ b: ArraySlice<UInt8>, limit: Int) -> Int {
        if a.isEmpty || b.isEmpty || 2 * abs(a.count - b.count) > limit + 2 { return limit + 1 }
        return a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                table.withUnsafeBufferPointer { Self.distance(a, b, limit, $0) }
            }
        }
    }

    private static func distance(
        _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>, _ limit: Int,
        _ table: UnsafeBufferPointer<Bool>
    ) -> Int {
        let width = b.count + 1
        // A path further from the diagonal than the band costs more than the limit.
        let band = limit / 2 + 1
        return withUnsafeTemporaryAllocation(of: Int32.self, capacity: width * 3) { rows in
            let far = Int32(limit + 2)
            for j in 0..<width { rows[j] = 2 * Int32(j) }
            var (current, previous, beforePrevious) = (0, 0, 0)
            for i in 1...a.count {
                beforePrevious = previous
                previous = current
                current = (i % 3) * width
                let first = max(1, i - band)
                let last = min(width - 1, i + band)
                guard first <= last else { return limit + 1 }
                rows[current + first - 1] = first == 1 ? 2 * Int32(i) : far
                var least = rows[current + first - 1]
                let letter = a[i - 1]
                let endsRN = i >= 2 && letter == 0x6E && a[i - 2] == 0x72
                // Cells outside the band of the previous row have no value.
                if i > 1, i + band <= width - 1 { rows[previous + last] = far }
                for j in first...last {
                    var cost = min(
                        rows[previous + j] + 2, rows[current + j - 1] + 2,
                        rows[previous + j - 1] + swap(letter, b[j - 1], table))
                    // "rn" is recognised as "m" and vice versa.
                    if endsRN, b[j - 1] == 0x6D, j > i - band { cost = min(cost, rows[beforePrevious + j - 1] + 1) }
                    if letter == 0x6D, j >= 2, b[j - 1] == 0x6E, b[j - 2] == 0x72, j - 2 >= i - 1 - band {
                        cost = min(cost, rows[previous + j - 2] + 1)
                    }
                    rows[current + j] = cost
                    least = min(least, cost)
                }
                if least > Int32(limit + 1) { return limit + 1 }
            }
            guard abs(a.count - b.count) <= band else { return limit + 1 }
            return Int(rows[current + b.count])
        }
    }

    /// The smallest distance between `part` and any substring of `word`, in half units.
    func distance(inside word: [UInt8], _ part: [UInt8]) -> Int {
        let height = part.count + 1
        return table.withUnsafeBufferPointer { table in
            withUnsafeTemporaryAllocation(of: Int.self, capacity: height * 2) { columns in
                for i in 0..<height { columns[i] = 2 * i }
                var least = 2 * part.count
                for j in 1...word.count {
                    let current = (j % 2) * height
                    let previous = ((j + 1) % 2) * height
                    columns[current] = 0
                    for i in 1..<height {
                        columns[current + i] = min(
                            columns[previous + i] + 2, columns[current + i - 1] + 2,
                            columns[previous + i - 1] + Int(Self.swap(word[j - 1], part[i - 1], table)))
                    }
                    least = min(least, columns[current + part.count])
                }
                return least
            }
        }
    }
}
