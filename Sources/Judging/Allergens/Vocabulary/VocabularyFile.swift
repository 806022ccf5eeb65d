import Core
import Foundation

/// The compiled vocabulary as a file, `models/vocabulary/vocabulary.bin`: tables that are copied, not parsed.
///
/// Little-endian. A header of `header` bytes: the magic number, the digest of the sources, and for each section its
/// offset from the start of the file and its length in bytes, all 64 bits wide. The first section is the lexicons as JSON;
/// the others are the arrays of `Vocabulary` and `PhraseTrie` in the order of `encoded`.
enum VocabularyFile {
    static let path = "vocabulary/vocabulary.bin"
    /// "TSVOCAB" and the version of the format.
    private static let magic: UInt64 = 0x01_42_41_43_4F_56_53_54
    private static let sections = 15
    private static let header = 16 + 16 * sections

    // MARK: Writing

    /// - Parameter sources: the digest of the lists that the vocabulary is compiled from.
    static func encoded(_ vocabulary: Vocabulary, sources: UInt64) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let trie = vocabulary.trie.tables
        let tables: [[UInt8]] = [
            Array(try encoder.encode(vocabulary.lexicons)),
            trie.wordBytes, bytes(trie.wordStarts), bytes(trie.wordTable), bytes(trie.wordLexicons),
            bytes(trie.first), bytes(trie.childKeys), bytes(trie.childNodes),
            bytes(trie.lexemeStarts), bytes(trie.allLexemes.map(packed)),
            bytes(vocabulary.accented), bytes(vocabulary.plain), bytes(vocabulary.allergens),
            bytes(vocabulary.baseStarts),
            bytes(vocabulary.allBases.map { UInt64($0.lexicon) << 32 | UInt64(UInt32($0.id)) }),
        ]
        var file = bytes([magic, sources])
        var offset = header
        for table in tables {
            file += bytes([UInt64(offset), UInt64(table.count)])
            offset += (table.count + 7) & ~7
        }
        for table in tables { file += table + [UInt8](repeating: 0, count: (8 - table.count & 7) & 7) }
        return file
    }

    private static func bytes(_ values: [some FixedWidthInteger]) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: value.littleEndian, Array.init) }
    }

    private static func packed(_ lexeme: Lexeme) -> UInt64 {
        UInt64(lexeme.lexicon) << 40 | UInt64(lexeme.role.rawValue) << 32 | UInt64(UInt32(lexeme.index))
    }

    // MARK: Reading

    /// - Throws: `StartupError` 69 if the file cannot be read, 78 if a table does not hold what the others refer to.
    static func load(from models: ModelFolder) throws -> (vocabulary: Vocabulary, sources: UInt64) {
        let file = models.url.appending(path: path)
        guard let data = try? Data(contentsOf: file, options: .alwaysMapped) else {
            throw StartupError(.unavailable, "cannot read \(file.path): restore it from the repository")
        }
        do { return try data.withUnsafeBytes { try Reader(bytes: $0).read() } } catch let problem as DataFileProblem {
            throw StartupError(
                .configuration,
                "\(file.path), \(problem.key): \(problem.detail); restore it or run scripts/compile-vocabulary")
        }
    }

    private struct Reader {
        let bytes: UnsafeRawBufferPointer

        private func number(at offset: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }

        private func section(_ number: Int) throws(DataFileProblem) -> UnsafeRawBufferPointer {
            let place = 16 + 16 * number
            let (offset, count) = (self.number(at: place), self.number(at: place + 8))
            guard offset >= UInt64(header), offset <= UInt64(bytes.count), count <= UInt64(bytes.count) - offset else {
                throw DataFileProblem("section \(number)", "its place is outside the file")
            }
            return UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset + count)])
        }

        private func array<Value: FixedWidthInteger>(_ number: Int) throws(DataFileProblem) -> [Value] {
            let section = try section(number)
            let width = MemoryLayout<Value>.size
            guard section.count % width == 0 else { throw DataFileProblem("section \(number)", "cut off") }
            let count = section.count / width
            return [Value](unsafeUninitializedCapacity: count) { buffer, filled in
                UnsafeMutableRawBufferPointer(buffer).copyMemory(from: section)
                filled = count
            }
        }

        func read() throws -> (vocabulary: Vocabulary, sources: UInt64) {
            guard bytes.count >= header, number(at: 0) == magic else {
                throw DataFileProblem("header", "no vocabulary of this version")
            }
            let lexicons: [AllergenLexicon]
            do { lexicons = try JSONDecoder().decode([AllergenLexicon].self, from: Data(try section(0))) } catch {
                throw DataFileProblem("section 0", "no lexicons")
            }
            var trie = PhraseTrie.Tables()
            trie.wordBytes = try array(1)
            trie.wordStarts = try array(2)
            trie.wordTable = try array(3)
            trie.wordLexicons = try array(4)
            trie.first = try array(5)
            trie.childKeys = try array(6)
            trie.childNodes = try array(7)
            trie.lexemeStarts = try array(8)
            trie.allLexemes = try lexemes(try array(9), lexicons)
            let bases = (try array(14) as [UInt64]).map {
                WordBase(lexicon: UInt8(truncatingIfNeeded: $0 >> 32), id: Int32(truncatingIfNeeded: $0))
            }
            // Checked before anything is looked up in them.
            let extra = Extra(
                accented: try array(10), plain: try array(11), allergens: try array(12), baseStarts: try array(13),
                allBases: bases)
            try check(trie, extra, lexicons: lexicons.count)
            let vocabulary = Vocabulary(
                lexicons: lexicons, trie: PhraseTrie(trie), accented: extra.accented, plain: extra.plain,
                allergens: extra.allergens, baseStarts: extra.baseStarts, allBases: bases)
            return (vocabulary, number(at: 8))
        }

        /// The tables beside the trie.
        private struct Extra {
            var accented, plain: [UInt32]
            var allergens: [UInt64]
            var baseStarts: [UInt32]
            var allBases: [WordBase]
        }

        private func lexemes(_ packed: [UInt64], _ lexicons: [AllergenLexicon]) throws(DataFileProblem) -> [Lexeme] {
            var lexemes: [Lexeme] = []
            lexemes.reserveCapacity(packed.count)
            for value in packed {
                let lexicon = Int(value >> 40)
                guard lexicon < lexicons.count,
                    let role = Lexeme.Role(rawValue: UInt8(truncatingIfNeeded: value >> 32)),
                    case let index = Int32(truncatingIfNeeded: value),
                    (0..<Self.count(of: role, in: lexicons[lexicon])).contains(Int(index))
                else { throw DataFileProblem("section 9", "a meaning that no lexicon has") }
                lexemes.append(Lexeme(lexicon: UInt8(lexicon), role: role, index: index))
            }
            return lexemes
        }

        /// Number of places that lexemes of a role may refer to; those of the others refer to nothing.
        private static func count(of role: Lexeme.Role, in lexicon: AllergenLexicon) -> Int {
            switch role {
            case .entry: lexicon.entries.count
            case .trap: lexicon.traps.count
            case .precaution: lexicon.precaution.count
            case .negation: lexicon.negationBefore.count
            default: Int(Int32.max)
            }
        }

        /// Every index of a table must be inside the table that it refers to, so that no look-up can leave an array.
        private func check(
            _ trie: PhraseTrie.Tables, _ vocabulary: Extra, lexicons: Int
        ) throws(DataFileProblem) {
            let words = trie.wordLexicons.count
            let nodes = trie.lexemeStarts.count - 1
            func check(_ condition: Bool, _ key: String) throws(DataFileProblem) {
                guard condition else { throw DataFileProblem(key, "refers to what the file does not have") }
            }
            func isStarts(_ starts: [UInt32], _ count: Int, of total: Int) -> Bool {
                starts.count == count + 1 && starts.first == 0 && starts.last.map(Int.init) == total
                    && zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }
            }
            func isTable(_ count: Int, _ used: Int) -> Bool { count > 0 && count & (count - 1) == 0 && used < count }
            try check(words < Int(Int32.max) && isStarts(trie.wordStarts, words, of: trie.wordBytes.count), "words")
            try check(
                isTable(trie.wordTable.count, trie.wordTable.count { $0 != 0 })
                    && trie.wordTable.allSatisfy { $0 <= words }, "table of words")
            try check(nodes > 0 && isStarts(trie.lexemeStarts, nodes, of: trie.allLexemes.count), "meanings")
            try check(
                trie.first.count == words && trie.first.allSatisfy { (0..<nodes).contains(Int($0)) }, "first words")
            try check(
                isTable(trie.childKeys.count, trie.childKeys.count { $0 != 0 })
                    && trie.childNodes.count == trie.childKeys.count
                    && trie.childNodes.allSatisfy { (0..<nodes).contains(Int($0)) }, "phrases")
            try check(vocabulary.accented.count == words && vocabulary.plain.count == words, "accents")
            try check(vocabulary.allergens.count == words, "allergens")
            try check(isStarts(vocabulary.baseStarts, words, of: vocabulary.allBases.count), "bases")
            try check(
                vocabulary.allBases.allSatisfy {
                    Int($0.lexicon) < lexicons && (0..<words).contains(Int($0.id))
                }, "bases")
        }
    }
}
