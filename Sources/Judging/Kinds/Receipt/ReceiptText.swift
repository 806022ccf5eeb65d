import Core

extension ReceiptKind {
    package static func lines(of outcome: Outcome, in text: OutcomeText) -> [String] {
        outcome.receipt.map(text.lines) ?? []
    }
}

extension OutcomeText {
    /// A receipt, with what the names of its lines warn of.
    package func lines(of receipt: Receipt) -> [String] {
        DocumentText(common).lines(of: receipt) { verdicts($0.verdicts ?? [:]) }
    }
}
