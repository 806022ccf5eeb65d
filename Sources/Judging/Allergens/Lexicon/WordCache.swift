import Synchronization

/// Cache for the analyses of words that are not lexicon entries. Labels repeat words, so each is analysed once.
final class WordCache: Sendable {
    /// The cache is cleared at this number of words, about 30 MB.
    private static let maximumWords = 60_000
    private struct Table {
        var analyses: [String: WordAnalysis] = [:]
        var corrections: [Key: WordCorrection] = [:]
    }
    private struct Key: Hashable {
        var word: String
        var lexicons: UInt32
    }
    private let table = Mutex(Table())

    func analysis(of word: String, make: (String) -> WordAnalysis) -> WordAnalysis {
        if let known = table.withLock({ $0.analyses[word] }) { return known }
        let new = make(word)
        table.withLock { table in
            if table.analyses.count >= Self.maximumWords { table.analyses.removeAll(keepingCapacity: true) }
            table.analyses[word] = new
        }
        return new
    }

    func correction(of word: String, in lexicons: UInt32, make: (String, UInt32) -> WordCorrection) -> WordCorrection {
        let key = Key(word: word, lexicons: lexicons)
        if let known = table.withLock({ $0.corrections[key] }) { return known }
        let new = make(word, lexicons)
        table.withLock { table in
            if table.corrections.count >= Self.maximumWords { table.corrections.removeAll(keepingCapacity: true) }
            table.corrections[key] = new
        }
        return new
    }
}
