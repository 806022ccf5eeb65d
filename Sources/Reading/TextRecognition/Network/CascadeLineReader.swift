import Core

/// Reads a line with the fast network, and again with the accurate one if the fast one is uncertain.
final class CascadeLineReader {
    /// Below this mean probability the accurate network reads the line again.
    static let rereadThreshold = 0.95
    /// The accurate network also reads again if an alternative character has at least this probability.
    ///
    /// Missing points, brackets and blanks show in nothing else.
    static let alternativeProbability: Float = 0.05
    /// Below this mean probability a line is looked at again with wider letters.
    static let secondLookThreshold = 0.85
    /// Letters of the second look are wider than printed by this factor: the networks join condensed letters.
    private static let stretch = 1.6
    /// By so much the mean probability of the second look must be higher.
    private static let secondLookGain = 0.05

    /// A small word that is read alone replaces its reading in the line from this mean probability on, and if it gains so
    /// much.
    private static let smallPrintThreshold = 0.9
    private static let smallPrintGain = 0.06

    private let fast: NetworkLineReader?
    private let exact: NetworkLineReader
    private let dates: NetworkLineReader
    private let decoder = LineDecoder()

    init(_ files: TextModels, dates: DateReaderFile) throws {
        func reader(_ reader: TextModels.ReaderFiles) throws -> NetworkLineReader {
            NetworkLineReader(
                network: try NeuralNetwork(file: reader.network, library: files.library),
                alphabet: try CharacterSetTable(file: reader.characters))
        }
        fast = try files.fastReader.map(reader)
        exact = try reader(files.exactReader)
        self.dates = NetworkLineReader(
            network: try NeuralNetwork(file: files.dateReader, library: files.library),
            alphabet: CharacterSetTable(Array(dates.letters)))
    }

    /// The line, decoded without knowledge of its language.
    func line(_ line: DetectedLine, on page: Raster) throws -> PageLine {
        let lineImage = try LineRectifier.image(of: line.shape, on: page)
        if let fast {
            let read = try pageLine(line, fast.read(lineImage))
            if read.confidence >= Self.rereadThreshold, !read.hasAlternative(ofProbability: Self.alternativeProbability)
            {
                return read
            }
        }
        return try pageLine(line, exact.read(lineImage))
    }

    /// The line as the accurate network reads its blurred image.
    ///
    /// - Parameter blur: Standard deviation in pixels of the line image; 0 for none.
    func line(_ line: DetectedLine, on page: Raster, blur: Double) throws -> PageLine {
        let lineImage = try LineRectifier.image(of: line.shape, on: page)
        return try pageLine(line, exact.read(blur > 0 ? lineImage.smoothed(deviation: blur) : lineImage))
    }

    /// The line as the reader of dotted dates reads it: in capital letters.
    func dateLine(_ line: DetectedLine, on page: Raster, blur: Double = 0) throws -> PageLine {
        let lineImage = try LineRectifier.image(of: line.shape, on: page)
        return try pageLine(line, dates.read(blur > 0 ? lineImage.smoothed(deviation: blur) : lineImage))
    }

    /// A doubtful line as the accurate network reads it with wider letters, if that is clearly more probable and loses no
    /// letter: condensed letters that were joined become more.
    func secondLook(at line: PageLine, on page: Raster) throws -> PageLine {
        guard line.confidence < Self.secondLookThreshold, line.letterCount > 1 else { return line }
        let wide = try LineRectifier.image(of: line.shape, on: page, stretch: Self.stretch)
        let second = try pageLine(DetectedLine(shape: line.shape, score: line.score), exact.read(wide))
        let isClearer = second.confidence > line.confidence + Self.secondLookGain
        return isClearer && second.letterCount >= line.letterCount ? second : line
    }

    /// The line with its small words as the accurate network reads each of them alone, where that is much more probable.
    func readingSmallPrint(of line: PageLine, on page: Raster) throws -> PageLine {
        var result = line
        // From the end, so that the letters before keep their numbers.
        for word in try SmallPrint.words(of: line, on: page).reversed() {
            let image = try LineRectifier.image(of: word.shape, on: page, stretch: Self.stretch)
            var second = try pageLine(DetectedLine(shape: word.shape, score: line.score), exact.read(image))
            second.letters = Array(
                second.letters.drop { $0.character == " " }.reversed().drop { $0.character == " " }.reversed())
            let first = line.letters[word.letters]
            guard second.confidence >= Self.smallPrintThreshold,
                second.confidence > Array(first).meanProbability + Self.smallPrintGain,
                SmallPrint.isPlausible(second.letters, for: first)
            else { continue }
            result.replace(word.letters, by: second)
        }
        return result
    }

    private func pageLine(_ line: DetectedLine, _ lattice: CharacterLattice) -> PageLine {
        PageLine(shape: line.shape, lattice: lattice, letters: decoder.letters(of: lattice), score: line.score)
    }
}
