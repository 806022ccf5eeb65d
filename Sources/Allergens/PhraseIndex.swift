/// Phrases by their first word, longest first.
struct PhraseIndex<Payload: Sendable>: Sendable {
    private struct Phrase: Sendable {
        var rest: [String]
        var payload: Payload
    }
    private var phrases: [String: [Phrase]] = [:]

    /// Adds the phrase in all its spellings, its last word with every ending.
    mutating func add(_ phrase: String, endings: [String] = [], payload: Payload) {
        for words in Folding.spellings(of: phrase) {
            guard let last = words.last else { continue }
            var forms = [words]
            // Short words take few endings, or "ei" would become "eis" and "ale" would become "alen".
            if last.count >= 3 {
                forms += endings.filter { $0.count < last.count }.map { words.dropLast() + [last + $0] }
            }
            for form in forms {
                phrases[form[0], default: []].append(Phrase(rest: Array(form.dropFirst()), payload: payload))
            }
        }
    }

    /// Puts longer phrases before shorter ones; call once after the last `add`.
    mutating func sort() {
        for key in phrases.keys { phrases[key]?.sort { $0.rest.count > $1.rest.count } }
    }

    /// All payloads of the longest phrase that starts at `index`, and how many tokens it takes.
    func longest(in tokens: [Token], at index: Int) -> (length: Int, payloads: [Payload])? {
        guard let candidates = phrases[tokens[index].text] else { return nil }
        var length = 0
        var payloads: [Payload] = []
        for phrase in candidates {
            let count = phrase.rest.count + 1
            if count < length { break }
            guard index + count <= tokens.count else { continue }
            var fits = true
            for (offset, word) in phrase.rest.enumerated()
            where tokens[index + 1 + offset].text != word || tokens[index + 1 + offset].isApart {
                fits = false
                break
            }
            if fits {
                length = count
                payloads.append(phrase.payload)
            }
        }
        return length > 0 ? (length, payloads) : nil
    }

    /// The single words that start and end a phrase.
    var singleWords: [(word: String, payloads: [Payload])] {
        phrases.compactMap { word, list in
            let payloads = list.filter { $0.rest.isEmpty }.map(\.payload)
            return payloads.isEmpty ? nil : (word, payloads)
        }
    }

    /// The payloads of exactly this one word.
    func exact(_ word: String) -> [Payload] {
        (phrases[word] ?? []).filter { $0.rest.isEmpty }.map(\.payload)
    }
}
