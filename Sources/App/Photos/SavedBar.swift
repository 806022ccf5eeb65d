import Core

/// What was just saved, with the button that takes it back.
struct SavedBar {
    let text: String
    /// The person who is shown, to come back to; empty for everybody.
    let shownFor: String
    let numbers: [String]

    /// Nil if nothing was.
    init?(_ shown: ShownOutcome) {
        guard !shown.saved.isEmpty else { return nil }
        text = shown.language.saved(shown.saved)
        shownFor = shown.place.person ?? ""
        numbers = shown.saved.compactMap(\.number).map(String.init)
    }
}

extension PageLanguage {
    /// What people just said of one dish, label or photo, in a sentence.
    ///
    /// - Parameter reviews: those of one save; empty gives an empty text.
    func saved(_ reviews: [Review]) -> String {
        guard let first = reviews.first else { return "" }
        let parts = reviews.map { review in
            if let said = review.said, let allergen = review.allergen { return self.said(said, allergen) }
            let text = texts.text(
                "saved.\(review.action.rawValue)",
                ["value": review.kind.map { texts.text("kind.\($0.rawValue)") } ?? review.value ?? ""])
            return review.item == first.item ? text : "\(review.item): \(text)"
        }
        let item =
            switch first.item {
            case Review.everything: ""
            case Review.label: texts.text("untitled.label") + ": "
            default: "\(first.item): "
            }
        return texts.text("saved", ["x": item + parts.joined(separator: ", "), "name": first.reviewer])
    }

    /// What somebody said of an allergen, such as `contains milk`.
    func said(_ said: Review.Said, _ allergen: Allergen, words: [String] = []) -> String {
        let name = said == .absent ? denied(allergen, words: words) : name(of: allergen, words: words)
        return texts.text("saved.\(said.rawValue)", ["x": name])
    }

    /// `no milk`; some languages need the gender of the name.
    func denied(_ allergen: Allergen, words: [String] = []) -> String {
        let key = "no.\(allergen.rawValue)"
        guard !texts.has(key) || !words.isEmpty else { return texts.text(key) }
        return texts.text("no", ["x": name(of: allergen, words: words)])
    }
}
