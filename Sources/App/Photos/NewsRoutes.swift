import Core
import HTTP
import Household

// What people missed on stored photos, as JSON, and the form that takes it off.
extension PhotoRoutes {
    private struct News: Codable, Sendable { var items: [NewsItem] }

    var news: [Route] {
        [
            Route(
                .get, "v1/news", for: .guest,
                "Verdicts on stored photos that got worse for whoever asks, to an adult also for children",
                gives: [200: "Newest first."]
            ) { call in News(items: try await cases.news(for: try call.identity).map(\.item)) },
            Route(
                .delete, "v1/news/\(.news)", for: .adult, "Dismisses news of a photo",
                gives: [200: "They are not listed again."], refuses: [404: "There is nothing under this address."]
            ) { call in
                let number = try call[.news]
                try await cases.dismissNews(number, by: try call.identity)
                return NewsNumber(number: number)
            },
            shell.page(.post, "news/dismiss", for: .adult, in: .scan) { visit in
                let numbers = ResultPlace.numbers(try await visit.call.form()["news"])
                try await cases.dismissNews(numbers, by: try visit.call.identity)
                return Visit.next("/")
            },
        ]
    }

    /// The news of whoever opens the first page; nil for none.
    func newsCard(_ visit: Visit) async throws -> NewsCard? {
        let found = try await cases.news(for: visit.viewer, limit: NewsCard.mostRows + 1)
        return NewsCard(
            found, people: cases.people, mayDismiss: visit.viewer.map { $0.role >= .adult } ?? false, visit.language)
    }
}

/// What people missed, on the first page.
struct NewsCard {
    static let mostRows = 5

    let rows: [NewsRow]
    /// The numbers of all rows.
    let numbers: String
    /// Says that there is more.
    let more: String?
    let mayDismiss: Bool

    /// Nil if there is nothing.
    ///
    /// - Parameters:
    ///   - found: one more than the card shows if there are more.
    ///   - people: the people of the household, in its order.
    init?(
        _ found: [(item: NewsItem, outcome: Outcome)], people: [AllergenProfile], mayDismiss: Bool,
        _ language: PageLanguage
    ) {
        guard !found.isEmpty else { return nil }
        rows = found.prefix(Self.mostRows).map { NewsRow($0.item, $0.outcome, people: people, language) }
        numbers = rows.map(\.number).joined(separator: ",")
        more = found.count > rows.count ? language.texts.text("news.more") : nil
        self.mayDismiss = mayDismiss
    }
}

struct NewsRow {
    struct Line {
        /// The dish or the product; nil where it is the title of the photo.
        let item: String?
        let chip: Chip
        /// The verdict that the person knows.
        let before: String
    }

    let number, photo, address, title, time, datetime, label: String
    let people: [PersonMark]
    let lines: [Line]
    /// Says how many more verdicts the photo has.
    let more: String?

    private static let mostLines = 4

    fileprivate init(_ item: NewsItem, _ outcome: Outcome, people: [AllergenProfile], _ language: PageLanguage) {
        let texts = language.texts
        number = "\(item.number)"
        photo = item.photo
        title = texts.title(of: outcome)
        var place = ResultPlace()
        place.person = item.person
        place.open = item.changes.lazy.compactMap { outcome.savable(.dish, $0.item)?.item }.first
        address = place.address(of: item.photo)
        datetime = item.judged.formatted(.iso8601)
        time = texts.moment(item.judged)
        label = texts.text("news.dismiss.x", ["x": title])
        let names = people.map(\.name)
        let all = names.contains(item.person) ? names : names + [item.person]
        self.people = zip(all, PersonMark.all(all, texts)).filter { $0.0 == item.person }.map(\.1)
        let words = people.first { $0.name == item.person }?.words ?? []
        lines = item.changes.prefix(Self.mostLines).map { change in
            let known = change.before.map { texts.text("v.\($0.rawValue)") } ?? texts.text("news.unread")
            let product = outcome.products?.first { $0.gtin == change.item }
            return Line(
                item: change.item == Review.label ? nil : product.map { $0.name ?? $0.gtin } ?? change.item,
                chip: Chip(change.after, names: language.name(of: change.allergen, words: words), texts),
                before: texts.text("news.before", ["x": known.lowercased()]))
        }
        let left = item.changes.count - lines.count
        more = left > 0 ? texts.text("news.verdicts", ["n": "\(left)"]) : nil
    }
}

extension PathParameter where Value == Int64 {
    fileprivate static var news: Self { PathParameter(number: "number", "The `number` of the news.") }
}
