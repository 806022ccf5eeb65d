internal import CZBar
import Core

/// ZBar's image scanner: owns the C handle for one scan, which is one whole transaction; nothing borrowed leaves it.
struct ZBarScanner: ~Copyable {
    private let handle: OpaquePointer

    /// ZBar's defaults, which are `zbarimg`'s: every symbology it was built with, where UPC-A, UPC-E and ISBN come as EAN-13.
    /// The two or five digits beside such a code stay off: with them on, ZBar reads fewer codes. Nil where memory ran out.
    private init?(_ lines: Lines = .both) {
        zbar_set_verbosity(0)
        guard let handle = zbar_image_scanner_create() else { return nil }
        self.handle = handle
        // ZBar names the density of columns after x, that of rows after y.
        if lines == .rows { zbar_image_scanner_set_config(handle, ZBAR_NONE, ZBAR_CFG_X_DENSITY, 0) }
        if lines == .columns { zbar_image_scanner_set_config(handle, ZBAR_NONE, ZBAR_CFG_Y_DENSITY, 0) }
    }

    /// Which way scan lines run. Matrix codes want both.
    enum Lines { case both, rows, columns }

    deinit { zbar_image_scanner_destroy(handle) }

    /// Every symbol in the plane, with points in its pixels; none where memory ran out.
    static func scan(_ plane: GrayPlane, _ lines: Lines = .both) -> [ScannedSymbol] {
        ZBarScanner(lines)?.symbols(in: plane) ?? []
    }

    /// The two or five digits beside a retail code in the plane; nil where there are none, or several.
    static func addOn(in plane: GrayPlane) -> String? {
        guard let scanner = ZBarScanner() else { return nil }
        for kind in [ZBAR_EAN2, ZBAR_EAN5] { zbar_image_scanner_set_config(scanner.handle, kind, ZBAR_CFG_ENABLE, 1) }
        let found = scanner.results(in: plane) { symbol -> String? in
            guard [ZBAR_EAN2, ZBAR_EAN5].contains(zbar_symbol_get_type(symbol)),
                zbar_symbol_get_quality(symbol) >= addOnLines, let data = zbar_symbol_get_data(symbol)
            else { return nil }
            return String(cString: data)
        }
        return Set(found).count == 1 ? found.first : nil
    }

    /// Scan lines that must agree on an add-on: two digits check each other one time in four.
    private static let addOnLines: Int32 = 4

    private func symbols(in plane: GrayPlane) -> [ScannedSymbol] { results(in: plane, Self.scanned) }

    private func results<Result>(in plane: GrayPlane, _ result: (OpaquePointer) -> Result?) -> [Result] {
        guard let image = zbar_image_create() else { return [] }
        defer { zbar_image_destroy(image) }
        return plane.bytes.withUnsafeBytes { bytes in
            zbar_image_set_format(image, zbar_fourcc_parse("Y800"))
            zbar_image_set_size(image, UInt32(plane.width), UInt32(plane.height))
            zbar_image_set_data(image, bytes.baseAddress, UInt(bytes.count), nil)
            guard zbar_scan_image(handle, image) > 0 else { return [] }
            return Self.results(from: zbar_image_first_symbol(image), result)
        }
    }

    private static func results<Result>(
        from first: OpaquePointer?, _ result: (OpaquePointer) -> Result?
    ) -> [Result] {
        sequence(first: first) { $0.flatMap(zbar_symbol_next) }
            .prefix { $0 != nil }.compactMap { $0 }.compactMap(result)
    }

    /// Nil for what is no whole symbol.
    private static func scanned(_ symbol: OpaquePointer) -> ScannedSymbol? {
        guard let symbology = Symbology(zbar_symbol_get_type(symbol)), let data = zbar_symbol_get_data(symbol) else {
            return nil
        }
        let bytes = UnsafeRawBufferPointer(start: data, count: Int(zbar_symbol_get_data_length(symbol)))
        let points = (0..<zbar_symbol_get_loc_size(symbol)).map {
            Point(Double(zbar_symbol_get_loc_x(symbol, $0)), Double(zbar_symbol_get_loc_y(symbol, $0)))
        }
        return ScannedSymbol(
            symbology: symbology, text: String(decoding: bytes, as: UTF8.self), points: points,
            agreeingLines: Int(zbar_symbol_get_quality(symbol)))
    }
}

extension ZBarScanner {
    /// The library's version, as outcomes carry it.
    static var version: String {
        var (major, minor, patch) = (UInt32(0), UInt32(0), UInt32(0))
        zbar_version(&major, &minor, &patch)
        return "zbar \(major).\(minor).\(patch)"
    }
}
