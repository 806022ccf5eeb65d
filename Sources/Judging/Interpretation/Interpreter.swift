import Allergens
import Documents
import Foods
import Foundation
import Games
import Core
import Risk

/// Interprets the readings of one photo as one outcome. A pure function: the same input gives the same outcome.
public struct Interpreter: Sendable {
    let allergens: AllergenInterpreter
    let foods: ProductInterpreter
    let games: GameInterpreter
    let documents: DocumentReader
    let risk: LazyRisk

    /// Loads and checks lexicons, catalogue and puzzles.
    ///
    /// - Parameters:
    ///   - allergens: opened before; nil opens it from `models`.
    ///   - products: an imported catalogue, which takes precedence over the samples.
    ///   - risk: opened before; nil opens it from `models` for the first label.
    public init(
        models: ModelFolder, allergens: AllergenInterpreter? = nil, products: (any ProductSource)? = nil,
        risk: RiskInterpreter? = nil
    ) throws {
        self.risk = try LazyRisk(models: models, risk)
        self.allergens = try allergens ?? AllergenInterpreter(models: models)
        foods = try ProductInterpreter(models: models, imported: products)
        games = try GameInterpreter(models: models)
        documents = try DocumentReader(from: models)
    }

    /// The product numbers that another server may know. The caller can ask for them before judging the photo.
    public func productNumbers(in readings: Readings) -> [GTIN] {
        var readings = readings
        readings.text = readings.text.map { TextBudget.limited($0).text }
        return foods.numbers(in: readings)
    }

    /// Judges a product by its record alone, without a photo.
    public func product(_ gtin: GTIN, for profiles: [AllergenProfile]) -> Product {
        judged([judged(foods.product(gtin))], beside: nil, for: profiles)[0]
    }

    /// Judges one photo.
    ///
    /// - Parameters:
    ///   - answer: the worker's readings of the photo.
    ///   - forced: the domain that a person named; nil detects it.
    ///   - house: gives dishes of the photo's kitchen with known allergens; called at most once, for a menu.
    public func judge(
        _ answer: ReadAnswer, of photo: PhotoFacts, as forced: Outcome.Domain?, for profiles: [AllergenProfile],
        house: () -> [DeclaredDish] = { [] }, parsed: () -> Void = {}
    ) -> Outcome {
        var outcome = Outcome(
            id: photo.id, source: photo.source(answer.image), status: .completed, readings: answer.readings,
            versions: versions(answer.models))
        outcome.processing.timingsMs = answer.timingsMs.mapValues { $0.rounded(toPlaces: 1) }
        // Step times differ between runs, so they belong to `processing`.
        for (step, milliseconds) in answer.readings.pieces?.timing_ms ?? [:] {
            outcome.processing.timingsMs["pieces." + step] = milliseconds.rounded(toPlaces: 1)
        }
        outcome.readings.pieces?.timing_ms = [:]

        var answer = answer
        let limited = answer.readings.text.map(TextBudget.limited)
        answer.readings.text = limited?.text
        var kindProbability: Double?
        if let text = answer.readings.text, forced != .barcode, forced != .board {
            kindProbability = judgeText(
                text, beside: answer.readings.barcodes ?? [], as: forced, for: profiles, house: house, into: &outcome)
        }
        parsed()
        let barcodes = answer.readings.barcodes.map { _ in foods.barcodes(in: answer.readings) }
        if let barcodes, !barcodes.isEmpty || forced == .barcode {
            outcome.domains.append(.barcode)
            outcome.readings.barcodes = barcodes
            let products = foods.products(in: answer.readings)
            outcome.products =
                products.isEmpty ? nil : judged(products.map(judged), beside: outcome.label, for: profiles)
        }
        // A label and a single product are the same thing, unless they disagree.
        if let label = outcome.label, outcome.products?.count == 1, outcome.products?[0].agreement?.label != .disagrees
        {
            outcome.products?[0].fromPhoto = Product.PackageReading(nutrition: label.nutrition, dates: label.dates)
        }
        if let frame = answer.readings.pieces, !frame.pieces.isEmpty || forced == .board {
            outcome.domains.append(.board)
            // Only an unknown game or puzzle throws, and this call names neither.
            outcome.game = try? games.report(on: frame)
        }
        setStatus(&outcome, after: answer, kindProbability, cut: limited?.reason)
        return outcome
    }

    /// Judges the text as one kind of page.
    ///
    /// - Returns: the probability that the page is of that kind, or of no kind; nil if a person named it.
    private func judgeText(
        _ text: TextReading, beside barcodes: [BarcodeReading], as forced: Outcome.Domain?,
        for profiles: [AllergenProfile], house: () -> [DeclaredDish], into outcome: inout Outcome
    ) -> Double? {
        let segments = documents.segments(of: text)
        let rows = documents.page(of: text, segments: segments)
        let isForced = forced == .receipt || forced == .priceTag
        let kind: AllergenInterpreter.Kind? = forced == .menu ? .menu : forced == .label ? .label : nil
        var known: [DeclaredDish] = []
        let page =
            isForced
            ? nil
            : allergens.page(from: text, segments: segments, profiles: profiles, as: kind) {
                known = house()
                return known
            }
        // The menu depends on these dishes, so they are part of its versions.
        if !known.isEmpty { outcome.versions.models["kitchen"] = DeclaredDish.version(of: known) }
        var (domain, probability): (Outcome.Domain?, Double?) = (forced, nil)
        if domain == nil {
            let kinds = documents.kinds(of: rows, KindHints(page, barcodes))
            outcome.pageKind = kinds.best.map { PageKindReading(value: $0.kind.rawValue, confidence: $0.probability) }
            domain = Self.domain(kinds.best?.kind, page)
            probability = kinds.probability(of: domain.flatMap { PageKind.Kind(rawValue: $0.rawValue) })
        }
        switch (domain, page) {
        case (.receipt, _): outcome.receipt = documents.receipt(from: rows)
        case (.priceTag, _):
            let tags = documents.priceTags(from: text, page: rows, barcodes: barcodes)
            outcome.priceTag = tags.first
            outcome.priceTags = tags.count > 1 ? tags : nil
        case (.menu, .menu(let menu)): outcome.menu = menu
        case (.label, .label(let label)): outcome.label = label
        case (.label, _):
            // A nutrition table or a date without ingredients: nothing is known about allergens.
            guard case .label(let label) = allergens.page(from: text, profiles: profiles, as: .label) else {
                return probability
            }
            outcome.label = label
        default: return probability
        }
        if let domain { outcome.domains.append(domain) }
        // An ingredient list on a page taken for a receipt or a price tag still warns.
        if domain != .label, case .label(let label) = page {
            outcome.label = label
            outcome.domains.append(.label)
        }
        guard var label = outcome.label else { return probability }
        label.nutrition = documents.nutrition(from: rows)
        let dates = documents.dates(from: rows)
        label.dates = dates.isEmpty ? nil : dates
        label.assessment = assessment(of: label, text, for: profiles)
        outcome.label = label
        return probability
    }

    /// A page with dishes or ingredients keeps their verdicts unless it is clearly a receipt, a price tag or a label.
    private static func domain(_ kind: PageKind.Kind?, _ page: AllergenInterpreter.Page?) -> Outcome.Domain? {
        switch (kind, page) {
        case (.receipt, _): .receipt
        case (.priceTag, _): .priceTag
        case (_, .label), (.label, _): .label
        case (_, .menu): .menu
        case (_, nil): nil
        }
    }

    /// Adds findings from the ingredient text of the record, and the warnings of other records of its number.
    private func judged(_ product: Product) -> Product {
        var product = product
        product.findings = recordFindings(product)
        for other in foods.otherRecords(of: product) {
            product.findings += recordFindings(other).filter { finding in
                [.contains, .mayContain, .likely].contains(finding.polarity)
                    && !product.findings.contains {
                        $0.allergen == finding.allergen && [.contains, finding.polarity].contains($0.polarity)
                    }
            }
        }
        return product
    }

    /// What a record declares, and what only its ingredient text names.
    private func recordFindings(_ record: Product) -> [AllergenFinding] {
        guard let ingredients = record.ingredients else { return record.findings }
        let declared = Set(record.findings.map(\.allergen))
        return record.findings
            + allergens.productFindings(ingredients: ingredients, declared: [])
            .filter { !declared.contains($0.allergen) }
    }

    /// Adds the verdicts of each person to each product: the more serious one of record and label.
    private func judged(
        _ products: [Product], beside label: Label?, for profiles: [AllergenProfile]
    ) -> [Product] {
        products.map { product in
            var product = product
            var verdicts = allergens.verdicts(
                on: product, beside: foods.otherRecords(of: product).compactMap(\.ingredients), profiles: profiles)
            // A label and a single product are the same thing, unless the label disagrees.
            if let label, products.count == 1, product.agreement?.label != .disagrees {
                let contradictions = Product.Contradiction.all(record: verdicts, label: label.verdicts)
                product.contradictions = contradictions.isEmpty ? nil : contradictions
                verdicts.mergeWarnings(from: label.verdicts)
            }
            product.verdicts = verdicts
            return product
        }
    }

    /// The highest confidence, medium, of an outcome that interpreted nothing of the print: it may be of a kind that was
    /// not recognised, and no set of pages of no kind has been measured.
    private static let mostForNothing = 0.84

    /// Sets status, reason and overall confidence.
    ///
    /// - Parameter kindProbability: the probability that the text is of the kind that it was judged as, or of no kind.
    ///   An outcome is no more certain than that choice.
    private func setStatus(
        _ outcome: inout Outcome, after answer: ReadAnswer, _ kindProbability: Double?, cut: Outcome.Reason?
    ) {
        if let failure = answer.failure {
            outcome.status = answer.image == nil ? .failed : .partial
            outcome.reason = Outcome.Reason(failure)
            // The missing part of the photo may name any allergen.
            outcome.retractAbsenceClaims()
        } else if answer.readings.isEmpty {
            outcome.status = .unreadable
            outcome.reason = .nothingRead(answer.readings)
        } else if let cut {
            (outcome.status, outcome.reason) = (.partial, cut)
            outcome.retractAbsenceClaims()
        }
        // Text of no kind says nothing about a barcode or a board beside it.
        let isText = outcome.domains.isEmpty || outcome.domains.contains { ![.barcode, .board].contains($0) }
        let isNothing = outcome.domains.isEmpty && outcome.readings.text != nil
        let limit = min(isText ? kindProbability ?? 1 : 1, isNothing ? Self.mostForNothing : 1)
        let certainty = min(OverallConfidence.of(outcome), limit)
        outcome.confidence = Confidence(
            answer.readings.isEmpty ? 0 : certainty * (outcome.status == .partial ? 0.5 : 1))
        // The other print of a packet may have been read well, so the outcome stays completed and says what is missing.
        if answer.failure == nil, cut == nil, let scripts = answer.readings.text?.unreadScripts, !scripts.isEmpty {
            if outcome.domains.isEmpty || outcome.confidence.level == .unknown { outcome.status = .unreadable }
            outcome.reason = .unreadScript(scripts)
        }
        outcome.summarise()
    }

    private func versions(_ models: [String: String]) -> Outcome.Versions {
        Outcome.Versions(
            tablesight: ProgramVersion.current, models: models, lexicon: allergens.lexiconVersion,
            catalogue: foods.catalogueVersion, documents: documents.version, risk: risk.version)
    }
}

extension KindHints {
    fileprivate init(_ page: AllergenInterpreter.Page?, _ barcodes: [BarcodeReading]) {
        var (isMenu, isClearMenu, isLabel) = (false, false, false)
        switch page {
        case .menu(let menu): (isMenu, isClearMenu) = (true, menu.confidence.map { $0.level != .unknown } ?? false)
        case .label: isLabel = true
        case nil: break
        }
        self.init(
            isMenu: isMenu, isClearMenu: isClearMenu, isLabel: isLabel, retailCodes: barcodes.count { $0.gtin != nil })
    }
}

/// The daemon's knowledge of a photo before a worker reads it.
public struct PhotoFacts: Sendable, Hashable {
    public var path: FilePathBytes
    /// `sha256:…`; nil if the file could not be read.
    public var id: String?
    public var bytes: Int

    public init(path: FilePathBytes, id: String?, bytes: Int) {
        self.path = path
        self.id = id
        self.bytes = bytes
    }

    func source(_ image: ReadAnswer.ImageFacts?) -> Outcome.Source {
        Outcome.Source(
            path: path, bytes: bytes, width: image?.width, height: image?.height, format: image?.format,
            orientation: image?.orientation)
    }
}

extension Outcome.Reason {
    /// The names are those of the cases of `PrintScript`, in English.
    fileprivate static func unreadScript(_ scripts: [PrintScript]) -> Outcome.Reason {
        let names = scripts.map { "\($0)".prefix(1).uppercased() + "\($0)".dropFirst() }.joined(separator: ", ")
        return Outcome.Reason(
            code: ItemFailure.Code.unreadScript.rawValue,
            detail: "print in \(names): not read",
            hint: "look for the same text in a language that is read, or ask somebody who reads it")
    }

    fileprivate static func nothingRead(_ readings: Readings) -> Outcome.Reason {
        let advice = readings.quality?.advice.map(\.words).joined(separator: ", ") ?? ""
        let faults = Set((readings.unreadBarcodes ?? []).map(\.reason.words)).sorted().joined(separator: ", ")
        return Outcome.Reason(
            code: ItemFailure.Code.nothingRead.rawValue,
            detail: "no text, barcode or piece could be read"
                + (faults.isEmpty ? "" : ", though what may be bars was found (\(faults))")
                + "; this says nothing about what is on the table",
            hint: advice.isEmpty
                ? "photograph it again from nearer, with more light" : "photograph it again: \(advice)")
    }
}
