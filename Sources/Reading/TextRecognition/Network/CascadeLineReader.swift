import Core

/// Reads a line with the fast network, and again with the accurate one if the fast one is uncertain.
final class CascadeLineReader {
    /// Below this mean probability the accurate network reads the line again.
    static let rereadThreshold = 0.95
    /// The accurate network also reads again if an alternative character has at least this probability.
    ///
    /// Missing points, brackets and blanks show in nothing else.
    static let alternativeProbability: Float = 0.05

    private let fast: NetworkLineReader?
    private let exact: NetworkLineReader
    private let decoder = LineDecoder()

    init(_ files: TextModels) throws {
        func reader(_ reader: TextModels.ReaderFiles) throws -> NetworkLineReader {
            NetworkLineReader(
                network: try NeuralNetwork(file: reader.network, library: files.library),
                alphabet: try CharacterSetTable(file: reader.characters))
        }
        fast = try files.fastReader.map(reader)
        exact = try reader(files.exactReader)
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

    private func pageLine(_ line: DetectedLine, _ lattice: CharacterLattice) -> PageLine {
        PageLine(shape: line.shape, lattice: lattice, letters: decoder.letters(of: lattice), score: line.score)
    }
}
