import Core
import Household
import Store
import Testing

@testable import App

/// The bands of a menu: what each person avoids, asks about first, and finds nothing of.
extension ResultPageTests {
    @Test func `a dish stands in the band of its most serious verdict for whoever is shown`() throws {
        var possible = verdict(.cannotTell, 0.42)
        possible.risk = .medium
        let outcome = try menu([
            ("Brownie", ["Ada": [.milk: verdict(.likely, 0.68)], "Ben": [.nuts: verdict(.contains, 0.9)]]),
            ("Chicken", ["Ada": [.milk: possible], "Ben": [.nuts: verdict(.mayContain, 0.5)]]),
        ])
        func counts(_ person: String?) throws -> [String] {
            try page(outcome) { $0.place.person = person }.matches(of: /<a class="chip--[a-z]+"[^>]*><b>(\d+)<\/b>/).map
            {
                "\($0.1)"
            }
        }
        #expect(try counts(nil) == ["1", "0", "1", "0"])
        let leads = try page(outcome).matches(of: /<b>(Ada|Ben)<\/b>:\s+([^<]+)</).map { "\($0.1) \($0.2)" }
        #expect(leads == ["Ada avoid 1, ask about 1 of 2", "Ben avoid 1, ask about 1 of 2"])
        #expect(try counts("Ada") == ["0", "1", "1", "0"])
        let ada = try page(outcome) { $0.place.person = "Ada" }
        #expect(ada.contains("<b>Ask</b>: milk 42 %") && !ada.contains("<b>Contains</b>"))
    }

    @Test func `what staff denied is not called not mentioned, and what they said last time is asked about`() throws {
        var denied = verdict(.notFoundInText, 0.03)
        (denied.by, denied.said) = ("Ada", .absent)
        let outcome = try menu([
            ("Pad Thai", ["Ada": [.milk: denied, .nuts: verdict(.notFoundInText, 0.03)]]),
            ("Salad", ["Ada": [.milk: verdict(.notFoundInText, 0.03)]]),
        ])
        let html = try page(outcome) { $0.place.person = "Ada" }
        let bands = html.matches(of: /<h2 class="band chip--[a-z]+" id="band-([a-z]+)">/).map { "\($0.1)" }
        #expect(bands == ["denied", "none"])
        var lead = html.firstMatch(of: /<b>Ada<\/b>:\s+([^<]+)</).map { "\($0.1)" }
        #expect(lead == "avoid 0, ask about 0 of 2")
        let before = Review(
            content: "sha256:old", item: "Salad", allergen: .milk, action: .edit, value: "CONTAINS", reviewer: "Ben",
            made: 0)
        let item = try #require(outcome.menu?.sections.first?.items.last)
        let known = EarlierAnswers(
            ofDish: [
                SavedItem.key(ofDish: item.name, at: item.box): [
                    EarlierAnswer(review: before, allergen: .milk, title: "Warung")
                ]
            ])
        let again = try page(outcome) {
            ($0.place.person, $0.earlier) = ("Ada", known)
        }
        lead = again.firstMatch(of: /<b>Ada<\/b>:\s+([^<]+)</).map { "\($0.1)" }
        #expect(lead == "avoid 0, ask about 1 of 2")
        #expect(again.contains("Warung: contains milk"))
    }

    @Test func `of many possible allergens a dish names the most probable, and nothing of those that are unlikely`()
        throws
    {
        func chance(_ probability: Double) -> AllergenVerdict {
            AllergenVerdict(verdict: .cannotTell, risk: .low, probability: probability, reason: "noDeclaration")
        }
        let outcome = try menu([
            (
                "Stew",
                [
                    "Ada": [
                        .milk: chance(0.06), .nuts: chance(0.3), .fish: chance(0.2), .eggs: chance(0.1),
                        .celery: chance(0.04),
                    ]
                ]
            ),
            ("Tea", ["Ada": [.milk: chance(0.01), .nuts: chance(0.02)]]),
        ])
        let html = try page(outcome)
        #expect(html.contains("<b>Ask</b>: nuts 30 %, fish 20 %, eggs 10 % and 1 more"))
        #expect(html.contains("href=\"#band-none\"><b>1</b>") && !html.contains("celery"))
    }

    @Test func `a dish that is out leads to those of its section that are not, the least serious first`() throws {
        func possible(_ probability: Double) -> [String: [Allergen: AllergenVerdict]] {
            ["Ada": [.milk: AllergenVerdict(verdict: .cannotTell, risk: .low, probability: probability)]]
        }
        var outcome = try menu([
            ("Lasagne", ["Ada": [.milk: verdict(.contains, 0.95)]]), ("Stew", possible(0.4)), ("Rice", possible(0.01)),
            ("Gratin", ["Ada": [.milk: verdict(.likely, 0.8)]]),
        ])
        outcome.menu?.sections.append(
            .init(title: "Desserts", items: [Menu.Item(name: "Sorbet", verdicts: possible(0.1), confidence: 0.9)]))
        func instead(_ dish: String) throws -> [String] {
            try page(outcome) { $0.place.open = dish }.matches(of: /<li><a href="[^"]+">([^<]+)<\/a> <\/li>/).map {
                "\($0.1)"
            }
        }
        #expect(try instead("Lasagne") == ["Rice", "Stew"])
        #expect(try instead("Gratin") == ["Rice", "Stew"])
        #expect(try instead("Stew") == [])
    }

    @Test func `a dish near a line that was not understood is never called not mentioned`() throws {
        var outcome = try menu([("Salad", ["Ada": [.milk: verdict(.notFoundInText, 0.03)]])])
        outcome.menu?.unread = [.init(text: "appie, grapcs", box: Self.box, dish: "Salad")]
        let html = try page(outcome)
        #expect(
            html.contains("href=\"#band-ask\"><b>1</b>") && !html.contains("#band-none")
                && html.contains("1 line not understood"))
    }

    @Test func `an allergen in a line that was not understood warns those who avoid it, above the dishes`() throws {
        var outcome = try menu([
            ("Salad", ["Ada": [.peanuts: verdict(.cannotTell, 0.03)], "Ben": [.milk: verdict(.cannotTell, 0.1)]])
        ])
        let findings = [(Allergen.peanuts, "peanuts"), (.fish, "cod")].map { allergen, word in
            AllergenFinding(
                allergen: allergen, polarity: .contains, strength: .ingredient,
                evidence: [.init(text: word, language: "en", ruleId: "lexicon", lexeme: word)], probability: 0.9)
        }
        outcome.menu?.unread = [.init(text: "cuataia peanuts, cod", box: Self.box, dish: nil, findings: findings)]
        let html = try page(outcome)
        let warning = try #require(html.firstMatch(of: /id="unreadnames">([^<]+)</)).1
        #expect(warning.contains("name peanuts (“peanuts”).") && !warning.contains("cod"))
        let place = try #require(html.range(of: "unreadnames")).lowerBound
        #expect(try place < #require(html.range(of: "Salad")).lowerBound)
        #expect(try !page(outcome) { $0.place.person = "Ben" }.contains("unreadnames"))
        #expect(try page(outcome) { $0.place.person = "Ada" }.contains("unreadnames"))
    }
}
