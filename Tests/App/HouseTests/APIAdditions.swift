import Foundation

/// What a description of the API lacks that an earlier one had. Clients rely on what was there; additions harm nobody.
struct APIAdditions {
    private let former, present: [String: Any]
    private var missing: [String] = []

    /// - Parameters: descriptions in OpenAPI 3.1.
    init(former: Data, present: Data) throws {
        struct NoObject: Error {}
        func object(_ data: Data) throws -> [String: Any] {
            guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else { throw NoObject() }
            return object
        }
        self.former = try object(former)
        self.present = try object(present)
    }

    /// A sentence for each loss, sorted.
    static func missing(from present: Data, of former: Data) throws -> [String] {
        var additions = try APIAdditions(former: former, present: present)
        additions.comparePaths()
        return Array(Set(additions.missing)).sorted()
    }

    /// A sentence for each loss of a JSON Schema, sorted: readers rely on what files and streams had.
    static func missing(fromSchema present: Data, of former: Data) throws -> [String] {
        func asAnswer(_ schema: Data) throws -> [String: Any] {
            let text = String(decoding: schema, as: UTF8.self).replacing("#/$defs/", with: "#/components/schemas/")
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
            return ["schema": object, "components": ["schemas": object["$defs"] ?? [:]]]
        }
        var additions = try APIAdditions(
            former: JSONSerialization.data(withJSONObject: asAnswer(former)),
            present: JSONSerialization.data(withJSONObject: asAnswer(present)))
        additions.compare(additions.former["schema"], additions.present["schema"], "", isAnswer: true)
        return Array(Set(additions.missing)).sorted()
    }

    private mutating func comparePaths() {
        let paths = present["paths"] as? [String: [String: [String: Any]]] ?? [:]
        for (path, methods) in former["paths"] as? [String: [String: [String: Any]]] ?? [:] {
            for (method, operation) in methods {
                let name = "\(method.uppercased()) \(path)"
                guard let own = paths[path]?[method] else {
                    missing.append("\(name) is gone")
                    continue
                }
                compareParameters(operation, own, name)
                compareBodies(operation, own, name)
                compareAnswers(operation, own, name)
            }
        }
    }

    private mutating func compareParameters(_ old: [String: Any], _ new: [String: Any], _ name: String) {
        func parameters(_ operation: [String: Any]) -> [String: [String: Any]] {
            let all = operation["parameters"] as? [[String: Any]] ?? []
            return Dictionary(
                all.map { ("\($0["in"] ?? "") \($0["name"] ?? "")", $0) }, uniquingKeysWith: { first, _ in first })
        }
        let (former, present) = (parameters(old), parameters(new))
        for (key, parameter) in former {
            guard let own = present[key] else {
                missing.append("\(name): the parameter \(key) is gone")
                continue
            }
            compare(parameter["schema"], own["schema"], "\(name): \(key)", isAnswer: false)
        }
        for (key, parameter) in present where parameter["required"] as? Bool == true {
            if former[key]?["required"] as? Bool != true { missing.append("\(name): the parameter \(key) is required") }
        }
    }

    private mutating func compareBodies(_ old: [String: Any], _ new: [String: Any], _ name: String) {
        let content = (new["requestBody"] as? [String: Any])?["content"] as? [String: [String: Any]] ?? [:]
        let former = (old["requestBody"] as? [String: Any])?["content"] as? [String: [String: Any]] ?? [:]
        for (type, body) in former {
            guard let own = content[type] else {
                missing.append("\(name): the body \(type) is gone")
                continue
            }
            compare(body["schema"], own["schema"], "\(name): body", isAnswer: false)
        }
    }

    private mutating func compareAnswers(_ old: [String: Any], _ new: [String: Any], _ name: String) {
        let answers = new["responses"] as? [String: [String: Any]] ?? [:]
        for (status, answer) in old["responses"] as? [String: [String: Any]] ?? [:] {
            guard let own = answers[status] else {
                missing.append("\(name): the status \(status) is gone")
                continue
            }
            let content = own["content"] as? [String: [String: Any]] ?? [:]
            for (type, body) in answer["content"] as? [String: [String: Any]] ?? [:] {
                guard let shown = content[type] else {
                    missing.append("\(name): \(status) has no \(type)")
                    continue
                }
                compare(body["schema"], shown["schema"], "\(name): \(status)", isAnswer: true)
            }
            let headers = own["headers"] as? [String: Any] ?? [:]
            for header in (answer["headers"] as? [String: Any] ?? [:]).keys where headers[header] == nil {
                missing.append("\(name): \(status) has no header \(header)")
            }
        }
    }

    private func resolved(_ schema: Any?, in document: [String: Any]) -> [String: Any] {
        guard let schema = schema as? [String: Any] else { return [:] }
        guard let reference = schema["$ref"] as? String, let name = reference.split(separator: "/").last else {
            return schema
        }
        let components = document["components"] as? [String: [String: Any]]
        return components?["schemas"]?[String(name)] as? [String: Any] ?? [:]
    }

    private mutating func compare(_ old: Any?, _ new: Any?, _ name: String, isAnswer: Bool, within: [String] = []) {
        // A form may contain itself.
        let reference = (old as? [String: Any])?["$ref"] as? String
        guard reference.map({ !within.contains($0) }) ?? true else { return }
        let within = within + (reference.map { [$0] } ?? [])
        let (former, present) = (resolved(old, in: former), resolved(new, in: present))
        if let type = former["type"] as? String, let own = present["type"] as? String, type != own {
            // Whole numbers are numbers, and a path is text in any case.
            let isNarrower = type == "number" && own == "integer" || !isAnswer && type == "string" && own == "integer"
            if !isNarrower { missing.append("\(name): \(own) instead of \(type)") }
        } else if isAnswer, let type = former["type"] as? String, present["type"] == nil, !Self.hasChoices(present) {
            missing.append("\(name): the type \(type) is gone")
        }
        compareLimits(former, present, name, isAnswer: isAnswer)
        let choices = Set(present["enum"] as? [String] ?? [])
        if let known = former["enum"] as? [String], !choices.isEmpty || isAnswer {
            for choice in known where !choices.contains(choice) {
                missing.append("\(name): the value \(choice) is gone")
            }
        }
        let properties = present["properties"] as? [String: Any] ?? [:]
        for (key, property) in former["properties"] as? [String: Any] ?? [:] {
            guard let own = properties[key] else {
                missing.append("\(name): the property \(key) is gone")
                continue
            }
            compare(property, own, "\(name).\(key)", isAnswer: isAnswer, within: within)
        }
        let (had, has) = (former["required"] as? [String] ?? [], present["required"] as? [String] ?? [])
        if isAnswer {
            for key in Set(had).subtracting(has) { missing.append("\(name): \(key) may be absent") }
        } else if former["properties"] != nil {
            for key in Set(has).subtracting(had) { missing.append("\(name): \(key) is required") }
        }
        for key in ["items", "additionalProperties"] where former[key] is [String: Any] {
            guard present[key] != nil else {
                missing.append("\(name): \(key) is gone")
                continue
            }
            compare(former[key], present[key], "\(name)[]", isAnswer: isAnswer, within: within)
        }
    }

    private static func hasChoices(_ schema: [String: Any]) -> Bool {
        ["$ref", "anyOf", "oneOf", "allOf", "const", "enum", "type"].contains { schema[$0] != nil }
    }

    /// An answer stays within its former limits; a request may use all of them.
    private mutating func compareLimits(
        _ former: [String: Any], _ present: [String: Any], _ name: String, isAnswer: Bool
    ) {
        if let value = former["const"], "\(value)" != "\(present["const"] ?? "nothing")" {
            missing.append("\(name): \(value) is no longer its value")
        }
        for (key, isUpper) in [
            ("maximum", true), ("maxLength", true), ("maxItems", true), ("minimum", false), ("minLength", false),
            ("minItems", false),
        ] {
            let (old, new) = (former[key] as? Double, present[key] as? Double)
            let (inner, outer) = isAnswer ? (new, old) : (old, new)
            guard let limit = outer else { continue }
            let isInside = inner.map { isUpper ? $0 <= limit : $0 >= limit } ?? false
            if !isInside { missing.append("\(name): \(key) \(new.map { "\($0)" } ?? "is gone")") }
        }
    }
}
