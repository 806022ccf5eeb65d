import Core
import Foundation
import HTTP
import Household
import Kinds
import Store

/// Where the card of a person is, with what its page shows.
struct StaffPlace {
    /// The person; nil for the first with something to ask.
    var person: String?
    /// BCP 47; nil for the language of the menu.
    var language: String?
    var staff = ""
    var isAll = false
    /// Numbers of the reviews that were just saved and can be taken back.
    var saved: [Int64] = []

    private static let longestStaff = 60

    init() {}

    /// - Parameter fields: of the address, or of a form of the page.
    init(_ fields: FormBody) {
        person = fields.text("for")
        language = fields.text("lang")
        staff = String(fields["staff"].prefix(Self.longestStaff))
        isAll = fields.has("all")
        saved = ResultPlace.numbers(fields["saved"])
    }

    func address(of photo: String) -> String {
        "/photos/\(photo)/staff".with([
            "for": person, "lang": language, "staff": staff.isEmpty ? nil : staff, "all": isAll ? "1" : nil,
            "saved": saved.isEmpty ? nil : saved.map(String.init).joined(separator: ","),
        ])
    }
}

/// The page that a person shows to staff: the card, with the answers that a tap gives.
struct StaffPage: Page {
    static let template = "staff"
    static let styles = ["result", "fix", "form"]
    static let scripts = ["kept-pages"]

    struct Language {
        let code, name, address: String
        let isCurrent: Bool
    }

    let heading: String
    let id, title, back: String
    let choices: [MenuResult.Choice]
    let languages: [Language]
    /// Nil where there is nothing to ask about.
    let card: AskCard?
    let mayAnswer: Bool
    /// What the form sends back, and the address of all dishes.
    let shownFor, spoken, staff, whole: String
    let isAll: Bool
    let emergency: String
    /// When it was made, for the time without a network.
    let made: String? = Date().formatted(.iso8601)

    init(_ shown: ShownOutcome, at place: StaffPlace) {
        let texts = shown.texts
        let cards = AskCard.all(shown, at: place)
        var own = place
        own.saved = []
        heading = texts.text("result.staff")
        id = shown.id
        title = texts.title(of: shown.outcome)
        back = shown.address(for: shown.place.person)
        let marks = shown.marks(of: shown.names)
        choices = (marks.count > 1 ? marks : []).map { name, mark in
            var other = own
            other.person = name
            return MenuResult.Choice(
                name: mark.name, address: other.address(of: shown.id), mark: mark,
                isCurrent: name == (place.person ?? cards.first?.person))
        }
        let card = cards.first?.card
        self.card = card
        languages = (shown.language.staff?.languages ?? []).map { code in
            var other = own
            other.language = code
            return Language(
                code: code, name: Locale(identifier: code).localizedString(forLanguageCode: code) ?? code,
                address: other.address(of: shown.id),
                isCurrent: code == card?.language)
        }
        mayAnswer = shown.mayCorrect
        let asked = (shown.outcome.menu?.sections ?? []).flatMap(\.items).flatMap { $0.statements ?? [] }
        (shownFor, spoken) = (place.person ?? "", place.language ?? "")
        staff = place.staff.isEmpty ? asked.compactMap(\.staff).last ?? "" : place.staff
        var all = own
        all.isAll = true
        (whole, isAll) = (all.address(of: shown.id), place.isAll)
        emergency = shown.language.wording.emergency
    }
}

/// A tap on the card.
struct StaffAnswer {
    /// The row, for the place on the page to come back to.
    let row: String
    let item: String
    let place: Quad?
    /// Of the dish in ``EarlierAnswers``.
    let key: String
    /// The answer and its allergens; nil for what was said on an earlier photo.
    let said: (Review.Said, [Allergen])?
    let staff: String?

    /// What the button of an answer of an earlier photo says instead of an answer.
    static let earlier = "EARLIER"

    /// - Throws: ``Problem`` (400) for a form that says nothing.
    init(_ form: FormBody) throws {
        let parts = form["answer"].split(separator: " ").map(String.init)
        guard (2...3).contains(parts.count), form.has("item.\(parts[0])") else {
            throw Problem(400, "badRequest", "answer is the number of a dish and what staff said")
        }
        (row, item) = (parts[0], form["item.\(parts[0])"])
        place = Quad(rectangle: form["place.\(parts[0])"])
        key = form["key.\(parts[0])"]
        let allergens = (parts.count > 2 ? parts[2] : "").split(separator: ",").compactMap {
            Allergen(rawValue: String($0))
        }
        staff = StaffPlace(form).staff.isEmpty ? nil : StaffPlace(form).staff
        guard parts[1] != Self.earlier else {
            said = nil
            return
        }
        guard let answer = Review.Said(rawValue: parts[1]), !allergens.isEmpty else {
            throw Problem(400, "badRequest", "an answer says what is known of an allergen")
        }
        said = (answer, allergens)
    }

    /// The reviews that store it. Of several allergens those keep their answer that got one since the page was shown.
    func reviews(of photo: String, _ menu: Menu) -> [ReviewBody] {
        let dish = menu.sections.flatMap(\.items).first { SavedItem.key(ofDish: $0.name, at: $0.box) == key }
        let answered = (dish?.statements ?? []).filter { $0.said != .contains || said?.0 != .canOmit }.map(\.allergen)
        let allergens = said?.1 ?? []
        return allergens.filter { allergens.count == 1 || !answered.contains($0) }.map { allergen in
            var body = ReviewBody(
                id: photo, item: item, allergen: allergen, action: .edit, value: said?.0.rawValue, place: place)
            body.staff = staff
            return body
        }
    }
}
