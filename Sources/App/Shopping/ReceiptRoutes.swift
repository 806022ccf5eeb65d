import Groceries
import HTTP
import Hummingbird

// Receipts as JSON, and the page on which a person checks one.
extension ShoppingRoutes {
    var receiptRoutes: [Route] {
        [
            Route(
                .get, "v1/receipts/\(.photo)", for: .adult, "The receipt of a photo, its lines matched to products",
                gives: [200: "The receipt."], refuses: Self.unknown
            ) { call in try await actions.receipt(ofPhoto: try call[.photo], for: call.person) },
            Route(
                .post, "v1/receipts/\(.photo)", for: .adult,
                "Accepts the waiting prices of a receipt that are sure, with corrections, and changes accepted ones",
                body: ReceiptAnswer.self,
                gives: [200: "What became of the lines."], refuses: Self.conflicts
            ) { call, answer in try await actions.accept(receipt: try call[.photo], answer, by: call.person) },
            Route(
                .post, "v1/receipts/\(.photo)/ticks", for: .adult,
                "Completes the entries of one's lists that are on a receipt", gives: [200: "How many."],
                refuses: Self.conflicts
            ) { call in
                ReceiptTicks(ticked: try await actions.tickOff(receipt: try call[.photo], by: call.person))
            },

            shell.page(.get, "receipts/\(.photo)", for: .adult, in: .history) { visit in
                // An undone acceptance gives back what was typed.
                try await showReceipt(ReceiptForm(visit.call.query), to: visit)
            },
            shell.page(.post, "receipts/\(.photo)", for: .adult, in: .history) { visit in
                let form = ReceiptForm(try await visit.call.form())
                return try await visit.answer {
                    try await answer(form, visit)
                } refused: {
                    try await showReceipt(form, to: $0)
                }
            },
        ]
    }

    private func answer(_ form: ReceiptForm, _ visit: Visit) async throws -> Response {
        let (id, person) = (try visit.call[.photo], try visit.call.person)
        switch form.body["do"] {
        case "accept": return try await accept(form, id, visit)
        case let tap where tap.hasPrefix("line "):
            let line = Int(tap.dropFirst("line ".count))
            return try await accept(form, only: line, id, visit)
        case "tick":
            return Visit.next("/receipts/\(id)?ticked=\(try await actions.tickOff(receipt: id, by: person))")
        default: return try await showReceipt(form, to: visit)
        }
    }

    private func accept(
        _ form: ReceiptForm, only line: Int? = nil, _ id: String, _ visit: Visit
    ) async throws -> Response {
        let person = try visit.call.person
        let content = try await actions.receiptContent(id, apart: form.apart, for: person)
        let answer = try form.answer(content, only: line)
        let corrected = try form.corrections(content).keys
        let report = try await actions.accept(receipt: id, answer, by: person)
        let next =
            "/receipts/\(id)?accepted=\(report.accepted)&rejected=\(report.rejected)&waiting=\(report.waiting)"
            + "&changed=\(report.changed)"
        let (decided, before) = (report.decided, report.before)
        guard !decided.isEmpty || before != nil else { return Visit.next(next) }
        return visit.next(
            next, offering: visit.texts.text("receipt.decided"),
            back: form.address(of: id, corrected: corrected, undone: decided.count + report.changed)
        ) {
            if !decided.isEmpty { try await actions { try $0.takeBack(decided, ofPhoto: id, by: person) } }
            if let before { _ = try await actions.accept(receipt: id, before, by: person) }
        }
    }

    private func showReceipt(_ form: ReceiptForm, to visit: Visit) async throws -> Response {
        let id = try visit.call[.photo]
        var content = try await actions.receiptContent(id, apart: form.apart, for: visit.call.person)
        content.household = try await actions.avoiding(among: judged.people)
        let query = visit.call.query
        let done = ["accepted", "rejected", "waiting", "changed", "ticked", "undone"].compactMap { key -> String? in
            guard let number = Int(query[key]), number > 0 else { return nil }
            return visit.texts.text("receipt.done.\(key)", ["n": "\(number)"])
        }
        return try visit.show(
            ReceiptPage(content, form, visit.language, isAnswered: !done.isEmpty && visit.problem == nil),
            message: done.isEmpty ? nil : done.joined(separator: " "))
    }
}

/// How many entries of lists were completed.
struct ReceiptTicks: Codable, Sendable, Documented {
    var ticked: Int

    static let about: String? = "How many entries of lists were completed."
}

extension ReceiptReading: Documented {
    package static let about: String? = "A receipt as people check it, the unsure lines first."
}

extension ReceiptAnswer: Documented {
    package static let about: String? = "An answer to a whole receipt; what is not named is taken from the reading."
    package static let fields = ["place": Field.number()]
}

extension ReceiptReport: Documented {
    package static let about: String? = "What became of the lines of a receipt."
}
