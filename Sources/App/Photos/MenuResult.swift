import HTTP
import Core

/// The part of a result page about a menu.
struct MenuResult {
    let page: ResultPage
    let menu: Menu

    private var texts: PageTexts { page.texts }

    /// A dish with its place on the menu; the most serious comes first.
    private struct Dish {
        var number: Int
        var section: Int
        var item: Menu.Item
    }

    private static let (mostNames, mostQuestions, mostOthers) = (12, 5, 5)

    func values() -> Values {
        let dishes = ranked
        let count = dishes.count
        var values: Values = [
            "answers": page.names.map(answer),
            "count": count == 1 ? texts.text("result.dish") : texts.text("result.dishes", ["n": "\(count)"]),
            "answerHead": page.answerHead, "dishes": dishes.map(dish), "questions": questions,
            "emergency": page.language.wording.emergency,
        ]
        let others = others
        if !others.isEmpty {
            values["others"] = others
            values["hasOthers"] = true
        }
        return values
    }

    /// The lines of the dishes, with the words of their findings.
    var marks: PhotoMarks {
        let dishes = ranked
        let shown = Set(dishes.flatMap { $0.item.verdicts.values.flatMap(\.keys) })
        return PhotoMarks(
            items: dishes.compactMap { dish in
                dish.item.box.map {
                    PhotoOverlay.Item(number: dish.number, label: dish.item.name, box: $0, target: "#d\(dish.number)")
                }
            },
            underlines: dishes.flatMap { dish in
                dish.item.findings.filter { shown.contains($0.allergen) || !isEU }.flatMap(\.underlines)
            })
    }

    private var isEU: Bool { page.people.allSatisfy { $0.regime == "eu14" } }

    private var ranked: [Dish] {
        let all = menu.sections.enumerated().flatMap { section, part in part.items.map { (section, $0) } }
        // First the most serious verdict, then how many people it warns and how much.
        func gravity(_ item: Menu.Item) -> Double {
            let own = item.verdicts.values.map(\.gravity)
            return (own.max() ?? 0).rounded(.down) * 1000 + own.reduce(0, +)
        }
        return all.enumerated().sorted {
            (gravity($0.element.1), -$0.offset) > (gravity($1.element.1), -$1.offset)
        }.enumerated().map { Dish(number: $0 + 1, section: $1.element.0, item: $1.element.1) }
    }

    // MARK: The first lines

    private func answer(_ name: String) -> Values {
        let summary = page.outcome.household?[name] ?? .init()
        var values = texts.who(name)
        if let person = page.people.first(where: { $0.name == name }), person.allergens.count <= 6 {
            let sorted = person.allergens.keys.sorted { $0.rawValue < $1.rawValue }
            values["watches"] = texts.list(sorted.map { page.language.name(of: $0, words: person.words ?? []) })
        }
        if !summary.avoid.isEmpty { values["avoid"] = line("result.avoid", summary.avoid) }
        if !summary.ask.isEmpty { values["ask"] = line("result.ask", summary.ask) }
        if summary.avoid.isEmpty, summary.ask.isEmpty {
            values["quiet"] = texts.text("result.quiet", ["name": texts.person(name)])
        }
        return values
    }

    private func line(_ key: String, _ names: [String]) -> Values {
        let more = names.count - Self.mostNames
        let shown = names.prefix(Self.mostNames).joined(separator: ", ")
        return [
            "head": texts.text(key, ["n": "\(names.count)"]),
            "names": more > 0 ? shown + " " + texts.text("result.more", ["n": "\(more)"]) : shown,
        ]
    }

    // MARK: Dishes

    private func dish(_ dish: Dish) -> Values {
        let item = dish.item
        var values: Values = [
            "n": "\(dish.number)", "name": item.name, "show": texts.text("result.show", ["n": "\(dish.number)"]),
            "price": item.prices.map(\.amount).joined(separator: " / "),
        ]
        if let text = item.description { values["text"] = text }
        var (people, unclear, silent): ([Values], [String], [String]) = ([], [], [])
        for name in page.names {
            guard let verdicts = item.verdicts[name], !verdicts.isEmpty else { continue }
            let chips = Chip.all(verdicts, words: page.words(of: name), page.language)
            if chips.contains(where: { $0.kind.isWarning || $0.isChecked }) {
                var person = texts.who(name)
                person["chips"] = chips.filter { $0.kind != .notFoundInText || $0.isChecked }.map {
                    $0.values(texts, isDish: true)
                }
                people.append(person)
            } else if chips.contains(where: { $0.kind == .cannotTell }) {
                unclear.append(texts.person(name))
            } else {
                silent.append(texts.person(name))
            }
        }
        values["people"] = people
        if !unclear.isEmpty { values["unclear"] = texts.text("v.cannotFor", ["names": texts.list(unclear)]) }
        if !silent.isEmpty { values["silent"] = texts.text("v.noneFor", ["names": texts.list(silent)]) }
        let evidence = Evidence.lines(item.findings, item.verdicts, page)
        if !evidence.isEmpty {
            values["evidence"] = evidence
            values["hasEvidence"] = true
            values["isOpen"] = dish.number == 1
        }
        return values
    }

    // MARK: Questions and other dishes

    private var questions: [String] {
        var found: [String] = []
        for dish in ranked {
            var open: Set<Allergen> = []
            for verdicts in dish.item.verdicts.values {
                open.formUnion(verdicts.filter { [.likely, .mayContain, .cannotTell].contains($0.value.verdict) }.keys)
            }
            guard !open.isEmpty, open.count <= 6 else { continue }
            let names = open.sorted { $0.rawValue < $1.rawValue }.flatMap { self.names(of: $0, in: dish.item) }
            found.append(texts.text("result.question", ["x": texts.list(names), "dish": dish.item.name]))
            if found.count == Self.mostQuestions { break }
        }
        return found
    }

    /// The name of an allergen; for own words those that the dish names.
    private func names(of allergen: Allergen, in item: Menu.Item) -> [String] {
        guard allergen == .personal else { return [page.language.wording.name(of: allergen)] }
        let found = Set(item.findings.filter { $0.allergen == .personal }.compactMap(\.leaf))
        return found.isEmpty ? [page.language.wording.name(of: allergen)] : found.sorted()
    }

    /// Dishes without a warning, in sections where the person must avoid one.
    private var others: [Values] {
        page.names.flatMap { name in
            menu.sections.compactMap { section -> Values? in
                let warned = section.items.filter {
                    $0.verdicts[name]?.values.contains { $0.verdict.isWarning } == true
                }
                let rest = section.items.filter {
                    $0.verdicts[name]?.values.contains { $0.verdict.isWarning } == false
                }
                guard !warned.isEmpty, !rest.isEmpty else { return nil }
                let head = [texts.person(name), section.title].compactMap { $0 }.joined(separator: ", ")
                return ["head": head, "names": rest.prefix(Self.mostOthers).map(\.name).joined(separator: ", ")]
            }
        }
    }
}

/// The reasons of verdicts, one line for each allergen and kind of evidence.
enum Evidence {
    static func lines(_ findings: [AllergenFinding], _ verdicts: Verdicts, _ page: ResultPage) -> [Values] {
        let texts = page.texts
        return findings.compactMap { finding -> Values? in
            guard let kind = finding.kind, !finding.evidence.isEmpty else { return nil }
            let watching = page.names.filter { verdicts[$0]?[finding.allergen] != nil }
            let isEU = page.people.allSatisfy { $0.regime == "eu14" }
            guard !watching.isEmpty || !isEU else { return nil }
            var values = texts.level(finding.probability)
            var seen: Set<String> = []
            let words = finding.evidence.map(\.text).filter { seen.insert($0).inserted }
            values["allergen"] =
                finding.allergen == .personal
                ? finding.leaf ?? page.language.wording.name(of: .personal)
                : page.language.wording.name(of: finding.allergen)
            values["words"] = words.map { word -> Values in ["text": word, "style": kind.style] }
            values["how"] = texts.text("s.\(finding.strength.rawValue)")
            values["percent"] = Chip.percent(finding.probability...finding.probability)
            return values
        }
    }
}
