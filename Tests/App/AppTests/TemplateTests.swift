import Foundation
import TestSupport
import Testing

@testable import App

/// Every template reads what its page has, and every page has only what its template reads.
@Suite struct TemplateTests {
    /// All pages.
    private static let pages: [any Page.Type] = [
        AddPage.self, BoardPage.self, CardPage.self, ComparePage.self, ConnectPage.self, DevicesPage.self,
        DiaryPage.self, EntryPage.self, ErrorPage.self, FeedPage.self, FoundPage.self, GoalPage.self, GoodsPage.self,
        HealthPage.self, HistoryPage.self, IngredientPage.self, ItemPage.self, KeyPage.self,
        ListEntryPage.self, ListPage.self, LobbyPage.self, MePage.self, MorePage.self, NewPINPage.self,
        NewPersonPage.self, OfflinePage.self, PINPage.self, PeoplePage.self, PlacePage.self, PlayPage.self,
        PlayReportPage.self,
        PricesPage.self, ProgressPage.self,
        ReceiptPage.self, ReportPage.self, ResultPage.self, ReviewEndPage.self, ReviewPage.self, ReviewQueuePage.self,
        ScanPage.self, SignedInPage.self, StaffPage.self, SuggestPage.self, ThreadPage.self, TodayPage.self,
        TrustPage.self,
        WeekPage.self,
        WelcomePage.self, WhoPage.self,
    ]

    private static func templates() throws -> [String: String] {
        let files = try PageRendering.models.features.flatMap { feature in
            let folder = Repository.root.appending(path: "Sources/App/\(feature)/Templates")
            return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "mustache" }
        }
        return Dictionary(
            uniqueKeysWithValues: try files.map {
                ($0.deletingPathExtension().lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
            })
    }

    private static func texts() throws -> Set<String> { Set(try PageRendering.texts().forTemplates.keys) }

    @Test func `no line of a template is too long to review`() throws {
        for (name, template) in try Self.templates() {
            let longest = template.split(separator: "\n").map(\.count).max() ?? 0
            #expect(longest <= 160, "\(name)")
        }
    }

    @Test func `pages and templates have the same names, and no page has more than it shows`() throws {
        var check = TemplateCheck(templates: try Self.templates(), texts: try Self.texts())
        for page in Self.pages { check.check(page) }
        check.checkFrame()
        #expect(check.problems.isEmpty, "\(check.problems.joined(separator: "\n"))")
    }

    @Test func `every template is that of a page, or a part of one`() throws {
        var check = TemplateCheck(templates: try Self.templates(), texts: try Self.texts())
        for page in Self.pages { check.check(page) }
        for name in try Self.templates().keys.sorted() {
            #expect(check.used.contains(name), "No page uses the template \(name).")
        }
    }

    @Test func `every icon that a template or a script names is drawn`() throws {
        let drawn = Set(try (Self.templates()["icons"] ?? "").matches(of: /id="(i-[a-z0-9-]+)"/).map { String($0.1) })
        let scripts = try FileManager.default.contentsOfDirectory(
            at: Repository.models.appending(path: "web/static"), includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "js" }
        let texts = try Array(Self.templates().values) + scripts.map { try String(contentsOf: $0, encoding: .utf8) }
        let named = Set(texts.flatMap { $0.matches(of: /#(i-[a-z0-9-]+)"/).map { String($0.1) } })
        #expect(named.count > 20)
        #expect(named.subtracting(drawn).sorted() == [])
    }

    // MARK: The check itself

    /// A page with one property of each form.
    private struct FakePage: Page {
        static let template = "fake"

        struct Entry {
            let name: String
            let note: String?
            let tags: [String]
        }

        struct Comment {
            let text: String
            let answers: [Comment]
        }

        let heading: String
        let isOpen: Bool
        let first: Entry?
        let entries: [Entry]
        let comments: [Comment]
    }

    private static let right = """
        {{>begin}}{{#isOpen}}{{t.open}}{{/isOpen}}{{^isOpen}}{{heading}}{{/isOpen}}{{first.name}}
        {{#entries}}<b>{{name}}</b>{{#note}}{{note}}{{/note}}{{#tags}}{{.}}{{/tags}}{{/entries}}
        {{#comments}}{{>comment}}{{/comments}}
        """
    private static let parts = [
        "begin": "<title>{{heading}}</title>{{lang}}", "comment": "{{text}}{{#answers}}{{>comment}}{{/answers}}",
    ]

    private static func problems(_ template: String, _ page: any Page.Type = FakePage.self) -> [String] {
        var check = TemplateCheck(templates: parts.merging(["fake": template]) { $1 }, texts: ["open"])
        check.check(page)
        return check.problems
    }

    @Test func `a right template passes`() { #expect(Self.problems(Self.right) == []) }

    @Test(arguments: [
        ("{{colour}}", "The template fake of FakePage reads {{colour}}, which none of these has: FakePage, PageFrame."),
        (
            "{{#entries}}{{price}}{{/entries}}",
            "The template fake of FakePage reads {{price}}, which none of these has: Entry, FakePage, PageFrame."
        ),
        ("{{first.price}}", "The template fake of FakePage reads {{first.price}}, but there is no price in it."),
        ("{{t.closed}}", "The template fake of FakePage reads {{t.closed}}, which is no text of a texts.json."),
        ("{{#entries}}{{.}}{{/entries}}", "The template fake of FakePage reads {{.}} outside a list of texts."),
        ("{{{entries}}}", "The template fake of FakePage prints {{entries}}, which is no text."),
        ("{{>missing}}", "FakePage uses the template missing, which does not exist."),
    ])
    func `a name that stands for nothing is reported`(wrong: String, problem: String) {
        #expect(Self.problems(Self.right + wrong) == [problem])
    }

    @Test func `a property that no template reads is reported`() {
        let short = Self.right.replacing("{{#note}}{{note}}{{/note}}", with: "").replacing(
            "{{>comment}}", with: "{{text}}")
        #expect(
            Self.problems(short) == [
                "No template of FakePage reads Comment.answers.", "No template of FakePage reads Entry.note.",
            ])
    }

    @Test func `a type that templates cannot show is reported`() {
        struct DatedPage: Page {
            static let template = "fake"
            let heading: String
            let day: Date
        }
        #expect(
            Self.problems("{{heading}}{{day}}", DatedPage.self)
                == ["The template fake of DatedPage reads {{day}}, but templates cannot show Date."])
    }

    @Test func `a section that does not end is reported`() {
        #expect(Self.problems("{{#entries}}").first == "The template fake is wrong: {{#entries}} does not end.")
    }
}
