import Core
import Documents
import TestSupport
import Testing

/// Dates whose order, kind or words mislead.
@Suite struct `Rules of dates` {
    private let reader: DocumentReader

    init() throws { reader = try Shipped.documents.get() }

    private func dates(_ text: String) -> [PrintedDate] { reader.dates(from: reader.page(ofText: text)) }
    private func days(_ text: String) -> [String] { dates(text).map { "\($0.kind.rawValue) \($0.value)" }.sorted() }

    @Test func `of two dates the order counts in which packing comes first`() {
        #expect(days("21.03.19\n22.03.18") == ["bestBefore 2022-03-18", "packed 2021-03-19"])
        #expect(days("19.03.21\n18.03.22") == ["bestBefore 2022-03-18", "packed 2021-03-19"])
    }

    @Test(arguments: [
        ("ja", 1), ("fe", 2), ("mr", 3), ("al", 4), ("ma", 5), ("jn", 6), ("jl", 7), ("au", 8), ("se", 9), ("oc", 10),
        ("no", 11), ("de", 12),
    ])
    func `Canada's symbols are months behind a whole year alone`(symbol: String, month: Int) {
        let two = month < 10 ? "0\(month)" : "\(month)"
        #expect(days("BEST BEFORE\n2026 \(symbol.uppercased()) 28") == ["bestBefore 2026-\(two)-28"])
        #expect(
            !days("BEST BEFORE\n28 \(symbol.uppercased()) 26").contains { $0.contains("-\(two)-") }
                || ["jn", "jl"].contains(symbol))
    }

    @Test(arguments: [" & ", "&", " &", "& "])
    func `two months in one row are the day of packing and the end of use`(sign: String) {
        for (start, end) in [("10/23", "09/26"), ("01/25", "12/27"), ("12/24", "06/26")] {
            let parts = [start, end].map { $0.split(separator: "/").map(String.init) }
            #expect(
                days("MFG. Date & Use before\n\(start)\(sign)\(end)") == [
                    "packed 20\(parts[0][1])-\(parts[0][0])", "useBy 20\(parts[1][1])-\(parts[1][0])",
                ], "\(start)\(sign)\(end)")
        }
    }

    @Test func `two days apart in the order of the day are fresh food and no years`() throws {
        let found = dates("17/01/19    22/01/19")
        #expect(found.map(\.value) == ["2019-01-17", "2019-01-22"])
        #expect(found.allSatisfy { $0.alternatives?.isEmpty == false })
    }

    @Test func `words that refer to another place name the kind of its date`() {
        #expect(days("Use by: see lid\n12.10.2026") == ["useBy 2026-10-12"])
        #expect(days("Best before: see lid\nUse by: see cap\n12.10.2026") == ["bestBefore 2026-10-12"])
    }

    @Test func `the order that the package names is certain`() throws {
        let year = try #require(dates("Best before (yy/mm/dd)\n24/11/20").first)
        #expect(year.value == "2024-11-20" && year.alternatives == nil)
        let day = try #require(dates("Best before (dd/mm/yyyy)\n05/06/2026").first)
        #expect(day.value == "2026-06-05" && day.alternatives == nil)
        let month = try #require(dates("Best before (mm/dd/yyyy)\n05/06/2026").first)
        #expect(month.value == "2026-05-06" && month.alternatives == nil)
    }

    @Test func `the day comes first where all words are of countries that print it first`() throws {
        let german = try #require(dates("Mindestens haltbar bis 05/03/27").first)
        #expect(german.value == "2027-03-05" && german.alternatives == nil)
        // A package for several countries settles nothing.
        let both = try #require(dates("Best before / Mindestens haltbar bis 05/03/27").first)
        #expect(both.alternatives?.isEmpty == false)
    }

    @Test func `a package with Korean print has the year first`() {
        var text = reading("21.08.20")
        #expect(reader.dates(from: reader.page(of: text)).map(\.value) == ["2020-08-21"])
        text.unreadScripts = [.korean]
        #expect(reader.dates(from: reader.page(of: text)).map(\.value) == ["2021-08-20"])
    }

    private func reading(_ text: String) -> TextReading {
        let box = Quad(x: 0, y: 0, width: 200, height: 20)
        let word = Word(text: text, confidence: 0.98, box: box)
        return TextReading(
            languages: [], lines: [TextLine(text: text, confidence: 0.98, box: box, words: [word])])
    }

    @Test func `per 100 g is no end of use`() {
        #expect(days("Energy per 100 g 630 kcal\n2026.10.31") == ["bestBefore 2026-10-31"])
        #expect(days("PER 31/10/2026") == ["useBy 2026-10-31"])
    }

    @Test(arguments: [
        ("EXP 15 HUG 2026", "2026-08-15"), ("EXP 15/JAH/26", "2026-01-15"), ("BEST BEFORE 02 EB 2026", "2026-02-02"),
        ("BEST BEFORE MAR 12 2026 14:30", "2026-03-12"),
    ])
    func `a month with a misread letter counts beside words`(text: String, day: String) {
        #expect(dates(text).map(\.value) == [day])
    }

    @Test func `a misread month without words, with two meanings or before a time is no date`() {
        #expect(dates("12 HUG 2026").isEmpty)
        #expect(dates("EXP 15 JUI 2026").isEmpty)
        #expect(dates("EXP 15 UG 20:21").isEmpty)
    }

    @Test(arguments: [
        "Zucker 2.5 (25%)", "Fat 2.5 12 25%", "L 21 05 12", "LOT 210512", "TEL 02 12 22 33 44", "1.07.22",
        "Batch 12 03 26",
    ])
    func `other numbers are no date`(text: String) {
        #expect(dates(text).isEmpty)
    }

    @Test func `a time of day behind a date leaves its kind open`() {
        #expect(dates("2026.06.25 13:45").isEmpty)
        #expect(days("2025.12.15/08:53\n2026.12.14") == ["bestBefore 2026-12-14", "packed 2025-12-15"])
        #expect(days("USE BY 2026.12.15 08:53") == ["useBy 2026-12-15"])
    }

    @Test func `six digits are a date below their words or beside another date`() {
        #expect(days("BEST BY\n120526") == ["bestBefore 2026-05-12"])
        #expect(days("3MFG180925\n18 180526") == ["bestBefore 2026-05-18", "packed 2025-09-18"])
        #expect(days("MFG:180624\nBBE:1 80625") == ["bestBefore 2025-06-18", "packed 2024-06-18"])
        #expect(dates("180526").isEmpty)
    }

    @Test func `a year of four digits with a blank in it is a year`() {
        #expect(days("03 11 20 20\n03112021") == ["bestBefore 2021-11-03", "packed 2020-11-03"])
        #expect(dates("03 11 20 20 12").isEmpty)
        #expect(dates("03 11 20 99").isEmpty)
    }

    @Test func `words before digits of their own say nothing of a date in another row`() {
        #expect(days("FD.23072025\nBBF.23 07") == [])
        #expect(days("23072025\nBBF") == ["bestBefore 2025-07-23"])
    }

    @Test func `a month before a complete date belongs to something else`() {
        #expect(dates("DEC 12.11.2026").map(\.value) == ["2026-11-12"])
        #expect(days("AUG-24/FEB-26") == ["bestBefore 2026-02", "packed 2024-08"])
    }

    @Test func `time decides which of two words belongs to which date`() {
        #expect(days("Prod. date / exp. date 28032025\n28032026") == ["packed 2025-03-28", "useBy 2026-03-28"])
        #expect(days("MFG\nBBE 16/08/25\n16/08/26") == ["bestBefore 2026-08-16", "packed 2025-08-16"])
        #expect(days("11/2024\nB. 04/2026\nMFD:\nEXP:") == ["bestBefore 2026-04", "packed 2024-11"])
    }

    @Test(arguments: [
        "date of packaging", "packaging date", "date of packing", "packed on", "date of manufacture",
        "date of production",
    ])
    func `a list of words above a list of dates names them in its order`(packing: String) {
        #expect(
            days("BATCH NO.\n\(packing.uppercased())\nEXPIRY DATE\n24168\n18/07/24 23:03\n17/01/25") == [
                "packed 2024-07-18", "useBy 2025-01-17",
            ])
    }

    @Test(arguments: ["12 Aug", "12 AUG", "12 August", "12Aug"])
    func `a day without a year counts alone below its words`(day: String) {
        #expect(days("BABY SPINACH\nUSE BY\n\(day)") == ["useBy --08-12"])
        #expect(days("BABY SPINACH\nUSE BY\nfrom \(day) washed and ready") == [])
        #expect(days("BABY SPINACH\n\(day)") == [])
    }

    @Test func `words that contradict the time give nothing`() {
        #expect(dates("MFG 05/07/2027\nEXP 05/07/2026").isEmpty)
        #expect(dates("Prod. date / exp. date 28032025").isEmpty)
    }

    @Test func `a misread word before a date lowers its confidence`() {
        #expect((dates("PEOQ:21/02/2026").first?.confidence ?? 0) < 0.8)
        #expect((dates("21/02/2026").first?.confidence ?? 0) > 0.82)
    }

    @Test func `a time span from packing is no end of use`() {
        #expect(days("Best before 9 months from packing\nPKD 21/02/2026") == ["packed 2026-02-21"])
        #expect(days("UBD 21/02/2026") == ["useBy 2026-02-21"])
    }
}
