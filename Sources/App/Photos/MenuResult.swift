import Core

/// The part of a result page about a menu.
struct MenuResult {
    /// What one person must avoid and ask about.
    struct Answer {
        let letter, name: String
        let watches: String?
        let avoid, ask: Line?
        let quiet: String?
    }

    struct Line { let head, names: String }

    /// A dish with what it means for each person.
    struct Dish {
        let n, name, show, price: String
        let text: String?
        let people: [PersonVerdicts]
        /// For whom the answer is open, and for whom the text mentions nothing.
        let unclear, silent: String?
        let hasEvidence, isOpen: Bool
        let evidence: [Evidence]
    }

    struct PersonVerdicts {
        let letter, name: String
        let chips: [Chip]
    }

    let answerHead, count: String
    let answers: [Answer]
    let dishes: [Dish]
    let questions: [String]
    let emergency: String
    let hasOthers: Bool
    /// Dishes without a warning, in sections where the person must avoid one.
    let others: [Line]

    private static let (mostNames, mostQuestions, mostOthers) = (12, 5, 5)

    /// Nil for a photo without dishes.
    init?(_ shown: ShownOutcome) {
        let (ranked, texts) = (Self.ranked(shown), shown.texts)
        guard !ranked.isEmpty else { return nil }
        answerHead = shown.answerHead
        count =
            ranked.count == 1
            ? texts.text("result.dish") : texts.text("result.dishes", ["n": "\(ranked.count)"])
        answers = shown.names.map { Answer($0, shown) }
        dishes = ranked.enumerated().map { Dish($1, number: $0 + 1, shown) }
        questions = Self.questions(ranked, shown)
        emergency = shown.language.wording.emergency
        others = Self.others(shown)
        hasOthers = !others.isEmpty
    }

    /// The dishes, the most serious first: by the verdict, then by how many people it warns and how much.
    private static func ranked(_ shown: ShownOutcome) -> [Menu.Item] {
        func gravity(_ item: Menu.Item) -> Double {
            let own = item.verdicts.values.map(\.gravity)
            return (own.max() ?? 0).rounded(.down) * 1000 + own.reduce(0, +)
        }
        return (shown.outcome.menu?.sections ?? []).flatMap(\.items).enumerated().sorted {
            (gravity($0.element), -$0.offset) > (gravity($1.element), -$1.offset)
        }.map(\.element)
    }

    /// The lines of the dishes, with the words of their findings.
    static func marks(_ shown: ShownOutcome) -> PhotoMarks {
        let dishes = ranked(shown)
        let judged = Set(dishes.flatMap { $0.verdicts.values.flatMap(\.keys) })
        return PhotoMarks(
            items: dishes.enumerated().compactMap { index, item in
                item.box.map {
                    .init(number: index + 1, label: item.name, box: $0, target: "#d\(index + 1)")
                }
            },
            underlines: dishes.flatMap { item in
                item.findings.filter { judged.contains($0.allergen) || !shown.isEU }.flatMap(\.underlines)
            })
    }

    // MARK: Questions and other dishes

    private static func questions(_ ranked: [Menu.Item], _ shown: ShownOutcome) -> [String] {
        var found: [String] = []
        for item in ranked {
            var open: Set<Allergen> = []
            for verdicts in item.verdicts.values {
                open.formUnion(verdicts.filter { [.likely, .mayContain, .cannotTell].contains($0.value.verdict) }.keys)
            }
            guard !open.isEmpty, open.count <= 6 else { continue }
            let names = open.sorted { $0.rawValue < $1.rawValue }.flatMap { self.names(of: $0, in: item, shown) }
            found.append(shown.texts.text("result.question", ["x": shown.texts.list(names), "dish": item.name]))
            if found.count == mostQuestions { break }
        }
        return found
    }

    /// The name of an allergen; for own words those that the dish names.
    private static func names(of allergen: Allergen, in item: Menu.Item, _ shown: ShownOutcome) -> [String] {
        guard allergen == .personal else { return [shown.language.wording.name(of: allergen)] }
        let found = Set(item.findings.filter { $0.allergen == .personal }.compactMap(\.leaf))
        return found.isEmpty ? [shown.language.wording.name(of: allergen)] : found.sorted()
    }

    private static func others(_ shown: ShownOutcome) -> [Line] {
        shown.names.flatMap { name in
            (shown.outcome.menu?.sections ?? []).compactMap { section -> Line? in
                /// The dishes with or without a warning for this person.
                func dishes(warned: Bool) -> [Menu.Item] {
                    section.items.filter { $0.verdicts[name]?.values.contains { $0.verdict.isWarning } == warned }
                }
                let rest = dishes(warned: false)
                guard !dishes(warned: true).isEmpty, !rest.isEmpty else { return nil }
                let head = [shown.texts.person(name), section.title].compactMap { $0 }.joined(separator: ", ")
                return Line(head: head, names: rest.prefix(mostOthers).map(\.name).joined(separator: ", "))
            }
        }
    }
}

extension MenuResult.Answer {
    fileprivate init(_ person: String, _ shown: ShownOutcome) {
        let texts = shown.texts
        let summary = shown.outcome.household?[person] ?? .init()
        name = texts.person(person)
        letter = PageTexts.letter(of: name)
        watches = shown.people.first { $0.name == person && $0.allergens.count <= 6 }.map { profile in
            texts.list(
                profile.allergens.keys.sorted { $0.rawValue < $1.rawValue }.map {
                    shown.language.name(of: $0, words: profile.words ?? [])
                })
        }
        avoid = MenuResult.Line("result.avoid", summary.avoid, texts)
        ask = MenuResult.Line("result.ask", summary.ask, texts)
        quiet = avoid == nil && ask == nil ? texts.text("result.quiet", ["name": name]) : nil
    }
}

extension MenuResult.Line {
    /// Nil without names.
    fileprivate init?(_ key: String, _ names: [String], _ texts: PageTexts) {
        guard !names.isEmpty else { return nil }
        let more = names.count - MenuResult.mostNames
        let first = names.prefix(MenuResult.mostNames).joined(separator: ", ")
        head = texts.text(key, ["n": "\(names.count)"])
        self.names = more > 0 ? first + " " + texts.text("result.more", ["n": "\(more)"]) : first
    }
}

extension MenuResult.Dish {
    fileprivate init(_ item: Menu.Item, number: Int, _ shown: ShownOutcome) {
        let texts = shown.texts
        n = "\(number)"
        name = item.name
        show = texts.text("result.show", ["n": "\(number)"])
        price = item.prices.map(\.amount).joined(separator: " / ")
        text = item.description
        var (people, unclear, silent): ([MenuResult.PersonVerdicts], [String], [String]) = ([], [], [])
        for person in shown.names {
            guard let verdicts = item.verdicts[person], !verdicts.isEmpty else { continue }
            let name = texts.person(person)
            let groups = VerdictGroup.all(verdicts, words: shown.words(of: person), shown.language)
            if groups.contains(where: { $0.kind.isWarning || $0.isChecked }) {
                people.append(
                    .init(
                        letter: PageTexts.letter(of: name), name: name,
                        chips: groups.filter { $0.kind != .notFoundInText || $0.isChecked }.map {
                            Chip($0, isDish: true, texts)
                        }))
            } else if groups.contains(where: { $0.kind == .cannotTell }) {
                unclear.append(name)
            } else {
                silent.append(name)
            }
        }
        self.people = people
        self.unclear = unclear.isEmpty ? nil : texts.text("v.cannotFor", ["names": texts.list(unclear)])
        self.silent = silent.isEmpty ? nil : texts.text("v.noneFor", ["names": texts.list(silent)])
        evidence = Evidence.all(item.findings, item.verdicts, shown)
        hasEvidence = !evidence.isEmpty
        isOpen = number == 1
    }
}

/// The reason of verdicts: one allergen and kind of evidence.
struct Evidence {
    struct Word { let text, style: String }

    let allergen: String
    let words: [Word]
    let how, percent, level, levelWord: String

    static func all(
        _ findings: [AllergenFinding], _ verdicts: Verdicts, _ shown: ShownOutcome
    ) -> [Evidence] {
        findings.compactMap { finding in
            let isWatched = shown.names.contains { verdicts[$0]?[finding.allergen] != nil }
            guard let kind = finding.kind, !finding.evidence.isEmpty, isWatched || !shown.isEU else { return nil }
            return Evidence(finding, kind, shown)
        }
    }

    private init(_ finding: AllergenFinding, _ kind: AllergenVerdict.Kind, _ shown: ShownOutcome) {
        let texts = shown.texts
        let own = finding.allergen == .personal ? finding.leaf : nil
        allergen = own ?? shown.language.wording.name(of: finding.allergen)
        var seen: Set<String> = []
        words = finding.evidence.map(\.text).filter { seen.insert($0).inserted }.map {
            Word(text: $0, style: kind.style)
        }
        how = texts.text("s.\(finding.strength.rawValue)")
        percent = Chip.percent(finding.probability...finding.probability)
        level = Confidence(finding.probability).level.rawValue
        levelWord = texts.text("level.\(level)")
    }
}
