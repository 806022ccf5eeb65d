internal import CZBar
import Core

/// ZBar's image scanner. It owns the C handle for one complete scan; no borrowed pointer leaves it.
struct ZBarScanner: ~Copyable {
    private let handle: OpaquePointer

    /// Configures ZBar's defaults, as `zbarimg` does: every built-in symbology, with UPC-A, UPC-E and ISBN reported
    /// as EAN-13.
    ///
    /// Add-ons stay disabled, because ZBar reads fewer codes with them. Nil if memory runs out.
    private init?(_ lines: Lines = .both, _ kinds: Kinds = .all) {
        zbar_set_verbosity(0)
        guard let handle = zbar_image_scanner_create() else { return nil }
        self.handle = handle
        // ZBar calls the density of columns x and the density of rows y.
        if lines == .rows { zbar_image_scanner_set_config(handle, ZBAR_NONE, ZBAR_CFG_X_DENSITY, 0) }
        if lines == .columns { zbar_image_scanner_set_config(handle, ZBAR_NONE, ZBAR_CFG_Y_DENSITY, 0) }
        guard kinds == .retail else { return }
        zbar_image_scanner_set_config(handle, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        for kind in [ZBAR_EAN13, ZBAR_EAN8] { zbar_image_scanner_set_config(handle, kind, ZBAR_CFG_ENABLE, 1) }
    }

    /// Direction of the scan lines. Matrix codes need both.
    enum Lines { case both, rows, columns }
    /// What is looked for; `retail` takes half the time.
    enum Kinds { case all, retail }

    deinit { zbar_image_scanner_destroy(handle) }

    /// Every symbol in the plane, with points in its pixels. Empty if memory runs out.
    static func scan(_ plane: GrayPlane, _ lines: Lines = .both, _ kinds: Kinds = .all) -> [ScannedSymbol] {
        ZBarScanner(lines, kinds)?.symbols(in: plane) ?? []
    }

    /// The two or five add-on digits of a retail code in the plane. Nil if there are none, or several.
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

    /// Scan lines that must agree on an add-on. Two digits pass their check by chance one time in four.
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

    /// Nil for a partial symbol.
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
    /// The library's version, as outcomes report it.
    static var version: String {
        var (major, minor, patch) = (UInt32(0), UInt32(0), UInt32(0))
        zbar_version(&major, &minor, &patch)
        return "zbar \(major).\(minor).\(patch)"
    }
}
