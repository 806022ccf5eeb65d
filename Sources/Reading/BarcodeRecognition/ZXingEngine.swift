internal import CZXing
import Core

/// Adapts ZXing-C++ to ``SymbolScanner``.
struct ZXingEngine: SymbolScanner {
    let library: ZXingLibrary
    /// True: also tries quarter turns, inverted and downscaled pictures, at three times the cost.
    var isThorough: Bool

    var engine: Detection.Engine { .zxing }

    /// Formats common in kitchens, shops and on parcels. Others would only cost time and cause false readings.
    private static let formats = linearFormats + "," + matrixFormats
    private static let linearFormats =
        "EAN-13,EAN-8,UPC-A,UPC-E,DataBar,DataBarLtd,DataBarExp,Code128,Code39,Code93,Codabar,ITF"
    private static let matrixFormats = "QRCode,MicroQRCode,RMQRCode"
    /// Looked for only where a first scan found nothing, because the search takes long on print.
    private static let thoroughFormats = formats + ",DataMatrix"

    private static let retailFormats = "EAN-13,EAN-8,UPC-A,UPC-E"
    /// More scan lines than for a code must agree, because two digits pass their check by chance one time in four.
    private static let addOnLines: Int32 = 4
    /// Rows in which linear codes are looked for first, and the most between two: the bars of a readable code are some
    /// 24 pixels high.
    private static let (skimmedRows, mostBetween) = (128, 8)

    func scan(_ plane: GrayPlane) -> [ScannedSymbol] {
        scan(plane, isThorough ? Self.thoroughFormats : Self.formats, rowStep: 1)
    }

    /// Every symbol, but linear codes in some rows only: that finds nearly all of them in a third of the time.
    func skim(_ plane: GrayPlane) -> [ScannedSymbol] {
        let step = min(Self.mostBetween, (plane.height + Self.skimmedRows - 1) / Self.skimmedRows)
        guard step > 1 else { return scan(plane) }
        return scan(plane, Self.linearFormats, rowStep: step) + scan(plane, Self.matrixFormats, rowStep: 1)
    }

    private func scan(_ plane: GrayPlane, _ names: String, rowStep: Int) -> [ScannedSymbol] {
        scan(
            plane, names,
            tzx_options(
                try_harder: true, try_rotate: isThorough, try_invert: isThorough, try_downscale: isThorough,
                row_step: Int32(rowStep), min_lines: 2, only_add_ons: false, with_broken: isThorough, formats: nil))
    }

    /// QR codes in a sharpened picture, also broken ones. The search is quick, because it begins with their corners.
    func matrices(in plane: GrayPlane) -> [ScannedSymbol] {
        scan(
            plane, "QRCode",
            tzx_options(
                try_harder: true, try_rotate: false, try_invert: false, try_downscale: false, row_step: 1, min_lines: 0,
                only_add_ons: false, with_broken: true, formats: nil))
    }

    /// The two or five add-on digits of the code with this number. Nil if there are none or the scan lines disagree.
    func addOn(of gtin: GTIN, in plane: GrayPlane) -> String? {
        let symbols = scan(
            plane, Self.retailFormats,
            tzx_options(
                try_harder: true, try_rotate: true, try_invert: false, try_downscale: false,
                row_step: 1, min_lines: Self.addOnLines, only_add_ons: true, with_broken: false, formats: nil))
        let addOns = symbols.compactMap { symbol -> String? in
            let digits = symbol.text.filter { ("0"..."9").contains($0) }
            return [5, 2].lazy.map { String(digits.suffix($0)) }.first {
                let number = digits.dropLast($0.count)
                return GTIN(number) == gtin || GTIN(upcE: number) == gtin
            }
        }
        return Set(addOns).count == 1 ? addOns.first : nil
    }

    private func scan(_ plane: GrayPlane, _ names: String, _ options: tzx_options) -> [ScannedSymbol] {
        names.withCString { formats in
            var options = options
            options.formats = formats
            let found = plane.bytes.withUnsafeBufferPointer {
                tzx_scan(library.handle, $0.baseAddress, Int32(plane.width), Int32(plane.height), options)
            }
            guard let found else { return [] }
            defer { tzx_symbols_free(found) }
            return UnsafeBufferPointer(start: found.pointee.symbols, count: Int(found.pointee.count)).compactMap(
                Self.scanned)
        }
    }

    private static func scanned(_ symbol: tzx_symbol) -> ScannedSymbol? {
        guard let format = symbol.format, let symbology = Symbology(zxing: String(cString: format)),
            let text = symbol.text
        else { return nil }
        let identifier = symbol.identifier.map { String(cString: $0) } ?? ""
        return ScannedSymbol(
            symbology: symbology, text: String(cString: text),
            points: [
                Point(Double(symbol.x.0), Double(symbol.y.0)), Point(Double(symbol.x.1), Double(symbol.y.1)),
                Point(Double(symbol.x.2), Double(symbol.y.2)), Point(Double(symbol.x.3), Double(symbol.y.3)),
            ],
            agreeingLines: Int(symbol.lines), isGS1: Self.gs1Identifiers.contains(identifier),
            isBroken: symbol.is_broken)
    }

    /// AIM identifiers of symbols with GS1 element strings: Code 128, DataBar, QR, Data Matrix (ISO/IEC 15424).
    private static let gs1Identifiers: Set = ["]C1", "]e0", "]Q3", "]Q4", "]d2"]
}

extension Symbology {
    /// Nil for a partial symbol. ZXing distinguishes variants of Code 39, which are one symbology here.
    fileprivate init?(zxing name: String) {
        switch name {
        case "EAN-13": self = .ean13
        case "EAN-8": self = .ean8
        case "UPC-A": self = .upcA
        case "UPC-E": self = .upcE
        case "ISBN": self = .isbn13
        case "ITF", "ITF-14": self = .itf
        case "Codabar": self = .codabar
        case "Code 93": self = .code93
        case "Code 128": self = .code128
        case "DataBar Limited": self = .dataBarLimited
        case "DataBar", "DataBar Omni", "DataBar Stacked", "DataBar Stacked Omni": self = .dataBar
        case "DataBar Expanded", "DataBar Expanded Stacked": self = .dataBarExpanded
        case "QR Code", "QR Code Model 1", "QR Code Model 2": self = .qrCode
        case "Micro QR Code": self = .microQRCode
        case "rMQR Code": self = .rectangularMicroQRCode
        case "Data Matrix", "DataMatrix": self = .dataMatrix
        case "Code 39", "Code 39 Standard", "Code 39 Extended", "Code 32", "Pharmazentralnummer": self = .code39
        default: return nil
        }
    }
}
