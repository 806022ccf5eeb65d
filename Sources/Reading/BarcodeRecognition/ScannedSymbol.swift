import Core

/// One symbol as the scanner saw it, before it is believed.
struct ScannedSymbol {
    var symbology: Symbology
    /// What the bars say; bytes that are not UTF-8 become U+FFFD.
    var text: String
    /// Where scan lines met the symbol, or a matrix code's corners, in pixels of the scanned plane.
    var points: [Point]
    /// How many scan lines read the same; 1 for a matrix code.
    var agreeingLines: Int
    /// True where the symbol itself says that it holds GS1 element strings.
    var isGS1 = false
}
