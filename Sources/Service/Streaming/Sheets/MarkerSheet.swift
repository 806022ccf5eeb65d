import Foundation
import Core

/// A set's board with its markers as a PDF page at true scale.
package struct MarkerSheet: Sendable {
    private let title: String
    private let markers: BoardMarkers

    /// PDF points per millimetre.
    private static let point = 72 / 25.4
    /// Paper around the board for the printer's margins and the ruler, in millimetres.
    private static let margin = 15.0

    /// - Throws: ``StartupError`` (64) if the set's board has no markers.
    package init(set: String, models: ModelFolder) throws {
        let pieceSet = try PieceSet.named(set, in: models)
        guard let markers = pieceSet.board?.markers else {
            throw StartupError(.usage, "the board of \(set) has no markers: name a set with a marker board")
        }
        (title, self.markers) = (pieceSet.title, markers)
    }

    /// Page size in millimetres: A3 landscape for a board of 320 × 220, larger if the board needs it.
    package var paper: (width: Double, height: Double) {
        let sizes = [(297.0, 210.0), (420, 297), (594, 420), (841, 594), (1189, 841)]
        let fits = sizes.first {
            $0.0 >= markers.widthMM + 2 * Self.margin && $0.1 >= markers.heightMM + 2 * Self.margin
        }
        return fits ?? (markers.widthMM + 2 * Self.margin, markers.heightMM + 2 * Self.margin)
    }

    /// The PDF file.
    package var pdf: Data {
        let content = drawing
        let (width, height) = paper
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(number(width)) \(number(height))] /Contents 4 0 R "
                + "/Resources << /Font << /F 5 0 R >> >> >>",
            "<< /Length \(content.utf8.count) >>\nstream\n\(content)endstream",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        ]
        var text = "%PDF-1.4\n"
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let table = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for offset in offsets {
            let digits = String(offset)
            text += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
        }
        text += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(table)\n%%EOF\n"
        return Data(text.utf8)
    }

    /// The board in the middle of the page with a hairline border, the markers, and a ruler of 100 mm to check the
    /// print.
    private var drawing: String {
        let (width, height) = paper
        let (left, top) = ((width - markers.widthMM) / 2, (height - markers.heightMM) / 2)
        func box(_ x: Double, _ y: Double, _ w: Double, _ h: Double) -> String {
            // PDF's y axis points up from the bottom of the page.
            "\(number(left + x)) \(number(height - top - y - h)) \(number(w)) \(number(h)) re"
        }
        var lines = ["0.2 w 0.7 G", box(0, 0, markers.widthMM, markers.heightMM) + " S"]
        let cell = markers.side / 6
        for marker in markers.markers {
            lines.append("0 g " + box(marker.at.x, marker.at.y, markers.side, markers.side) + " f")
            for index in 0..<16 where marker.word >> UInt16(15 - index) & 1 == 1 {
                let (x, y) = (marker.at.x + Double(index % 4 + 1) * cell, marker.at.y + Double(index / 4 + 1) * cell)
                lines.append("1 g " + box(x, y, cell, cell) + " f")
            }
        }
        let foot = markers.heightMM + 4
        lines.append("0 g " + box(markers.widthMM - 100, foot, 100, 0.4) + " f")
        let latin = title.map { $0.isASCII && !"()\\".contains($0) ? String($0) : " " }.joined()
        lines.append(
            "BT /F 9 Tf \(number(left)) \(number(height - top - foot - 2)) Td (\(latin): print at 100 %; the line measures 100 mm) Tj ET"
        )
        return lines.joined(separator: "\n") + "\n"
    }

    /// Millimetres in PDF points.
    private func number(_ millimetres: Double) -> String { String((millimetres * Self.point).rounded(toPlaces: 3)) }
}
