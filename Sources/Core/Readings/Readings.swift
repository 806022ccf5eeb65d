/// The results of the recognisers for one photo. Recognition is slow, so readings are stored and interpretation can
/// be rerun.
///
/// A nil part was not requested. An empty part was requested and nothing was found.
public struct Readings: Sendable, Hashable, Codable {
    public var quality: PhotoQuality?
    public var text: TextReading?
    public var barcodes: [BarcodeReading]?
    /// Retail codes that are not accepted on their own, most likely first. Printed digits next to the bars may
    /// confirm one. Nil if there are none.
    public var doubtfulBarcodes: [BarcodeReading]?
    /// Barcodes that were detected but not decoded; nil if there are none.
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

    /// True if no recogniser found anything.
    public var isEmpty: Bool {
        (text?.lines.isEmpty ?? true) && (barcodes?.isEmpty ?? true) && (pieces?.pieces.isEmpty ?? true)
    }
}

/// The quality of the photo and advice for the next one.
public struct PhotoQuality: Sendable, Hashable, Codable {
    /// Advice for the next photo, most useful first.
    public enum Advice: String, Sendable, Hashable, Codable, CaseIterable {
        case moveCloser, holdStill, avoidGlare, moreLight, lessLight, holdStraight, showWhole

        /// The advice in English: `hold still`.
        public var words: String {
            switch self {
            case .moveCloser: "move closer"
            case .holdStill: "hold still"
            case .avoidGlare: "avoid the reflection of the lamp"
            case .moreLight: "use more light"
            case .lessLight: "use less light"
            case .holdStraight: "hold the camera straight"
            case .showWhole: "show the whole page"
            }
        }
    }

    /// Sharpness 0…1, 1 is crisp.
    public var sharpness: Double?
    /// Share of overexposed pixels, 0…1.
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

/// Recognised text, in reading order.
public struct TextReading: Sendable, Hashable, Codable {
    /// BCP 47 codes of the requested or detected languages, best first.
    public var languages: [String]
    /// From top to bottom, column by column.
    public var lines: [TextLine]
    /// Number of text lines that were detected but not recognised; nil if there are none. `lines` does not contain
    /// them.
    public var unreadLines: Int?
    /// Where these lines are, from top to bottom; nil if there are none, and in readings of builds that only counted them.
    public var unreadBoxes: [Quad]?
    /// The scripts of lines that were detected and cannot be read; nil if none is known.
    public var unreadScripts: [PrintScript]?

    public init(
        languages: [String], lines: [TextLine], unreadLines: Int? = nil, unreadBoxes: [Quad]? = nil,
        unreadScripts: [PrintScript]? = nil
    ) {
        self.languages = languages
        self.lines = lines
        self.unreadLines = unreadLines
        self.unreadBoxes = unreadBoxes
        self.unreadScripts = unreadScripts
    }
}

/// One printed line. `text` joins its words with blanks.
public struct TextLine: Sendable, Hashable, Codable {
    public var text: String
    /// Calibrated probability 0…1 that the line is correct.
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

public struct Word: Sendable, Hashable, Codable {
    public var text: String
    /// Calibrated probability 0…1 that the word is correct.
    public var confidence: Double
    public var box: Quad
    /// How it is printed; nil if it was not measured.
    public var ink: Ink?

    public init(text: String, confidence: Double, box: Quad, ink: Ink? = nil) {
        self.text = text
        self.confidence = confidence
        self.box = box
        self.ink = ink
    }
}

/// A decoded barcode.
public struct BarcodeReading: Sendable, Hashable, Codable {
    /// The name of the symbology: `EAN-13`, `EAN-8`, `UPC-A`, `UPC-E`, `QR-Code`, `Code 128`, …
    public var format: String
    /// The decoded content.
    public var text: String
    /// The 14-digit GTIN; nil if the code is no retail code or its check digit is wrong.
    public var gtin: String?
    /// The two or five add-on digits next to a retail code, such as an issue number or a price; nil for none.
    public var addOn: String?
    /// Calibrated probability 0…1 that `text` is correct.
    public var confidence: Double
    /// Corners or outline in pixels of the upright image.
    public var corners: [Point]
    /// The decode attempt that succeeded; `none` if the plain image sufficed.
    public var rescue: String
    /// True if the symbol declares GS1 element strings; nil if it declares nothing.
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

/// A barcode that was detected but not decoded, and why.
public struct UnreadBarcode: Sendable, Hashable, Codable {
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// Bars merge: hold the camera still or let it focus.
        case blurred
        /// Too few pixels for each bar: move closer.
        case tooSmall
        /// Bars are overexposed: avoid the reflection of the lamp.
        case glare
        /// Bars touch the border of the image: show the whole barcode.
        case cut
        /// Sharp and large enough: covered, damaged, or of a kind that is not read.
        case damaged

    }

    public var reason: Reason
    /// Corners in pixels of the upright image.
    public var corners: [Point]
    /// The kind of code, `QR-Code`; nil for bars of any kind.
    public var format: String?
    /// Width of the narrowest bar or of a module, about, pixels of the upright image.
    public var modulePixels: Double?
    /// Pixels over which an edge rises: one to two in focus.
    public var edgePixels: Double?

    public init(
        reason: Reason, corners: [Point], format: String? = nil, modulePixels: Double? = nil, edgePixels: Double? = nil
    ) {
        self.reason = reason
        self.corners = corners
        self.format = format
        self.modulePixels = modulePixels
        self.edgePixels = edgePixels
    }

    /// What was seen and what it lacks, in English: `bars, too small, about 1.2 pixels a module, 2 are needed`.
    public var words: String {
        let module = modulePixels.map { "about \($0) pixels a module" }
        let edge = edgePixels.map { "an edge takes \($0) pixels" }
        let lack =
            switch reason {
            case .blurred: ["blurred"] + [edge, module].compactMap(\.self)
            case .tooSmall: ["too small"] + [module].compactMap(\.self) + ["2 are needed"]
            case .glare: ["glare"]
            case .cut: ["cut off"]
            case .damaged: ["covered, damaged, or of a kind that is not read"]
            }
        return ([format ?? "bars"] + lack).joined(separator: ", ")
    }

    /// Advice for the next photo.
    public var advice: PhotoQuality.Advice {
        switch reason {
        case .blurred: .holdStill
        case .tooSmall: .moveCloser
        case .glare: .avoidGlare
        case .cut, .damaged: .showWhole
        }
    }
}
