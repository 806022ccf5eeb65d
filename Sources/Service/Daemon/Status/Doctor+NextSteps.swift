import Core

extension Doctor {
    /// A command for somebody who asks what to do next.
    package struct Step: Sendable, Hashable {
        package var command: String
        /// What it brings.
        package var reason: String
    }

    /// What to do after an examination, the most urgent first; never empty.
    ///
    /// Missing parts that are needed come alone, because nothing works before. Packages are installed by one command.
    ///
    /// - Parameters:
    ///   - people: names of the household; nil where they cannot be read, which is no reason to add one.
    ///   - hasProducts: true if an export was imported.
    package static func nextSteps(_ findings: [Finding], people: [String]?, hasProducts: Bool) -> [Step] {
        let missing = findings.filter { $0.state == .missing }
        let needed = steps(for: missing.filter(\.isNeeded), "needed")
        guard needed.isEmpty else { return needed }
        var steps: [Step] = []
        if people?.isEmpty == true {
            steps.append(
                Step(
                    command: "tablesight household add NAME --allergen milk=severe",
                    reason: "nobody is named: photos are judged for \(AllergenProfile.everyone)"))
        }
        if !hasProducts {
            steps.append(Step(command: "tablesight catalogue", reason: "only invented products are known"))
        }
        steps.append(Step(command: "tablesight watch", reason: "reads photos that you drop into ./inbox"))
        return steps + Self.steps(for: missing, "optional")
    }

    private static let install = "sudo apt-get install "

    private static func steps(for missing: [Finding], _ reason: String) -> [Step] {
        let remedies = missing.compactMap(\.remedy).reduce(into: [String]()) { known, remedy in
            if !known.contains(remedy) { known.append(remedy) }
        }
        let packages = remedies.filter { $0.hasPrefix(install) }.map { $0.dropFirst(install.count) }
        let others = remedies.filter { !$0.hasPrefix(install) }
        return ((packages.isEmpty ? [] : [install + packages.joined(separator: " ")]) + others)
            .map { Step(command: $0, reason: reason) }
    }
}
