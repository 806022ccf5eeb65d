import Core

/// Writes answers as JSON directly, because `JSONEncoder` took most of the time of a label.
enum JudgementJSON {
    static func append(_ judgement: TextJudgement, id: CaseID, to bytes: inout [UInt8]) {
        bytes += "{\"id\":".utf8
        append(id, to: &bytes)
        bytes += ",\"findings\":[".utf8
        for (number, finding) in judgement.findings.enumerated() {
            if number > 0 { bytes.append(0x2C) }
            append(finding, to: &bytes)
        }
        bytes += "],\"verdicts\":{".utf8
        var isFirst = true
        for allergen in Allergen.allCases {
            guard let verdict = judgement.verdicts[allergen] else { continue }
            if !isFirst { bytes.append(0x2C) }
            isFirst = false
            bytes.append(0x22)
            bytes += allergen.rawValue.utf8
            bytes += "\":{\"verdict\":\"".utf8
            bytes += verdict.verdict.rawValue.utf8
            bytes += "\",\"probability\":".utf8
            append(verdict.probability, to: &bytes)
            bytes += ",\"risk\":\"".utf8
            bytes += verdict.risk.rawValue.utf8
            bytes.append(0x22)
            if let reason = verdict.reason {
                bytes += ",\"reason\":".utf8
                append(string: reason, to: &bytes)
            }
            bytes.append(0x7D)
        }
        bytes += "}".utf8
        if !judgement.unclear.isEmpty {
            bytes += ",\"unclear\":[".utf8
            for (number, word) in judgement.unclear.enumerated() {
                if number > 0 { bytes.append(0x2C) }
                append(string: word, to: &bytes)
            }
            bytes += "]".utf8
        }
        bytes += "}".utf8
    }

    /// - Parameter id: the name of the case; nil if the line has none.
    static func append(failure detail: String, id: CaseID?, to bytes: inout [UInt8]) {
        bytes += "{\"id\":".utf8
        if let id { append(id, to: &bytes) } else { bytes += "null".utf8 }
        bytes += ",\"error\":{\"code\":\"badInput\",\"detail\":".utf8
        append(string: detail, to: &bytes)
        bytes += "}}".utf8
    }

    private static func append(_ id: CaseID, to bytes: inout [UInt8]) {
        switch id {
        case .text(let text): append(string: text, to: &bytes)
        case .number(let number): bytes += number.description.utf8
        }
    }

    private static func append(_ finding: AllergenFinding, to bytes: inout [UInt8]) {
        bytes += "{\"allergen\":\"".utf8
        bytes += finding.allergen.rawValue.utf8
        bytes.append(0x22)
        if let leaf = finding.leaf {
            bytes += ",\"leaf\":".utf8
            append(string: leaf, to: &bytes)
        }
        bytes += ",\"polarity\":\"".utf8
        bytes += finding.polarity.rawValue.utf8
        bytes += "\",\"strength\":\"".utf8
        bytes += finding.strength.rawValue.utf8
        bytes += "\",\"probability\":".utf8
        append(finding.probability, to: &bytes)
        if let evidence = finding.evidence.first {
            bytes += ",\"text\":".utf8
            append(string: evidence.text, to: &bytes)
            bytes += ",\"rule\":".utf8
            append(string: evidence.ruleId, to: &bytes)
            if let exemption = evidence.exemption, finding.evidence.allSatisfy({ $0.exemption != nil }) {
                bytes += ",\"exemption\":".utf8
                append(string: exemption, to: &bytes)
            }
        }
        bytes.append(0x7D)
    }

    /// Appends a number from 0 to 1 with four decimals.
    private static func append(_ value: Double, to bytes: inout [UInt8]) {
        let rounded = Int((min(1, max(0, value)) * 10_000).rounded())
        if rounded >= 10_000 {
            bytes.append(0x31)
        } else {
            let digits = Array(String(rounded + 10_000).utf8)[1...]
            bytes += [0x30, 0x2E]
            bytes += digits
        }
    }

    private static func append(string: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        for byte in string.utf8 {
            switch byte {
            case 0x22, 0x5C: bytes += [0x5C, byte]
            case 0x0A: bytes += [0x5C, 0x6E]
            case 0x0D: bytes += [0x5C, 0x72]
            case 0x09: bytes += [0x5C, 0x74]
            case 0..<0x20:
                bytes += "\\u00".utf8
                let hex = Array("0123456789abcdef".utf8)
                bytes += [hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}
