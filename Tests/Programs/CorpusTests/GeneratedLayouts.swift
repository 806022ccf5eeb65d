import Foundation
import TestSupport
import Core

/// One generated menu of `samples/layouts`, made by `scripts/tool rendering.menus.generate samples`.
struct GeneratedLayout {
    var name: String
    var photo: URL
    /// Required spellings of each dish.
    var dishes: [[String]]
    /// Optional spellings, of variants and extras.
    var optional: [[String]]
}

enum GeneratedLayouts {
    /// Lower bounds for the whole set; raise them when the menu stage improves.
    static let dishes = 254
    static let leastFound = 198
    static let mostExtra = 42

    private struct Item: Decodable {
        var name: String?
        var alsoNamed: [String]?
        var optional: Bool?
    }
    private struct Section: Decodable { var items: [Item] }
    private struct Page: Decodable {
        var language: String
        var sections: [Section]
    }

    static func load() throws -> [GeneratedLayout] {
        let folder = Repository.samples.appending(path: "layouts")
        let pages = try JSONDecoder().decode(
            [String: Page].self, from: Data(contentsOf: folder.appending(path: "gt.json")))
        return pages.keys.sorted().map { name in
            let items = pages[name]?.sections.flatMap(\.items) ?? []
            let spellings = { (item: Item) in
                ([item.name].compactMap(\.self) + (item.alsoNamed ?? [])).map(SampleOutcomes.plain)
            }
            return GeneratedLayout(
                name: name, photo: folder.appending(path: name),
                dishes: items.filter { $0.optional != true && $0.name != nil }.map(spellings),
                optional: items.filter { $0.optional == true }.map(spellings))
        }
    }

    /// One spelling may contain the other if their lengths are similar, because numbers and codes are next to names.
    static func isAlike(_ found: String, _ spellings: [String]) -> Bool {
        spellings.contains { spelling in
            found == spelling
                || min(found.count, spelling.count) * 5 >= max(found.count, spelling.count) * 4
                    && (found.contains(spelling) || spelling.contains(found))
        }
    }
}

extension [GeneratedLayout] {
    /// Reads all menus in one run of `tablesight scan`.
    func scan() throws -> [(layout: GeneratedLayout, outcome: Outcome)] {
        Array<(GeneratedLayout, Outcome)>(zip(self, try SampleOutcomes.outcomes(of: map(\.photo)))).map {
            (layout: $0.0, outcome: $0.1)
        }
    }
}
