internal import CQREncode

/// A QR code of a text, as modules, SVG and terminal text.
package struct QRCode: Sendable {
    /// Modules a side, without the quiet zone.
    package let side: Int
    /// Row by row, true is dark.
    package let modules: [Bool]

    /// Modules of empty space around a code that the standard asks for.
    private static let quiet = 4

    /// - Parameter text: At most 1,000 bytes.
    /// - Returns: nil if the text does not fit into a code.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.count <= 1000,
            // Level M: 15 % of a code may be covered, enough for a screen.
            let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
        else { return nil }
        defer { QRcode_free(code) }
        guard let data = code.pointee.data else { return nil }
        let count = Int(code.pointee.width)
        side = count
        modules = UnsafeBufferPointer(start: data, count: count * count).map { $0 & 1 == 1 }
    }

    /// False outside the code.
    private func isDark(_ x: Int, _ y: Int) -> Bool {
        x >= 0 && y >= 0 && x < side && y < side && modules[y * side + x]
    }

    /// The path of all dark modules, one unit each, and the view box with the quiet zone.
    package var path: (data: String, viewBox: String) {
        var data = ""
        for y in 0..<side {
            var x = 0
            while x < side {
                guard isDark(x, y) else {
                    x += 1
                    continue
                }
                let start = x
                while isDark(x, y) { x += 1 }
                data += "M\(start) \(y)h\(x - start)v1H\(start)z"
            }
        }
        let size = side + 2 * Self.quiet
        return (data, "\(-Self.quiet) \(-Self.quiet) \(size) \(size)")
    }

    /// An SVG file, black on white.
    package var svg: String {
        let (data, viewBox) = path
        let size = side + 2 * Self.quiet
        let box = "x=\"\(-Self.quiet)\" y=\"\(-Self.quiet)\" width=\"\(size)\" height=\"\(size)\""
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"\(viewBox)\" shape-rendering=\"crispEdges\">"
            + "<rect \(box) fill=\"#fff\"/><path d=\"\(data)\" fill=\"#000\"/></svg>\n"
    }

    /// Lines for a terminal, two modules a character. With colours the code is black on white on every terminal; without
    /// it is drawn for light text on a dark ground.
    package func lines(colours: Bool) -> [String] {
        let quiet = 2
        return stride(from: -quiet, to: side + quiet, by: 2).map { y in
            let text = (-quiet..<side + quiet).map { x in
                switch (isDark(x, y), isDark(x, y + 1)) {
                case (true, true): colours ? "█" : " "
                case (true, false): colours ? "▀" : "▄"
                case (false, true): colours ? "▄" : "▀"
                case (false, false): colours ? " " : "█"
                }
            }.joined()
            return colours ? "\u{1B}[30;107m\(text)\u{1B}[0m" : text
        }
    }
}
