import Foundation
import Hummingbird
import TestSupport
import Testing

@testable import Daemon

/// Every number that a request can carry, at the ends of its type. A trap ends the daemon, and this test run with it.
@Suite(.serialized) struct NumberAttackTests {
    /// The end of whole numbers comes first.
    private static let numbers = [
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "-1", "0", "1e308", "1e-400", "NaN",
        String(repeating: "9", count: 60),
    ]

    /// The fields of forms and addresses that the app reads as numbers, from its source.
    private static let numericFields = Result { try readNumericFields() }

    private static func readNumericFields() throws -> [String] {
        let files = FileManager.default.enumerator(
            at: Repository.root.appending(path: "Sources/App"), includingPropertiesForKeys: nil)
        var names: Set<String> = []
        for case let file as URL in try #require(files) where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(
                of: /(?:Int|Int64|Double|Decimal)\(\w+\["(\w+)"\]\)|\.(?:number|decimal)\("(\w+)"/)
            {
                if let name = match.1 ?? match.2 { names.insert(String(name)) }
            }
        }
        return names.sorted()
    }

    /// Texts like the given one, each with numbers of it replaced by `number`: one after the other, then all.
    private static func replacing(in text: String, _ number: String) -> [String] {
        // Parts of words, of days and of hashes are no numbers.
        func isPart(_ character: Character?) -> Bool {
            character.map { $0.isLetter || $0.isNumber || ".-_".contains($0) } ?? false
        }
        let places = text.ranges(of: /-?\d+(?:\.\d+)?/).filter { range in
            !isPart(text[..<range.lowerBound].last) && !isPart(text[range.upperBound...].first)
        }
        let single = places.map { text.replacingCharacters(in: $0, with: number) }
        var all = text
        for place in places.reversed() { all.replaceSubrange(place, with: number) }
        return places.count > 1 ? single + [all] : single
    }

    /// Forms like the given one, each with one field that is the number, and then with all fields that are numbers.
    private static func forms(like form: String, _ fields: [String], _ number: String) -> [String] {
        let pairs = form.split(separator: "&").map(String.init)
        let others = fields.filter { name in !pairs.contains { $0.hasPrefix("\(name)=") } }
        let rest = others.map { "&\($0)=\(number)" }
        let full = pairs.map { pair in
            let name = pair.prefix { $0 != "=" }
            return fields.contains(String(name)) ? "\(name)=\(number)" : pair
        }.joined(separator: "&")
        let isEnd = number == numbers[0]
        return replacing(in: form, number) + [full + rest.joined()] + (isEnd ? rest.map { form + $0 } : [])
    }

    /// JSON like the given one, each with one of the numbers that the body's schema names, and then with all.
    private static func bodies(like json: String, _ properties: [String], _ number: String) -> [String] {
        guard json.hasSuffix("}"), json != "{}" else { return replacing(in: json, number) }
        let others = properties.filter { !json.contains("\"\($0)\":") }
        return replacing(in: json, number) + others.map { "\(json.dropLast()),\"\($0)\":\(number)}" }
    }

    /// Properties of JSON bodies that are numbers, by route.
    private static func properties(in house: House) async throws -> [String: [String]] {
        let description = try await house.call("GET", "/v1/openapi.json", as: House.key).json
        let schemas = (description["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]] ?? [:]
        func resolved(_ schema: [String: Any]?) -> [String: Any] {
            guard let name = (schema?["$ref"] as? String)?.split(separator: "/").last else { return schema ?? [:] }
            return schemas[String(name)] ?? [:]
        }
        var found: [String: [String]] = [:]
        for (path, methods) in description["paths"] as? [String: [String: [String: Any]]] ?? [:] {
            for (method, operation) in methods {
                let content = (operation["requestBody"] as? [String: Any])?["content"] as? [String: [String: Any]]
                let schema = resolved(content?["application/json"]?["schema"] as? [String: Any])
                let numbers = (schema["properties"] as? [String: [String: Any]] ?? [:]).filter {
                    ["number", "integer"].contains(resolved($0.value)["type"] as? String)
                }
                let parameters = (operation["parameters"] as? [[String: Any]] ?? []).filter {
                    ["number", "integer"].contains(resolved($0["schema"] as? [String: Any])["type"] as? String)
                        && $0["in"] as? String == "query"
                }.compactMap { $0["name"] as? String }
                found["\(method.uppercased()) \(path)"] = numbers.keys.sorted() + parameters
            }
        }
        return found
    }

    private struct Attack {
        var path: String
        var body: Data
    }

    private static func attacks(
        on route: WantedRights.Route, _ request: SampleRequest, _ fields: [String], _ number: String
    ) -> [Attack] {
        let parts = request.path.split(separator: "?", maxSplits: 1).map(String.init)
        let query = parts.count > 1 ? parts[1] : ""
        var attacks = replacing(in: parts[0], number).map {
            Attack(path: $0 + (query.isEmpty ? "" : "?\(query)"), body: request.body)
        }
        if !route.changes {
            attacks += forms(like: query, fields, number).map { Attack(path: "\(parts[0])?\($0)", body: request.body) }
        }
        let text = String(decoding: request.body, as: UTF8.self)
        let isJSON = text.hasPrefix("{") || text.hasPrefix("[")
        if route.changes, isJSON || request.type == "application/x-www-form-urlencoded" {
            let changed = isJSON ? bodies(like: text, fields, number) : forms(like: text, fields, number)
            attacks += changed.map { Attack(path: request.path, body: Data($0.utf8)) }
        } else if route.changes {
            attacks += replacing(in: text, number).map { Attack(path: request.path, body: Data($0.utf8)) }
        }
        return attacks
    }

    @Test(arguments: WantedRights.groups)
    func `no number in a path, an address, a form or a body ends the daemon`(_ group: WantedRights.Group) async throws {
        guard group.rule != .worker else { return }
        let (house, things) = try await House.furnished()
        let saved = try house.saved()
        let (fields, properties) = (try Self.numericFields.get(), try await Self.properties(in: house))
        #expect(fields.contains("n") && fields.contains("weight"))
        for (turn, route) in group.routes.enumerated() {
            try house.restore(saved)
            let cookie = try house.device(of: "Ada", opens: true)
            func send(_ attack: Attack, _ type: String?) async throws -> House.Reply {
                var headers = ["Content-Type": type ?? "application/json"]
                if route.isPage {
                    headers["Cookie"] = "tablesight=\(cookie)"
                    headers["Accept"] = "text/html"
                    headers["Origin"] = "http://\(House.host)"
                } else {
                    headers["Authorization"] = "Bearer \(House.key)"
                    headers["Tablesight-Member"] = "Ada"
                }
                return try await house.send(route.method, attack.path, attack.body, headers)
            }
            let request = try SampleRequest(route, in: house, things)
            var isStored = false
            for number in Self.numbers {
                let names = route.isPage ? fields : properties[route.description] ?? []
                for attack in Self.attacks(on: route, request, names, number) {
                    let reply = try await send(attack, request.type)
                    #expect(
                        reply.status != 500, "\(route) \(attack.path) \(String(decoding: attack.body, as: UTF8.self))")
                    isStored = isStored || route.changes && reply.status < 400
                }
            }
            guard isStored else { continue }
            // What was stored is shown, on some of the pages after each route, each page after many.
            let pages = WantedRights.groups.flatMap(\.routes).filter { !$0.changes && $0.path != "/v1/events" }
            for (place, shown) in pages.enumerated() where (place + turn) % 12 == 0 {
                let request = try SampleRequest(shown, in: house, things)
                let headers = [
                    "Authorization": "Bearer \(House.key)", "Tablesight-Member": "Ada", "Accept": "text/html",
                ]
                let reply = try await house.send("GET", request.path, Data(), headers)
                #expect(reply.status != 500, "\(shown) after \(route)")
            }
        }
    }
}
