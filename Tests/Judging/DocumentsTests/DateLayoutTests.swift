import Core
import Documents
import TestSupport
import Testing

/// Packets with their words printed in one column and their dates stamped beside it, a little too high or too low.
@Suite struct `Stamped dates beside printed words` {
    private let reader: DocumentReader

    init() throws { reader = try DocumentReader(from: ModelFolder(Repository.models)) }

    /// Words of which some are not read.
    enum Words: String, CaseIterable, Sendable {
        case both, end, packing, none, joined

        func lines(_ packed: String, _ end: String) -> [String] {
            switch self {
            case .both: [packed, end]
            case .end: ["", end]
            case .packing: [packed, ""]
            case .none: ["", ""]
            case .joined: ["\(packed) & \(end)", ""]
            }
        }
    }

    private static let rises = stride(from: -1.25, through: 1.25, by: 0.25)

    @Test(arguments: Words.allCases, ["PKD. ON", "MFG. DATE", "MFD"])
    func `the earlier date is never the end of use, and the later never the day of packing`(
        words: Words, packed: String
    ) {
        var (right, all) = (0, 0)
        for (rise, (early, late)) in Self.rises.flatMap({ rise in
            [("18/07/24", "17/01/25"), ("02/10/2024", "01/01/2025"), ("22.07.24", "21.01.25")].map { (rise, $0) }
        }) {
            for (end, distance) in [("EXPIRY DATE", 520.0), ("USE BY", 460), ("BEST BEFORE", 520)] {
                let labels = ["NET QUANTITY"] + words.lines(packed, end) + ["MRP"]
                let stamps = ["40 g", early, late, "10.00"]
                var lines: [TextLine] = []
                for (row, (label, stamp)) in zip(labels, stamps).enumerated() {
                    let y = 100 + 60 * Double(row)
                    if !label.isEmpty { lines.append(.printed(label, 40, y, 34, confidence: 0.97)) }
                    lines.append(.printed(stamp, distance, y + 60 * rise, 40, confidence: 0.96))
                }
                let found = reader.dates(from: reader.page(of: TextReading(languages: [], lines: lines)))
                let text = "\(words) \(end) \(rise): \(found.map { "\($0.kind) \($0.value)" })"
                #expect(!found.contains { $0.value.hasPrefix("2024") && $0.kind != .packed }, "\(text)")
                #expect(!found.contains { $0.value.hasPrefix("2025") && $0.kind == .packed }, "\(text)")
                (right, all) = (right + found.count, all + 2)
            }
        }
        #expect(Double(right) >= 0.8 * Double(all), "\(right) of \(all)")
    }

    @Test func `the end of use that stands directly before the earlier of two dates is contradicted`() {
        for text in ["EXP 18/07/24\n17/01/25", "Use by 18.07.24 17.01.25"] {
            let found = reader.dates(from: reader.page(ofText: text))
            #expect(
                !found.contains { $0.value == "2024-07-18" && $0.kind != .packed && $0.confidence > 0.9 }, "\(found)")
        }
    }

    @Test(arguments: ["Batch No.", "LOT", "B. NO.:"])
    func `digits of a batch are a date only beside a date like them`(batch: String) {
        let lines = [
            TextLine.printed("02/10/2024", 390, 100, 40, confidence: 0.97),
            .printed("\(batch) 01/01/2025", 40, 150, 40, confidence: 0.97),
        ]
        let both = reader.dates(from: reader.page(of: TextReading(languages: [], lines: lines)))
        #expect(both.map(\.kind) == [.packed, .bestBefore])
        let alone = reader.dates(from: reader.page(of: TextReading(languages: [], lines: [lines[1]])))
        #expect(alone.isEmpty)
    }

    @Test(arguments: ["/", "-"])
    func `a month with a short year is a date beside its words or beside another one`(sign: String) {
        func days(_ text: String) -> [String] {
            reader.dates(from: reader.page(ofText: text)).map { "\($0.kind.rawValue) \($0.value)" }.sorted()
        }
        for year in 23...26 {
            #expect(days("EXP 05\(sign)\(year)") == ["useBy 20\(year)-05"])
            let both = ["packed 2022-05", "useBy 20\(year)-04"]
            #expect(days("MFG 05\(sign)22\nEXP 04\(sign)\(year)") == both)
            #expect(
                days("Batch No., Mfd. & Use before, see below\nRs. 47.00\nBT01306\n05\(sign)22\n04\(sign)\(year) A L.1")
                    == both)
            #expect(days("# 05\(sign)22 B001 @ 04\(sign)\(year)\n# MFD. @ USE BEFORE") == both)
        }
    }

    @Test(arguments: [
        ("Fab.:", "Val.:", ["JAN", "FEV", "ABR", "SET"]), ("MFG.DT.", "EXP.DT.", ["JAN", "MAR", "APR", "SEP"]),
        ("MFD", "USE BEFORE", ["Jan", "Feb", "Jun", "Oct"]),
    ])
    func `two months with short years are no days of one year`(packed: String, end: String, months: [String]) {
        for (first, second) in months.indices.flatMap({ one in months.indices.map { (one, $0) } }) {
            for (early, late) in [(22, 24), (23, 25), (24, 26)] {
                for sign in [" ", "."] {
                    let text = "\(packed) \(months[first])\(sign)\(early)\n\(end) \(months[second])\(sign)\(late)"
                    let found = reader.dates(from: reader.page(ofText: text))
                    // In one month they may be days of fresh food.
                    guard first != second else { continue }
                    #expect(found.map(\.kind).first == .packed, "\(text): \(found)")
                    #expect(found.map { $0.value.prefix(5) } == ["20\(early)-", "20\(late)-"], "\(text): \(found)")
                }
            }
        }
    }

    @Test(arguments: ["SELL BY", "USE BY"])
    func `a month with two digits alone is a day, and so are two days of fresh food`(end: String) {
        func days(_ text: String) -> [String] { reader.dates(from: reader.page(ofText: text)).map(\.value) }
        for day in 22...26 {
            #expect(days("\(end) MAR \(day)") == ["--03-\(day)"])
            #expect(!days("PACKED MAR 20\n\(end) MAR \(day)").contains { $0.hasPrefix("20") })
        }
    }

    @Test(arguments: [
        "Pizza 05/22 and 04/25", "Page 01/24", "Lot 03/15 08/16", "24/7 hotline", "10/20 pieces, 10/30 pieces", "1/25",
    ])
    func `fractions, pages and counts are no months`(text: String) {
        #expect(reader.dates(from: reader.page(ofText: text)).isEmpty)
    }
}
