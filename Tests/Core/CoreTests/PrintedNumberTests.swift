import Foundation
import Testing

@testable import Core

/// Numbers of every form that packages, tags, menus and people write.
@Suite struct PrintedNumberTests {
    /// A value, and the ways to write it.
    private static let written: [(Decimal, [String])] = [0, 1, 7, 12, 100, 1500, 33_000, 1_234_567].flatMap {
        (whole: Decimal) in
        let groups = Self.groups(whole)
        return [0, 5, 25, 75].map { (hundredths: Int) -> (Decimal, [String]) in
            var forms: [String] = []
            for sign in Set(["", " ", "\u{A0}", "'", "’"] + (groups.count == 2 ? [] : [",", "."])) {
                let joined = groups.joined(separator: sign)
                if hundredths == 0 { forms.append(joined) }
                let decimals = hundredths < 10 ? "0\(hundredths)" : "\(hundredths)"
                for point in [",", "."] where point != sign && hundredths > 0 {
                    forms.append(joined + point + decimals)
                }
                if let (mark, quotient) = [25: ("¼", "1/4"), 75: ("¾", "3/4")][hundredths] {
                    forms +=
                        whole == 0 ? [mark, quotient] : [joined + mark, "\(joined) \(mark)", "\(joined) \(quotient)"]
                }
            }
            return (whole + Decimal(hundredths) / 100, forms)
        }
    }

    private static func groups(_ whole: Decimal) -> [String] {
        var (digits, groups) = ("\(whole)", [String]())
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return [digits] + groups
    }

    @Test func `a number has one value however it is written`() {
        var count = 0
        for (value, forms) in Self.written {
            for form in forms {
                #expect(WrittenNumber(form)?.value == value, "\(form)")
                #expect(WrittenNumber.prefix(of: form + "g")?.rest == "g", "\(form)")
                count += 1
            }
        }
        #expect(count > 250)
    }

    @Test func `one sign before three digits separates thousands or decimals`() {
        let comma = WrittenNumber("1,500")
        #expect(comma?.value == 1500 && comma?.alternative == Decimal(string: "1.5"))
        let point = WrittenNumber("1.500")
        #expect(point?.value == Decimal(string: "1.5") && point?.alternative == 1500)
        // The last of two signs separates decimals.
        #expect(WrittenNumber("1.234,567")?.value == Decimal(string: "1234.567"))
    }

    @Test(arguments: ["1.2.3", "10.08.2021", "1,23,456", "1.234,567.8", "1 23", "1/0", "1//2", "1 3/2", ""])
    func `groups that fit no number are none`(text: String) { #expect(WrittenNumber(text) == nil) }

    @Test func `any scalars have groups and signs inside the text`() {
        let letters = Array("0129 ,.'’/⁄½⅔-l\u{A0}".unicodeScalars)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
                letters.randomElement(using: &random)
            }
            for blanks in [PrintedNumber.Blanks.none, .betweenThousands, .besideDecimals] {
                for start in 0...text.count {
                    guard let number = PrintedNumber(at: start, in: text, blanks: blanks) else { continue }
                    let ranges = number.groups + [number.fraction?.range].compactMap(\.self)
                    #expect(ranges.allSatisfy { !$0.isEmpty && $0.lowerBound >= start && $0.upperBound <= text.count })
                    #expect(number.signs.count == max(0, number.groups.count - 1))
                    #expect(number.end > start)
                }
            }
        }
    }
}
