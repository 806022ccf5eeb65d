import Core

/// One symbol as a scanner reports it, before the acceptance rules.
struct ScannedSymbol {
    var symbology: Symbology
    /// The decoded text. Bytes that are not UTF-8 become U+FFFD.
    var text: String
    /// Points where scan lines crossed the symbol, or the corners of a matrix code, in pixels of the scanned plane.
    var points: [Point]
    /// Number of scan lines with the same text; 1 for a matrix code.
    var agreeingLines: Int
    /// True if the symbol itself declares GS1 element strings.
    var isGS1 = false
    /// True if the symbol was seen but not decoded.
    var isBroken = false
}
