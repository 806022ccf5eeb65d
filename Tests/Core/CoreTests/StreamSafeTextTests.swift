import Foundation
import TestSupport
import Testing

@testable import Core

@Suite struct StreamSafeTextTests {
    /// One scalar of each general category and of each combining class.
    private static let classes: [Unicode.Scalar] = {
        var found: [String: Unicode.Scalar] = [:]
        for scalar in (UInt32(0)..<0x2_0000).compactMap(Unicode.Scalar.init) {
            let properties = scalar.properties
            found["\(properties.generalCategory) \(properties.canonicalCombiningClass.rawValue)"] = scalar
        }
        return found.values.sorted()
    }()

    /// Texts of so many scalars: each class alone, and marks of two classes in turn behind a letter, which have to change
    /// places.
    static func texts(_ count: Int) -> [String] {
        let alone = classes.map { String(scalars: repeatElement($0, count: count)) }
        let pairs: [(Unicode.Scalar, Unicode.Scalar)] = [
            ("\u{301}", "\u{323}"), ("\u{5B0}", "\u{1D165}"), ("a", "\u{300}"),
        ]
        return alone
            + pairs.map { one, other in "e" + String(scalars: (0..<count).map { $0 % 2 == 0 ? one : other }) }
            + ["e" + String(scalars: (0..<count).map { $0 < count / 2 ? "\u{301}" : "\u{323}" })]
    }

    @Test func `a text has at most thirty marks on a letter, and other texts stay as they are`() {
        #expect("e\u{301}\u{323} Zoë".streamSafe.unicodeScalars.elementsEqual("e\u{301}\u{323} Zoë".unicodeScalars))
        let long = "a" + String(repeating: "\u{301}", count: 200) + "b"
        #expect(long.streamSafe.unicodeScalars.count == 32)
        #expect(!StreamSafeText.holds(long.unicodeScalars))
        #expect(Self.texts(100).allSatisfy { StreamSafeText.holds($0.streamSafe.unicodeScalars) })
    }

    @Test func `the work on a name is linear or refused, whatever its characters are`() {
        let (short, long) = (Self.texts(2000), Self.texts(8000))
        for index in short.indices {
            let staysLinear = isLinear(from: 2000) { size in
                let text = size == 2000 ? short[index] : long[index]
                _ = try? DisplayName(text)
                _ = DisplayName.key(of: text)
                _ = DisplayName.cleaned(text)
            }
            let scalar = short[index].unicodeScalars.first?.value ?? 0
            #expect(staysLinear, "U+\(String(scalar, radix: 16)) in text \(index)")
        }
    }
}
