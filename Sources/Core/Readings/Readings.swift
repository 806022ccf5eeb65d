/// What the recognisers saw in one photo: the dear half of the work, stored, so that every interpretation can be replayed.
///
/// A nil part was not asked for; an empty part was asked for and nothing was found.
public struct Readings: Sendable, Hashable, Codable {
    public var quality: PhotoQuality?
    public var text: TextReading?
    public var barcodes: [BarcodeReading]?
    /// Retail codes that were seen and are not believed by themselves, the likeliest first: digits printed beside the bars
    /// may confirm one. Nil where there are none.
    public var doubtfulBarcodes: [BarcodeReading]?
    /// Bars that were found and could not be read; nil where there are none.
    public var unreadBarcodes: [UnreadBarcode]?
    public var pieces: PieceFrame?

    public init(
        quality: PhotoQuality? = nil, text: TextReading? = nil, barcodes: [BarcodeReading]? = nil,
        doubtfulBarcodes: [BarcodeReading]? = nil, unreadBarcodes: [UnreadBarcode]? = nil, pieces: PieceFrame? = nil
    ) {
        self.quality = quality
        self.text = text
        self.barcodes = barcodes
        self.doubtfulBarcodes = doubtfulBarcodes
        self.unreadBarcodes = unreadBarcodes
        self.pieces = pieces
    }

    /// True where no recogniser found anything at all.
    public var isEmpty: Bool {
        (text?.lines.isEmpty ?? true) && (barcodes?.isEmpty ?? true) && (pieces?.pieces.isEmpty ?? true)
    }
}

/// How good the photo is, and what would make the next one better.
public struct PhotoQuality: Sendable, Hashable, Codable {
    /// Advice for the next photo, most useful first.
    public enum Advice: String, Sendable, Hashable, Codable {
        case moveCloser, holdStill, avoidGlare, moreLight, lessLight, holdStraight, showWhole
    }

    /// Sharpness 0…1, 1 is crisp.
    public var sharpness: Double?
    /// Share of the picture that is blown out, 0…1.
    public var glare: Double?
    /// Tilt of the text lines in degrees, clockwise.
    public var tilt: Double?
    /// Median height of the text in pixels of the upright image.
    public var textHeight: Double?
    public var advice: [Advice]

    public init(
        sharpness: Double? = nil, glare: Double? = nil, tilt: Double? = nil, textHeight: Double? = nil,
        advice: [Advice] = []
    ) {
        self.sharpness = sharpness
        self.glare = glare
        self.tilt = tilt
        self.textHeight = textHeight
        self.advice = advice
    }
}

/// Text that was read, in reading order.
public struct TextReading: Sendable, Hashable, Codable {
    /// BCP 47 codes of the languages the reader was asked for or recognised, best first.
    public var languages: [String]
    /// From the top of the page down; columns one after the other.
    public var lines: [TextLine]
    /// Lines of print that were seen and could not be read; nil for none. Whatever they say is not in `lines`.
    public var unreadLines: Int?

    public init(languages: [String], lines: [TextLine], unreadLines: Int? = nil) {
        self.languages = languages
        self.lines = lines
        self.unreadLines = unreadLines
    }
}

/// One printed line: its words joined by blanks.
public struct TextLine: Sendable, Hashable, Codable {
    public var text: String
    /// Calibrated probability 0…1 that the line is right.
    public var confidence: Double
    public var box: Quad
    /// From left to right.
    public var words: [Word]

    public init(text: String, confidence: Double, box: Quad, words: [Word]) {
        self.text = text
        self.confidence = confidence
        self.box = box
        self.words = words
    }
}

/// One printed word.
public struct Word: Sendable, Hashable, Codable {
    public var text: String
    /// Calibrated probability 0…1 that the word is right.
    public var confidence: Double
    public var box: Quad

    public init(text: String, confidence: Double, box: Quad) {
        self.text = text
        self.confidence = confidence
        self.box = box
    }
}

/// One barcode that was decoded.
public struct BarcodeReading: Sendable, Hashable, Codable {
    /// The symbology's usual name: `EAN-13`, `EAN-8`, `UPC-A`, `UPC-E`, `QR-Code`, `Code 128`, …
    public var format: String
    /// What the bars say.
    public var text: String
    /// The 14-digit GTIN of a retail code whose check digit is right, else nil.
    public var gtin: String?
    /// The two or five digits beside a retail code: an issue's number, a price; nil for none.
    public var addOn: String?
    /// Calibrated probability 0…1 that `text` is right.
    public var confidence: Double
    /// Corners or outline in pixels of the upright image.
    public var corners: [Point]
    /// The rescue step that made it readable; `none` where none was needed.
    public var rescue: String
    /// True where the symbol says that it holds GS1 element strings; nil where it says nothing.
    public var isGS1: Bool?

    public init(
        format: String, text: String, gtin: String? = nil, confidence: Double, corners: [Point],
        rescue: String = "none",
        isGS1: Bool? = nil, addOn: String? = nil
    ) {
        self.format = format
        self.text = text
        self.gtin = gtin
        self.addOn = addOn
        self.confidence = confidence
        self.corners = corners
        self.rescue = rescue
        self.isGS1 = isGS1
    }
}

/// A barcode that was found in the photo and could not be read, and why.
public struct UnreadBarcode: Sendable, Hashable, Codable {
    public enum Reason: String, Sendable, Hashable, Codable {
        /// Bars run into each other: hold still, or let it focus.
        case blurred
        /// Too few pixels a bar: move closer.
        case tooSmall
        /// Bars are blown out: avoid the lamp's reflection.
        case glare
        /// Bars reach the picture's rim: show all of them.
        case cut
    }

    public var reason: Reason
    /// Corners in pixels of the upright image.
    public var corners: [Point]

    public init(reason: Reason, corners: [Point]) {
        self.reason = reason
        self.corners = corners
    }

    /// What would make the next photo better.
    public var advice: PhotoQuality.Advice {
        switch reason {
        case .blurred: .holdStill
        case .tooSmall: .moveCloser
        case .glare: .avoidGlare
        case .cut: .showWhole
        }
    }
}
