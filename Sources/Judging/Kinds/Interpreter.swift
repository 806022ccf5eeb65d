import Allergens
import Documents
import Foundation
import Core
import Foods

/// Interprets the readings of one photo as one outcome. A pure function: the same input gives the same outcome.
package struct Interpreter: Sendable {
    let allergens: AllergenInterpreter
    let foods: ProductInterpreter
    let documents: DocumentReader
    let risk: LazyRisk
    let decider: KindDecider
    private let products: ProductKind
    /// One of each kind, in the order of ``kinds``.
    private let kinds: [any PhotoKind]

    /// Loads and checks lexicons, catalogue and puzzles.
    ///
    /// - Parameters:
    ///   - allergens: opened before; nil opens it from `models`.
    ///   - products: an imported catalogue, which takes precedence over the samples.
    ///   - risk: opened before; nil opens it from `models` for the first label.
    package init(
        models: ModelFolder, allergens: AllergenInterpreter? = nil, products: (any ProductSource)? = nil,
        risk: RiskInterpreter? = nil
    ) throws {
        let readers = try KindReaders(
            allergens: allergens ?? AllergenInterpreter(models: models), documents: DocumentReader(from: models),
            foods: ProductInterpreter(models: models, imported: products), games: GameInterpreter(models: models),
            risk: LazyRisk(models: models, risk))
        self.allergens = readers.allergens
        (documents, foods, self.risk) = (readers.documents, readers.foods, readers.risk)
        decider = try KindDecider(from: models)
        self.products = ProductKind(readers)
        kinds = Kinds.kinds.map { $0.init(readers) }
    }

    /// The product numbers that another server may know. The caller can ask for them before judging the photo.
    package func productNumbers(in readings: Readings) -> [GTIN] {
        var readings = readings
        readings.text = readings.text.map { TextBudget.limited($0).text }
        return foods.numbers(in: readings)
    }

    /// The products of the codes on a picture, without verdicts. `agreement` has the confidence of each number.
    package func products(on readings: Readings) -> [Product] { foods.products(in: readings) }

    /// Judges a product by its record, without a photo.
    ///
    /// - Parameter name: what people call it, on a list; nil judges the record alone.
    package func product(_ gtin: GTIN, named name: String? = nil, for profiles: [AllergenProfile]) -> Product {
        products.judged([foods.product(gtin)], beside: nil, for: profiles) { _ in name }[0]
    }

    /// Judges something of which only the name is known.
    package func verdicts(onName name: String, for profiles: [AllergenProfile]) -> Verdicts {
        allergens.verdicts(onName: name, profiles: profiles)
    }

    /// Judges one photo: prepares its print, decides what it is, and lets each kind that the photo holds add its part.
    ///
    /// - Parameters:
    ///   - answer: the worker's readings of the photo.
    ///   - asked: the kind that the caller asks for; nil decides. A kind that a person named goes before.
    ///   - reviews: what people said of the photo, oldest first.
    ///   - house: gives dishes of the photo's kitchen with known allergens; called at most once, for a menu.
    package func judge(
        _ answer: ReadAnswer, of photo: PhotoFacts, as asked: Outcome.Domain?, for profiles: [AllergenProfile],
        reviews: [Review] = [], house: () -> [DeclaredDish] = { [] }, parsed: () -> Void = {}
    ) -> Outcome {
        let forced = reviews.namedKind ?? asked
        var outcome = Outcome(
            id: photo.id, source: photo.source(answer.image), status: .completed, readings: answer.readings,
            versions: versions(answer.models))
        outcome.noteTimes(of: answer)
        var readings = answer.readings
        let limited = readings.text.map(TextBudget.limited)
        readings.text = limited?.text
        let print = [.barcode, .board].contains(forced) ? nil : print(of: readings, for: profiles)
        let decision = print.map { forced.map { KindDecision([.init(kind: $0, probability: 1)]) } ?? decide($0) }
        if forced == nil { outcome.pageKind = decision?.reading }
        var judged = KindInput(
            readings: readings, print: print, decision: decision, forced: forced, profiles: profiles)
        judged.reviews = reviews
        let held = kinds.filter { $0.isHeld(by: judged) }
        if held.contains(where: { $0.domain == .menu }) { judged.house = house() }
        parsed()
        for kind in held {
            kind.judge(judged, into: &outcome)
            outcome.domains.append(kind.domain)
        }
        takeAnswers(&outcome, reviews, for: profiles)
        // The page's own kind comes first.
        if let best = decision?.best, let place = outcome.domains.firstIndex(of: best), place > 0 {
            outcome.domains.insert(outcome.domains.remove(at: place), at: 0)
        }
        setStatus(&outcome, after: answer, decision, cut: limited?.reason)
        return outcome
    }

    /// Applies what people said of the whole photo, its label and its products; dishes have their answers already.
    private func takeAnswers(_ outcome: inout Outcome, _ reviews: [Review], for profiles: [AllergenProfile]) {
        guard !reviews.isEmpty else { return }
        if let named = reviews.last(where: { $0.kind != nil }) {
            let runnerUp = outcome.pageKind?.runnerUp
            outcome.pageKind = PageKindReading(value: named.value ?? "", confidence: 1, runnerUp: runnerUp)
            outcome.pageKind?.by = named.reviewer
            outcome.pageKind?.at = named.moment
        }
        if var label = outcome.label {
            allergens.answer(
                &label.verdicts, &label.statements, findings: label.findings, by: reviews,
                about: { $0 == Review.label }, for: profiles)
            label.name = reviews.last { $0.action == .rename && $0.item == Review.label }?.value
            outcome.label = label
        }
        for index in outcome.products?.indices ?? 0..<0 {
            guard var product = outcome.products?[index], var verdicts = product.verdicts else { continue }
            allergens.answer(
                &verdicts, &product.statements, findings: product.findings, by: reviews,
                about: { $0 == product.gtin || GTIN(typed: $0)?.digits == product.gtin }, for: profiles)
            product.verdicts = verdicts
            outcome.products?[index] = product
        }
    }

    /// What the decision about a photo is made from, for training; nil without text.
    package func evidence(in readings: Readings, of photo: PhotoFacts) -> KindEvidence? {
        guard let print = print(of: readings, for: []) else { return nil }
        var found = KindEvidence(features: evidence(on: print).values, claims: [:])
        for kind in kinds where type(of: kind).isPage {
            var outcome = Outcome(
                id: nil, source: photo.source(nil), status: .completed, versions: Outcome.Versions(tablesight: ""))
            let decision = KindDecision([.init(kind: kind.domain, probability: 1)])
            kind.judge(
                KindInput(readings: readings, print: print, decision: decision, forced: kind.domain, profiles: []),
                into: &outcome)
            for claim in type(of: kind).claims(in: outcome) {
                found.claims[kind.domain.rawValue, default: [:]][claim.name] = claim.score
            }
        }
        return found
    }

    /// What the print of a photo is; nil without text.
    func decision(on readings: Readings) -> KindDecision? { print(of: readings, for: []).map(decide) }

    private func print(of readings: Readings, for profiles: [AllergenProfile]) -> PagePrint? {
        guard let reading = readings.text else { return nil }
        let print = documents.print(of: reading)
        let text = allergens.text(of: reading, print: print, profiles: profiles)
        return PagePrint(
            reading: reading, rows: documents.page(of: reading, print: print), text: text,
            evidence: text.evidence, barcodes: readings.barcodes ?? [])
    }

    private func evidence(on print: PagePrint) -> Features {
        kinds.reduce(
            into: documents.pageEvidence(on: print.rows, reading: print.reading, retailCodes: print.retailCodes)
        ) { $0.add($1.evidence(on: print)) }
    }

    private func decide(_ print: PagePrint) -> KindDecision { decider.decision(on: evidence(on: print)) }

    /// Sets status, reason and overall confidence.
    ///
    /// - Parameter decision: what the print is. An outcome is no more certain than that.
    private func setStatus(
        _ outcome: inout Outcome, after answer: ReadAnswer, _ decision: KindDecision?, cut: Outcome.Reason?
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
        let certainty = decider.confidence(of: outcome, decision)
        outcome.confidence = Confidence(
            answer.readings.isEmpty ? 0 : certainty * (outcome.status == .partial ? 0.5 : 1))
        // The other print of a packet may have been read well, so the outcome stays completed and says what is missing.
        if answer.failure == nil, cut == nil, let scripts = answer.readings.text?.unreadScripts, !scripts.isEmpty {
            if outcome.domains.isEmpty || outcome.confidence.level == .unknown { outcome.status = .unreadable }
            outcome.reason = .unreadScript(scripts)
        }
        outcome.summarise()
    }

    /// The versions of everything that judges a reading, but for records of products: these change with each answer of a
    /// server.
    package var rules: Outcome.Versions {
        var rules = versions([:])
        rules.catalogue = nil
        return rules
    }

    private func versions(_ models: [String: String]) -> Outcome.Versions {
        Outcome.Versions(
            tablesight: ProgramVersion.current, models: models, lexicon: allergens.lexiconVersion,
            catalogue: foods.catalogueVersion, documents: "\(documents.version)+kinds@\(decider.version)",
            risk: risk.version)
    }
}

extension Outcome {
    fileprivate mutating func noteTimes(of answer: ReadAnswer) {
        processing.timingsMs = answer.timingsMs.mapValues { $0.rounded(toPlaces: 1) }
        // Step times differ between runs, so they belong to `processing`.
        for (step, milliseconds) in answer.readings.pieces?.timing_ms ?? [:] {
            processing.timingsMs["pieces." + step] = milliseconds.rounded(toPlaces: 1)
        }
        readings.pieces?.timing_ms = [:]
    }
}

/// What the decision about a photo is made from.
package struct KindEvidence: Sendable, Encodable {
    /// The evidence of all kinds, by name.
    package var features: [String: Double]
    /// By kind, what an outcome of that kind would claim, with its score.
    package var claims: [String: [String: Double]]
}

/// The daemon's knowledge of a photo before a worker reads it.
package struct PhotoFacts: Sendable, Hashable {
    package var path: FilePathBytes
    /// `sha256:…`; nil if the file could not be read.
    package var id: String?
    package var bytes: Int

    package init(path: FilePathBytes, id: String?, bytes: Int) {
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
        let faults = Set((readings.unreadBarcodes ?? []).map(\.words)).sorted().joined(separator: "; ")
        return Outcome.Reason(
            code: ItemFailure.Code.nothingRead.rawValue,
            detail: "no text, barcode or piece could be read"
                + (faults.isEmpty ? "" : ", though what may be a code was seen (\(faults))")
                + "; this says nothing about what is on the table",
            hint: advice.isEmpty
                ? "photograph it again from nearer, with more light" : "photograph it again: \(advice)")
    }
}
