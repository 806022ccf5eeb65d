internal import CZBar

/// A kind of barcode. The raw value is the name that outcomes report.
enum Symbology: String, CaseIterable {
    case ean8 = "EAN-8"
    case ean13 = "EAN-13"
    case upcA = "UPC-A"
    case upcE = "UPC-E"
    case isbn10 = "ISBN-10"
    case isbn13 = "ISBN-13"
    case itf = "ITF"
    case dataBar = "DataBar"
    case dataBarExpanded = "DataBar Expanded"
    case codabar = "Codabar"
    case code39 = "Code 39"
    case code93 = "Code 93"
    case code128 = "Code 128"
    case pdf417 = "PDF417"
    case qrCode = "QR-Code"
    case sqCode = "SQ-Code"
    case microQRCode = "Micro QR"
    case rectangularMicroQRCode = "rMQR"
    case dataBarLimited = "DataBar Limited"
    case dataMatrix = "Data Matrix"

    /// Nil for a partial symbol or an add-on.
    init?(_ type: zbar_symbol_type_t) {
        switch type {
        case ZBAR_EAN8: self = .ean8
        case ZBAR_EAN13: self = .ean13
        case ZBAR_UPCA: self = .upcA
        case ZBAR_UPCE: self = .upcE
        case ZBAR_ISBN10: self = .isbn10
        case ZBAR_ISBN13: self = .isbn13
        case ZBAR_I25: self = .itf
        case ZBAR_DATABAR: self = .dataBar
        case ZBAR_DATABAR_EXP: self = .dataBarExpanded
        case ZBAR_CODABAR: self = .codabar
        case ZBAR_CODE39: self = .code39
        case ZBAR_CODE93: self = .code93
        case ZBAR_CODE128: self = .code128
        case ZBAR_PDF417: self = .pdf417
        case ZBAR_QRCODE: self = .qrCode
        case ZBAR_SQCODE: self = .sqCode
        default: return nil
        }
    }

    /// True for two-dimensional codes. Their error correction proves a single reading.
    var isMatrix: Bool {
        switch self {
        case .qrCode, .sqCode, .pdf417, .microQRCode, .rectangularMicroQRCode, .dataMatrix: true
        default: false
        }
    }

    /// True for codes beside which an add-on of two or five digits may stand (magazine issues, book prices).
    ///
    /// UPC-E is excluded: add-ons there are rarer than stripes mistaken for them.
    var takesAddOns: Bool {
        switch self {
        case .ean13, .upcA, .isbn10, .isbn13: true
        default: false
        }
    }

    /// True if the bars can be compared with templates of numbers.
    var hasTemplates: Bool {
        switch self {
        case .ean13, .upcA, .isbn13: true
        default: false
        }
    }

    /// The kind of error check that a code contains.
    enum ErrorCheck: String, CaseIterable {
        /// Error correction.
        case corrected
        /// Check characters with a chance agreement of at most one in 79.
        case checked
        /// One check digit; one misreading in ten passes.
        case digit
        /// No check.
        case none
    }

    var errorCheck: ErrorCheck {
        switch self {
        case .qrCode, .sqCode, .pdf417, .microQRCode, .rectangularMicroQRCode, .dataMatrix: .corrected
        case .dataBar, .dataBarExpanded, .dataBarLimited, .code93, .code128: .checked
        case .ean8, .ean13, .upcA, .upcE, .isbn10, .isbn13: .digit
        case .itf, .codabar, .code39: .none
        }
    }
}
