import Core
import Foundation
import HTTP
import Kinds
import TestSupport
import Testing

@testable import App
@testable import Household

@Suite struct HouseholdPagesTests {
    private let models = ModelFolder(Repository.models)
    private let maria = member("Maria", lock: .pin)
    private let jonas = member("Jonas", colour: 2)
    private let leo = member("Leo", role: .child, colour: 3)
    private let asked = member("Maria", lock: .pin, removal: .init(askedBy: "Jonas", opens: 1_780_000_000))

    private static func member(
        _ name: String, role: Member.Role = .adult, colour: Int = 1, lock: Member.Lock = .none,
        removal: Identity.Removal? = nil
    ) -> Member {
        Member(
            id: 1, name: name, role: role, colour: colour,
            profile: AllergenProfile(name: name, allergens: [.milk: .severe]), lock: lock, removal: removal)
    }

    private func language(_ code: String = "en") throws -> PageLanguage {
        try PageRendering.language(code)
    }

    private func html<Shown: Page>(_ page: Shown, _ code: String = "en") throws -> String {
        let html = try PageRendering.html(page, code)
        #expect(!html.isEmpty && !html.contains("{{"))
        return html
    }

    /// Somebody who uses a device; nobody was chosen on it for nil.
    private func viewer(_ member: Member?) -> Identity {
        Identity(
            holder: .device(7), member: member.map { .init($0) }, role: member?.role.identity ?? .guest, isOpen: false,
            removal: member?.removal)
    }

    // MARK: Who is it?

    @Test(arguments: ["en", "de"]) func `each person has a tile that says what is locked`(_ code: String) throws {
        let page = WhoPage(
            [maria, jonas, leo], household: "Lindenweg 4", viewer: viewer(nil), next: NextPage("/today"),
            try language(code).texts)
        let html = try html(page, code)
        #expect(html.matches(of: /<button class="tile"/).count == 3)
        for text in ["Lindenweg 4", "av3", "value=\"/today\"", "/who/add?next=%2Ftoday"] {
            #expect(html.contains(text), "\(text)")
        }
        #expect(html.matches(of: /#i-lock/).count == 1, "only Maria has a lock")
        #expect(html.contains(code == "en" ? "diary has a PIN" : "Tagebuch mit PIN"))
    }

    @Test(arguments: [
        "/", "/today", "/photos/sha256:0a", "/compare?list=2&currency=EUR", "/me#places", "/history?q=a+b%20c",
    ])
    func `a form leads to pages of this server`(_ path: String) { #expect(NextPage(path).path == path) }

    @Test(arguments: [
        "", "//evil.example", "https://evil.example/a", "/\\evil.example", "evil", "/today\r\nX: y", "/%0d", "/ a",
        "/" + String(repeating: "a", count: 600),
    ])
    func `a form leads nowhere else`(_ path: String) { #expect(NextPage(path).path == nil) }

    @Test func `a child begins with the games and keeps to them`() {
        #expect(HouseholdRoutes.place(of: viewer(leo), NextPage("/people")) == "/games")
        #expect(HouseholdRoutes.place(of: viewer(jonas), NextPage("/people")) == "/people")
        #expect(HouseholdRoutes.place(of: viewer(jonas), NextPage("//evil.example")) == "/")
    }

    // MARK: PIN

    private func pinPage(_ member: Member, _ viewer: Identity) throws -> String {
        try html(PINPage(member, viewer: viewer, next: NextPage("/today"), try language().texts))
    }

    private func keyPage(_ member: Member, hasKey: Bool = false) throws -> String {
        try html(
            KeyPage(member, viewer: viewer(nil), hasKey: hasKey, next: NextPage("/today"), try language().texts))
    }

    @Test func `an adult may ask for the removal of a PIN, a child may not`() throws {
        let ask = "Ask for the removal of Maria’s PIN"
        #expect(try pinPage(maria, viewer(jonas)).contains(ask))
        for other in [nil, leo] { #expect(try !pinPage(maria, viewer(other)).contains(ask)) }
    }

    @Test func `while a removal waits, only who asked takes it back on the page`() throws {
        let (own, asker, other) = try (
            pinPage(asked, viewer(asked)), pinPage(asked, viewer(jonas)), pinPage(asked, viewer(leo))
        )
        #expect(asker.contains("/who/removal/cancel"))
        for page in [own, other] { #expect(!page.contains("/who/removal/cancel")) }
        for page in [own, asker, other] {
            #expect(page.contains("Jonas asked for the removal of Maria’s PIN. It takes place on 2026-05-2"))
            #expect(!page.contains("action=\"/who/removal\""))
        }
    }

    @Test func `every page tells the owner that the removal was asked for`() throws {
        let texts = try language().texts
        let alarm = try #require(RemovalAlarm(of: viewer(asked), at: "/history", texts))
        let values: [String: Any] = ["alarm": PageValues.all(of: alarm), "t": texts.forTemplates]
        let html = try #require(try Templates(from: models).render(values, as: "alarm"))
        #expect(html.contains("value=\"/history\"") && html.contains("/who/removal/cancel"))
        for other in [maria, jonas] { #expect(RemovalAlarm(of: viewer(other), at: "/history", texts) == nil) }
    }

    @Test func `a child and a guest see fewer entries`() {
        #expect(viewer(leo).seesLittle)
        for other in [jonas, nil] { #expect(!viewer(other).seesLittle) }
    }

    @Test func `a lock of an earlier version opens with its password or in its browser`() throws {
        let page = try keyPage(Self.member("Maria", lock: .password))
        #expect(page.contains("current-password") && !page.contains("name=\"key\""))
        let key = Self.member("Maria", lock: .key)
        let here = try keyPage(key, hasKey: true)
        #expect(here.contains("name=\"key\"") && !here.contains("current-password"))
        let elsewhere = try keyPage(key)
        #expect(elsewhere.contains("another phone") && !elsewhere.contains("name=\"key\""))
    }

    @Test func `times have the zone of this machine`() throws {
        let zone = try #require(TimeZone(identifier: "UTC"))
        #expect(HouseholdText.time(Date(timeIntervalSince1970: 1_780_000_000), in: zone).hasPrefix("2026-05-28, 20:26"))
    }

    // MARK: People, first steps, sign-in

    @Test(arguments: ["en", "de"]) func `people have role, colour and lock`(_ code: String) throws {
        let language = try language(code)
        let page = PeoplePage(
            [maria, jonas, leo], chosen: [], draft: PersonDraft(of: maria), allergens: Allergen.eu14,
            languages: [code], viewer: viewer(jonas), language)
        let html = try html(page, code)
        #expect(html.matches(of: /name="colour" value="[1-4]"/).count == 4)
        #expect(html.contains("name=\"colour\" value=\"1\" checked"))
        #expect(html.contains("name=\"next\" value=\"/people?name=Maria\""))
        #expect(!html.contains("/who/newpin"), "only the owner changes a PIN")
    }

    @Test func `what a person avoids is picked, typed in any language, or a word of their own`() throws {
        func draft(_ form: String) throws -> PersonDraft {
            try PersonDraft(
                FormBody(encoded: form), allergens: { _ in Allergen.eu14 }, Wordings(from: PageRendering.models))
        }
        let body = try draft("name=Leo&a.milk=severe&a.eggs=&w.0=kiwi&find=Erdnuss,%20yam&a.kiwi=high").input
        #expect(body.allergens == ["milk": .severe, "peanuts": .high])
        #expect(body.words == ["kiwi", "yam"])
        #expect(try draft("name=Leo&find=Erdnuss&a.peanuts=severe").input.allergens == ["peanuts": .severe])
        let page = PeoplePage(
            [maria], chosen: [], draft: PersonDraft(of: maria), allergens: Allergen.eu14, languages: ["en"],
            viewer: viewer(maria), try language())
        let html = try html(page)
        #expect(html.contains("What does Maria avoid?"))
        #expect(html.matches(of: /<select id="a-/).count == 1, "only what is avoided has a level")
        #expect(html.matches(of: /type="checkbox" name="a\./).count == 13)
    }

    @Test func `a step that is done is shown as done`() throws {
        let steps = FirstSteps(people: [jonas], hasPhotos: false, hasPhones: false)
        let html = try html(WelcomePage(steps, try language()))
        #expect(html.matches(of: /<li class="done"/).count == 1)
        #expect(html.contains("href=\"/people\""), "others are added under People")
    }

    @Test(arguments: ["en", "de"]) func `there is a sample menu in every language`(_ code: String) throws {
        let samples = try SamplePhotos(from: models, languages: ["en", "de"])
        #expect(try samples.menu(in: code).starts(with: [0xFF, 0xD8]))
    }

    @Test func `the page that connects a phone says what was wrong`() throws {
        #expect(try html(ConnectPage(code: "7KQM4XRT")).contains("value=\"7KQM4XRT\""))
        let wrong = try html(ConnectPage(trouble: .code))
        #expect(wrong.contains("This code does not work any more") && !wrong.contains("<details class=\"card\" open"))
        #expect(try html(ConnectPage(trouble: .key)).contains("<details class=\"card\" open"))
    }
}
