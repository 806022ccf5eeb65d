import TestSupport

/// Prints with one date and prints without, made from the names of months of all languages and a seed.
struct PrintedDates {
    struct Print {
        /// What it is printed like: the orders and separators of numbers, names of months, no separators.
        var form: String
        var text: String
        /// Scalars of the date in the text.
        var range: Range<Int>
        /// ISO 8601, without the day for a month and a year.
        var day: String

        init(_ form: String, _ date: String, _ day: String, before: String = "", after: String = "") {
            (self.form, self.day) = (form, day)
            text = before + date + after
            let start = before.unicodeScalars.count
            range = start..<(start + date.unicodeScalars.count)
        }
    }

    /// BCP 47 → twelve lists of names and abbreviations.
    let months: [String: [[String]]]

    private static let separators = [".", "/", "-", " ", "·", "–", "'", "|", ", ", ". "]
    private static let around = [
        ("", ""), ("EXP ", ""), ("BEST BEFORE: ", ""), ("MHD:", " "), ("", " 13:45"), ("", " L2 08:53"), ("07:06 ", ""),
        ("(", ")"),
    ]

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// A day in the years of packages.
    private static func day(_ random: inout SeededGenerator) -> (year: Int, month: Int, day: Int) {
        (
            .random(in: 2010...2036, using: &random), .random(in: 1...12, using: &random),
            .random(in: 1...28, using: &random)
        )
    }

    /// Days in numbers: three orders, ten separators, years of two and four digits, with and without leading zeros; months alone;
    /// digits without separators; a letter O for each zero.
    func numbers(seed: UInt64) -> [Print] {
        var random = SeededGenerator(seed: seed)
        var prints: [Print] = []
        func add(_ form: String, _ date: String, _ iso: String) {
            let (before, after) = Self.around.randomElement(using: &random) ?? ("", "")
            prints.append(Print(form, date, iso, before: before, after: after))
            guard form == "numbers" || form == "digits alone" else { return }
            let zeros = date.indices.filter { date[$0] == "0" }
            guard let zero = zeros.randomElement(using: &random) else { return }
            let misread = date.replacingCharacters(in: zero, with: "O")
            prints.append(Print("O for 0 in \(form)", misread, iso, before: before, after: after))
        }
        for _ in 0..<12 {
            for separator in Self.separators {
                for isShort in [false, true] {
                    let (year, month, day) = Self.day(&random)
                    let iso = "\(year)-\(Self.two(month))-\(Self.two(day))"
                    let printed = isShort ? Self.two(year - 2000) : "\(year)"
                    let padded = [Self.two(day), Self.two(month)]
                    for order in [
                        [padded[0], padded[1], printed], [padded[1], padded[0], printed],
                        [printed, padded[1], padded[0]],
                    ] {
                        add("numbers", order.joined(separator: separator), iso)
                    }
                    if !isShort { add("numbers without zeros", "\(day)\(separator)\(month)\(separator)\(year)", iso) }
                }
            }
            for separator in [".", "/", "-"] {
                let (year, month, _) = Self.day(&random)
                add("month and year", "\(Self.two(month))\(separator)\(year)", "\(year)-\(Self.two(month))")
            }
            for isShort in [false, true] {
                let (year, month, day) = Self.day(&random)
                let iso = "\(year)-\(Self.two(month))-\(Self.two(day))"
                let printed = isShort ? Self.two(year - 2000) : "\(year)"
                add("digits alone", Self.two(day) + Self.two(month) + printed, iso)
                add("digits alone", printed + Self.two(month) + Self.two(day), iso)
            }
        }
        return prints
    }

    /// Days with each name of a month of each language, in three orders and three cases.
    func names(seed: UInt64) -> [Print] {
        var random = SeededGenerator(seed: seed)
        var prints: [Print] = []
        for (_, names) in months.sorted(by: { $0.key < $1.key }) {
            for (index, name) in names.enumerated().flatMap({ index, all in all.map { (index + 1, $0) } }) {
                let (year, _, day) = Self.day(&random)
                let month = "\(year)-\(Self.two(index))"
                let iso = "\(month)-\(Self.two(day))"
                for (separator, printed) in [
                    (" ", name), ("", name.uppercased()), ("-", name.prefix(1).uppercased() + name.dropFirst()),
                    (". ", name),
                ] {
                    let forms = [
                        ("day, name, year", "\(Self.two(day))\(separator)\(printed)\(separator)\(year)", iso),
                        (
                            "day, name, year of two digits",
                            "\(day)\(separator)\(printed)\(separator)\(Self.two(year - 2000))", iso
                        ),
                        ("year, name, day", "\(year)\(separator)\(printed)\(separator)\(Self.two(day))", iso),
                        ("name and year", "\(printed)\(separator)\(year)", month),
                    ]
                    for (form, date, iso) in forms {
                        let (before, after) = Self.around.randomElement(using: &random) ?? ("", "")
                        prints.append(Print(form, date, iso, before: before, after: after))
                    }
                }
                prints.append(Print("name, day, year", "\(name.uppercased()) \(day), \(year)", iso, before: "EXP "))
            }
        }
        return prints
    }

    /// Times, prices, amounts, lots, telephone numbers, sums, codes and days that do not exist.
    func others(seed: UInt64) -> [(form: String, text: String)] {
        var random = SeededGenerator(seed: seed)
        var texts: [(form: String, text: String)] = []
        for _ in 0..<150 {
            func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
            func digits(_ count: Int) -> String { (0..<count).map { _ in "\(number(0...9))" }.joined() }
            let time = "\(Self.two(number(0...23))):\(Self.two(number(0...59)))"
            let cents = digits(2)
            texts += [
                ("time", time), ("time", "\(time):\(Self.two(number(0...59)))"),
                ("time", "\(time)-\(number(10...23)):30"),
                ("price", "\(number(1...31)).\(cents) \(number(1...31)).\(cents)"),
                ("price", "\(number(1...31)),\(cents) €"),
                ("price", "\(number(1...12)) \(number(1...12)) \(number(10...31)) €"),
                ("price", "€ \(number(1...999)).\(cents)"),
                ("amount", "Zucker \(number(1...9)).\(number(1...9)) (\(number(10...36))%)"),
                ("amount", "\(number(1...12)) \(number(1...12)) \(number(10...36)) g"),
                ("amount", "\(number(10...12))\(Self.two(number(1...12)))\(number(10...36)) kcal"),
                ("lot", "LOT \(Self.two(number(1...28)))\(Self.two(number(1...12)))\(number(10...36))"),
                ("lot", "L \(Self.two(number(1...28))) \(Self.two(number(1...12))) \(number(10...36))"),
                (
                    "telephone",
                    "Tel 0\(number(2...9)) \(number(10...12)) \(number(10...28)) \(number(10...36)) \(digits(2))"
                ),
                ("telephone", "+49 221 \(number(10...12)) \(number(10...28)) \(number(10...36)) 1"),
                ("sum", "+ \(number(1...12)).\(number(10...28)) + \(number(10...28)).\(cents)"),
                ("code", "\(number(10...28)).\(Self.two(number(1...12))).\(number(10...36)).\(number(10...99))"),
                ("code", "40" + digits(11)),
                ("no day", "\(number(32...99))/\(number(13...99))/\(number(40...99))"),
                ("no day", "\(number(32...99))\(number(13...99))\(number(40...99))"),
                ("no day", "\(number(30...99)).\(number(13...99)).\(number(2040...2999))"),
            ]
        }
        return texts
    }
}

extension String {
    fileprivate func replacingCharacters(in index: Index, with letter: Character) -> String {
        String(self[..<index]) + String(letter) + String(self[self.index(after: index)...])
    }
}
