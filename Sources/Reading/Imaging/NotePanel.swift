import Core

/// The list of notes beside a photo: wrapped lines in up to three columns.
struct NotePanel {
    /// One note with its lines.
    struct Entry {
        var note: OverlayDrawing.Note
        var lines: [String]
        /// Left edge and top, pixels of the panel.
        var x, y: Int
    }

    let entries: [Entry]
    let width, height: Int
    /// Size of the letters for OpenCV's font, whose capitals are 21 pixels high at scale 1.
    let scale: Double
    let lineHeight, ascent: Int
    /// Space for the number before a note.
    let indent: Int
    let padding: Int

    private static let (mostNotes, mostLines, mostColumns) = (200, 3, 3)

    /// - Parameters:
    ///   - photo: width and height of the photo, pixels.
    init(_ notes: [OverlayDrawing.Note], beside photo: (width: Int, height: Int)) {
        let longer = Double(max(photo.width, photo.height))
        scale = min(0.8, max(0.42, longer / 2200))
        let size = OverlayCanvas.size(of: "Ag", scale: scale, thickness: 1)
        ascent = size.ascent
        lineHeight = Int((Double(size.ascent + size.descent) * 1.3).rounded())
        indent = Int(Double(lineHeight) * 2)
        padding = lineHeight
        let column = Int(min(620, max(200, longer * 0.38)))
        // A tiny picture gets no panel: nobody could read it.
        guard !notes.isEmpty, photo.width >= 100, photo.height >= 60 else {
            (entries, width, height) = ([], 0, 0)
            return
        }
        var shown = Array(notes.prefix(Self.mostNotes))
        if notes.count > shown.count {
            shown.append(.init(text: "... and \(notes.count - shown.count) more", meaning: .plain))
        }
        let room = column - indent - padding
        var texts: [[String]] = []
        for note in shown { texts.append(Self.wrapped(CaptionText.ascii(note.text), to: room, scale)) }
        let line = lineHeight
        let heights = texts.map { $0.count * line + line / 2 }
        let total = heights.reduce(0, +)
        let columns = min(Self.mostColumns, max(1, (total + 2 * padding) / max(1, photo.height) + 1))
        let limit = max(photo.height - 2 * padding, total / columns + (heights.max() ?? 0))
        var (x, y, lowest) = (padding, padding, padding)
        var entries: [Entry] = []
        for (index, note) in shown.enumerated() {
            if y > padding, y + heights[index] > padding + limit { (x, y) = (x + column, padding) }
            entries.append(Entry(note: note, lines: texts[index], x: x, y: y))
            y += heights[index]
            lowest = max(lowest, y)
        }
        self.entries = entries
        width = (x - padding) + column + padding
        height = lowest + padding
    }

    /// The text in lines of at most `width` pixels; the last one ends with dots if there is more.
    private static func wrapped(_ text: String, to width: Int, _ scale: Double) -> [String] {
        func fits(_ text: String) -> Bool {
            OverlayCanvas.size(of: text, scale: scale, thickness: 1).width <= width
        }
        var lines: [String] = []
        var line = ""
        // More words than this never fit in three lines.
        for word in text.prefix(600).split(separator: " ") {
            let longer = line.isEmpty ? String(word) : line + " " + word
            if fits(longer) {
                line = longer
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = String(word)
            if lines.count == mostLines { break }
        }
        if !line.isEmpty { lines.append(line) }
        let isCut = lines.count > mostLines
        return lines.prefix(mostLines).enumerated().map { index, line in
            var line = line
            let isLast = isCut && index == mostLines - 1
            while !line.isEmpty, !fits(isLast ? line + "..." : line) { line.removeLast() }
            return isLast ? line + "..." : line
        }
    }
}
