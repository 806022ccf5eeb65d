import Synchronization

/// What was found out about words that no lexicon has as they stand; labels repeat themselves, so each is looked at once.
final class WordMemo: Sendable {
    /// A memo is emptied at this many words, about 30 MB.
    private static let most = 60_000
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
            if table.analyses.count >= Self.most { table.analyses.removeAll(keepingCapacity: true) }
            table.analyses[word] = new
        }
        return new
    }

    func correction(of word: String, in lexicons: UInt32, make: (String, UInt32) -> WordCorrection) -> WordCorrection {
        let key = Key(word: word, lexicons: lexicons)
        if let known = table.withLock({ $0.corrections[key] }) { return known }
        let new = make(word, lexicons)
        table.withLock { table in
            if table.corrections.count >= Self.most { table.corrections.removeAll(keepingCapacity: true) }
            table.corrections[key] = new
        }
        return new
    }
}
