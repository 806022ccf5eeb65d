/// The Stream-Safe Text Format (UAX 15): at most 30 marks on one letter. Putting marks into their order takes the square
/// of their number, and comparing or hashing a `String` does that too; in a stream-safe text all of it is linear.
public enum StreamSafeText {
    /// Marks that follow each other at most.
    static let mostMarks = 30

    /// The scalars without marks behind the 30th of a run. No language has more than ten.
    public static func scalars(_ text: String.UnicodeScalarView) -> [Unicode.Scalar] {
        var marks = 0
        return text.filter { scalar in
            marks = isMark(scalar) ? marks + 1 : 0
            return marks <= mostMarks
        }
    }

    /// True if no mark would be dropped.
    public static func holds(_ text: some Sequence<Unicode.Scalar>) -> Bool {
        var marks = 0
        for scalar in text {
            marks = isMark(scalar) ? marks + 1 : 0
            if marks > mostMarks { return false }
        }
        return true
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
    }
}

extension String {
    /// This text in the Stream-Safe Text Format. Texts from outside become so before they are compared or normalised.
    public var streamSafe: String {
        StreamSafeText.holds(unicodeScalars) ? self : String(scalars: StreamSafeText.scalars(unicodeScalars))
    }
}
