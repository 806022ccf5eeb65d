import Foundation
import Core

/// Names the script of lines that could not be read, so that a person learns why.
///
/// There are two sources of evidence. The unpruned recogniser of PP-OCR, where it is installed, knows Chinese, Japanese and Greek
/// letters. Tesseract's script detection knows the others. It needs several lines at once, so the lines are stacked in
/// one image.
final class ScriptDetector {
    /// Shape of the stacked image and limits of the evidence, measured on rendered pages of each script.
    private enum Parameters {
        /// Lines that are examined, at most.
        static let maxLines = 8
        /// Lines that the unpruned recogniser reads, at most.
        static let maxReadLines = 3
        /// Total length of the lines in line heights, at least. Shorter scraps are logos and rims.
        static let minLength = 10.0
        /// Tesseract's script confidence, at least.
        static let minConfidence = 0.3
        /// Mean probability of a letter of the unpruned recogniser, at least.
        static let minLetter: Float = 0.6
        /// Height of a stacked line, and the margin around it, in pixels.
        static let lineHeight = 56
        static let margin = 16
    }

    private let models: TextModels
    private let tessdata: Tessdata?
    private var reader: NetworkLineReader?
    private var engine: TesseractEngine?

    init(models: TextModels, languages: [String]) {
        self.models = models
        tessdata = try? Tessdata(languages: languages, environment: ProcessInfo.processInfo.environment)
    }

    /// The script of the lines; nil if they are Latin, too short, or of no known script.
    func script(of shapes: [LineShape], on page: Raster) throws -> PrintScript? {
        let longest = shapes.sorted { $0.span / max(1, $0.thickness) > $1.span / max(1, $1.thickness) }
            .prefix(Parameters.maxLines)
        let length = longest.reduce(0) { $0 + $1.span / max(1, $1.thickness) }
        guard length >= Parameters.minLength else { return nil }
        return try readScript(of: Array(longest.prefix(Parameters.maxReadLines)), on: page)
            ?? detectedScript(of: Array(longest), on: page)
    }

    // MARK: The unpruned recogniser

    private func readScript(of shapes: [LineShape], on page: Raster) throws -> PrintScript? {
        guard let files = models.fullReader else { return nil }
        let reader =
            try self.reader
            ?? NetworkLineReader(
                network: NeuralNetwork(file: files.network, library: models.library),
                alphabet: CharacterSetTable(file: files.characters, allScripts: true))
        self.reader = reader
        var counts: [PrintScript: Int] = [:]
        var letters = 0
        for shape in shapes {
            let lattice = try reader.read(LineRectifier.image(of: shape, on: page))
            for letter in LineDecoder().letters(of: lattice)
            where letter.character.isLetter && letter.probability >= Parameters.minLetter {
                letters += 1
                if let script = Self.script(of: letter.character) { counts[script, default: 0] += 1 }
            }
        }
        // Japanese print mixes kana with the characters of Chinese.
        if counts[.japanese, default: 0] > 0 {
            counts[.japanese, default: 0] += counts.removeValue(forKey: .chinese) ?? 0
        }
        guard letters >= 6, let (script, count) = counts.max(by: { $0.value < $1.value }), count * 2 >= letters else {
            return nil
        }
        return script
    }

    private static func script(of letter: Character) -> PrintScript? {
        guard let scalar = letter.unicodeScalars.first else { return nil }
        return switch scalar.value {
        case 0x370...0x3FF, 0x1F00...0x1FFF: .greek
        case 0x3040...0x30FF: .japanese
        case 0x3400...0x4DBF, 0x4E00...0x9FFF: .chinese
        default: nil
        }
    }

    // MARK: Tesseract

    private func detectedScript(of shapes: [LineShape], on page: Raster) throws -> PrintScript? {
        guard let tessdata, tessdata.hasOrientation else { return nil }
        let engine =
            try self.engine ?? TesseractEngine(folder: tessdata.folder, language: "osd", orientationOnly: true)
        self.engine = engine
        let images = try shapes.map { try LineRectifier.image(of: $0, on: page, height: Parameters.lineHeight) }
        guard let stack = Self.stacked(images), let found = engine.script(on: stack),
            found.confidence >= Parameters.minConfidence
        else { return nil }
        return Self.names[found.name]
    }

    /// Tesseract's names of the scripts.
    private static let names: [String: PrintScript] = [
        "Arabic": .arabic, "Han": .chinese, "Cyrillic": .cyrillic, "Devanagari": .devanagari, "Greek": .greek,
        "Hebrew": .hebrew, "Japanese": .japanese, "Hiragana": .japanese, "Katakana": .japanese, "Korean": .korean,
        "Hangul": .korean, "Thai": .thai,
    ]

    /// The lines below one another in grey, each on its own background.
    private static func stacked(_ images: [Raster]) -> Raster? {
        let margin = Parameters.margin
        let width = (images.map(\.width).max() ?? 0) + 2 * margin
        var bytes: [UInt8] = []
        for image in images {
            let channels = image.format.rawValue
            var gray = [UInt8](repeating: 0, count: image.width * image.height)
            for pixel in gray.indices {
                var sum = 0
                for channel in 0..<channels { sum += Int(image.bytes[pixel * channels + channel]) }
                gray[pixel] = UInt8(sum / channels)
            }
            let background = gray.quantile(0.75) ?? 0
            let blank = [UInt8](repeating: background, count: width * margin)
            bytes += blank
            for row in 0..<image.height {
                bytes += [UInt8](repeating: background, count: margin)
                bytes += gray[(row * image.width)..<((row + 1) * image.width)]
                bytes += [UInt8](repeating: background, count: width - margin - image.width)
            }
            bytes += blank
        }
        return Raster(width: width, height: bytes.count / max(1, width), format: .gray8, bytes: bytes)
    }
}
