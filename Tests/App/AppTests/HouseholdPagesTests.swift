import Core
import Foundation
import HTTP
import Presentation
import TestSupport
import Testing

@testable import App

@Suite struct HouseholdPagesTests {
    private let models = ModelFolder(Repository.models)
    private let maria = APIMember(name: "Maria", role: "adult", colour: 1, lock: "pin")
    private let jonas = APIMember(name: "Jonas", role: "adult", colour: 2, lock: "none")
    private let leo = APIMember(name: "Leo", role: "child", colour: 3, lock: "none")
    private let asked = APIMember(
        name: "Maria", role: "adult", colour: 1, lock: "pin",
        removal: .init(askedBy: "Jonas", opens: "2026-05-28T20:26:40Z"))

    private func language(_ code: String = "en") throws -> PageLanguage {
        let texts = try #require(try PageTexts.loadAll(from: models).first { $0.language == code })
        return PageLanguage(texts: texts, wording: try #require(try Wordings(from: models)[code]))
    }

    private func html(_ values: Values, _ template: String, _ code: String = "en") throws -> String {
        let language = try language(code)
        var all = values
        all["t"] = language.forTemplates
        let html = try #require(try Templates(from: models).render(all, as: template))
        #expect(!html.contains("{{"))
        return html
    }

    /// Somebody who uses a device; nobody was chosen on it for nil.
    private func viewer(_ member: APIMember?) -> Identity {
        let role: Identity.Role = member?.role == "adult" ? .adult : member?.role == "child" ? .child : .guest
        return Identity(
            holder: .device(7), member: member.map { .init(id: 1, name: $0.name, role: role, colour: $0.colour) },
            role: role, isOpen: false,
            removal: member?.removal.map { .init(askedBy: $0.askedBy, opens: 1_780_000_000) })
    }

    // MARK: Who is it?

    @Test(arguments: ["en", "de"]) func `each person has a tile that says what is locked`(_ code: String) throws {
        let page = WhoPage(
            members: [maria, jonas, leo], household: "Lindenweg 4", viewer: viewer(nil), next: NextPage("/today"),
            texts: try language(code).texts)
        let html = try html(page.values(), "who", code)
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
        #expect(WebRoutes.place(of: viewer(leo), NextPage("/people")) == "/games")
        #expect(WebRoutes.place(of: viewer(jonas), NextPage("/people")) == "/people")
        #expect(WebRoutes.place(of: viewer(jonas), NextPage("//evil.example")) == "/")
    }

    // MARK: PIN

    private func pinPage(_ member: APIMember, _ viewer: Identity, hasKey: Bool = false) throws -> String {
        let page = PINPage(
            member: member, viewer: viewer, hasKey: hasKey, next: NextPage("/today"), texts: try language().texts)
        return try html(page.values(), page.template)
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
        let alarm = try html(viewer(asked).frame(texts, path: "/history"), "alarm")
        #expect(alarm.contains("value=\"/history\"") && alarm.contains("/who/removal/cancel"))
        for other in [maria, jonas] { #expect(viewer(other).frame(texts, path: "/history")["alarm"] == nil) }
    }

    @Test func `a child and a guest see fewer entries`() {
        #expect(viewer(leo).seesLittle)
        for other in [jonas, nil] { #expect(!viewer(other).seesLittle) }
    }

    @Test func `a lock of an earlier version opens with its password or in its browser`() throws {
        let before = APIMember(name: "Maria", role: "adult", colour: 1, lock: "password")
        let page = try pinPage(before, viewer(nil))
        #expect(page.contains("current-password") && !page.contains("name=\"key\""))
        let key = APIMember(name: "Maria", role: "adult", colour: 1, lock: "key")
        let here = try pinPage(key, viewer(nil), hasKey: true)
        #expect(here.contains("name=\"key\"") && !here.contains("current-password"))
        let elsewhere = try pinPage(key, viewer(nil))
        #expect(elsewhere.contains("another phone") && !elsewhere.contains("name=\"key\""))
    }

    @Test func `times have the zone of this machine`() throws {
        let zone = try #require(TimeZone(identifier: "UTC"))
        #expect(HouseholdText.time(Date(timeIntervalSince1970: 1_780_000_000), in: zone).hasPrefix("2026-05-28, 20:26"))
    }

    // MARK: People, first steps, sign-in

    @Test(arguments: ["en", "de"]) func `people have role, colour and lock`(_ code: String) throws {
        let language = try language(code)
        let people = [maria, jonas, leo].map { member in
            WebPerson(
                profile: AllergenProfile(name: member.name, allergens: [.milk: .severe]), role: member.role,
                colour: member.colour)
        }
        let page = PeoplePage(
            people: people, members: [maria, jonas, leo], chosen: [], draft: PersonDraft(of: people[0]),
            allergens: Allergen.eu14, languages: [language], language: language, viewer: viewer(jonas))
        let html = try html(page.values(), "people", code)
        #expect(html.matches(of: /name="colour" value="[1-4]"/).count == 4)
        #expect(html.contains("name=\"colour\" value=\"1\" checked"))
        #expect(html.contains("name=\"next\" value=\"/people?name=Maria\""))
        #expect(!html.contains("/who/newpin"), "only the owner changes a PIN")
    }

    @Test func `a step that is done is shown as done`() throws {
        let page = WelcomePage(
            members: [.init(profile: AllergenProfile(name: "Maria", allergens: [:]), role: "adult", colour: 1)],
            hasPhotos: false, hasPhones: false, language: try language())
        let html = try html(page.values(), "welcome")
        #expect(html.matches(of: /<li class="done"/).count == 1)
        #expect(html.contains("href=\"/people\""), "others are added under People")
    }

    @Test(arguments: ["en", "de"]) func `there is a sample menu in every language`(_ code: String) throws {
        let samples = try SamplePhotos(from: models, languages: ["en", "de"])
        #expect(try samples.menu(in: code).starts(with: [0xFF, 0xD8]))
    }

    @Test func `the page that connects a phone says what was wrong`() throws {
        #expect(try html(ConnectPage(code: "7KQM4XRT").values(), "pair").contains("value=\"7KQM4XRT\""))
        let wrong = try html(ConnectPage(trouble: .code).values(), "pair")
        #expect(wrong.contains("This code does not work any more") && !wrong.contains("<details class=\"card\" open"))
        #expect(try html(ConnectPage(trouble: .key).values(), "pair").contains("<details class=\"card\" open"))
    }
}
