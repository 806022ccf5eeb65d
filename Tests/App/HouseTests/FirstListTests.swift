import Core
import Foundation
import Household
import Testing

@testable import App

/// A person without any list adds something, in every way that a page offers.
@Suite(.serialized) struct FirstListTests {
    private static let photo = "sha256:" + String(repeating: "cd", count: 32)

    private static let forms: [(page: String, form: String, path: String, name: String)] = [
        ("/goods?q=Milk", "product={product}", "/list/add", "Milk"),
        ("/goods/{product}", "product={product}", "/list/add", "Milk"),
        ("/list/photo/\(photo)", "list=&name=Oats&quantity=2", "/list/photo/\(photo)", "Oats"),
        (
            "/list/photo/\(photo)", "list=&name=Oats&amount=1.99&currency=EUR&shop=Kornfeld", "/list/photo/\(photo)",
            "Oats"
        ),
    ]

    @Test(arguments: forms.indices, ["en", "de"])
    func `the first thing that somebody adds makes a list with it`(_ index: Int, _ language: String) async throws {
        let (house, things) = try await House.furnished()
        _ = try house.household.add(.init("Mia"))
        var outcome = Outcome(
            id: Self.photo, source: .init(path: try house.folder.path(below: "inbox/oats.jpg"), bytes: 4),
            status: .completed, domains: [.barcode], versions: .init(tablesight: "1"))
        outcome.products = [Product(gtin: "09520100001017", name: "Oats")]
        try house.storePhoto(outcome)
        let phone = try house.device(of: "Mia", opens: true)
        let (page, form, path, name) = Self.forms[index]
        func filled(_ text: String) -> String { text.replacing("{product}", with: "\(things.product)") }
        let headers = ["Accept-Language": language]
        let shown = try await house.browse("GET", filled(page), cookie: phone, headers: headers)
        #expect(shown.status == 200 && shown.text.contains("action=\"\(path)\""), "\(shown.text)")
        #expect(page.hasPrefix("/list/photo") || shown.text.contains("value=\"\(things.product)\""))
        let added = try await house.browse("POST", path, filled(form), cookie: phone, headers: headers)
        #expect(added.status == 303, "\(added.status) \(added.text)")
        let list = try await house.browse("GET", "/list", cookie: phone, headers: headers)
        #expect(list.text.contains(name) && list.text.contains(language == "en" ? "List" : "Liste"))
        let again = try await house.browse("POST", "/list/add", "text=Bread", cookie: phone, headers: headers)
        #expect(again.location?.hasPrefix(added.location?.prefix { $0 != "#" } ?? "-") == true, "one list, and not two")
    }
}
