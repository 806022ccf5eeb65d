import Groceries
import HTTP
import HTTPTypes
import Hummingbird
import Store

// Lists as JSON, and the page List with its forms.
extension ShoppingRoutes {
    var listRoutes: [Route] {
        [
            Route(
                .get, "v1/lists", for: .adult, "The person's lists", gives: [200: "The lists."], refuses: Self.unknown
            ) { call in try await actions { try $0.lists(of: call.person) } },
            Route(
                .post, "v1/lists", for: .adult, "Makes a list", body: NewList.self, gives: [201: "Made."],
                refuses: Self.conflicts
            ) { call, new in try await actions { try $0.makeList(new.name, by: call.person) } },
            Route(
                .get, "v1/lists/\(.number)", for: .adult, "One list", gives: [200: "The list."], refuses: Self.unknown
            ) { call in try await actions { try $0.list(try call[.number], of: call.person) } },
            Route(
                .delete, "v1/lists/\(.number)", for: .adult, "Deletes a list with its history",
                gives: [204: "Deleted."], refuses: Self.conflicts
            ) { call in
                try await actions { try $0.removeList(try call[.number], by: call.person) }
                return Nothing()
            },
            Route(
                .put, "v1/lists/\(.number)/people/\(.sharer)", for: .adult, "Lets another person open the list",
                gives: [200: "The list."], refuses: Self.conflicts
            ) { call in try await actions.share(try call[.number], with: try call[.sharer], by: call.person) },
            Route(
                .delete, "v1/lists/\(.number)/people/\(.sharer)", for: .adult, "Takes a person off the list",
                gives: [200: "The list."], refuses: Self.conflicts
            ) { call in
                try await actions.share(try call[.number], with: try call[.sharer], isAllowed: false, by: call.person)
            },
            Route(
                .post, "v1/lists/\(.number)/undo", for: .adult, "Takes the person's last change back",
                gives: [200: "How many entries changed."], refuses: Self.conflicts
            ) { call in
                ChangedEntries(changed: try await actions { try $0.undo(try call[.number], by: call.person) })
            },
            Route(
                .post, "v1/lists/\(.number)/changes", for: .adult, "Does what a phone did without a network, once",
                body: [ListChange].self, gives: [200: "How many changes were done."], refuses: Self.conflicts
            ) { call, changes in try await actions.sync(changes, of: try call[.number], by: call.person) },
            Route(
                .post, "v1/lists/\(.number)/sweep", for: .adult, "Completes all entries, or removes the completed ones",
                body: ListSweep.self, gives: [200: "How many entries changed."], refuses: Self.conflicts
            ) { call, sweep in
                ChangedEntries(
                    changed: try await actions { try $0.sweep(try call[.number], sweep.action, by: call.person) })
            },

            shell.page(.get, "list", for: .adult, in: .list) { visit in
                let query = visit.call.query
                return try await showList(
                    try query.number("list"), from: Int(query["from"]) ?? 0,
                    notice: query["trip"] == "over" ? .trip : nil, to: visit)
            },
            listForm("list/new") { visit, form in
                "?list=\(try await actions { try $0.makeList(form["name"], by: visit.call.person).id })"
            },
            listForm("list/do") { visit, form in
                let list = try form.list
                let from = Int(form["from"]).map { "&from=\($0)" } ?? ""
                let trip = form["all"] == "clear" ? "&trip=over" : ""
                let changed = try await change(form, of: list, by: visit.call.person)
                return "?list=\(list)\(from)\(trip)\(changed.map { "#e\($0)" } ?? "")"
            },
            listForm("list/share") { visit, form in
                let (list, name, person) = (try form.list, form["name"], try visit.call.person)
                _ = try await actions.share(list, with: name, isAllowed: form["allowed"] == "yes", by: person)
                return name == person ? "" : "?list=\(list)#share"
            },
            form("list/delete", in: .list, again: showRefused) { visit, form in
                let (list, person) = (try form.list, try visit.call.person)
                let name = try await actions { try $0.ownList(list, of: person).name }
                return try visit.next(
                    "/list", deleting: name, back: "/list?list=\(list)", Deletion(.list, list, person))
            },
        ]
    }

    /// A form that leads back to the list.
    ///
    /// - Parameter body: gives the end of the list's address.
    private func listForm(
        _ path: RoutePath, _ body: @escaping @Sendable (Visit, FormBody) async throws -> String
    ) -> Route {
        form(path, in: .list, again: showRefused) { Visit.next("/list" + (try await body($0, $1))) }
    }

    // MARK: Pages

    /// - Parameter list: nil for the person's first list.
    func showList(
        _ list: Int64?, from: Int = 0, notice: ListNotice? = nil, to visit: Visit
    ) async throws -> Response {
        let person = try visit.call.person
        var content = try await actions.listContent(list, for: person, hiding: visit.undos.hiddenNumbers(.list))
        content.household = try await actions.avoiding(among: judged.people)
        content.verdicts = try await verdicts.verdicts(of: content.items, for: content.household)
        let page = ListPage(content, for: person, visit.language, from: from, notice: notice)
        return try visit.show(page, status: page.duplicate == nil ? .ok : .conflict)
    }

    @Sendable func showRefused(to visit: Visit) async throws -> Response {
        try await showList(try visit.draft?.number("list"), to: visit)
    }

    // MARK: Changes

    /// Does what the pressed button says.
    ///
    /// - Returns: the entry that was changed.
    private func change(_ form: FormBody, of list: Int64, by person: String) async throws -> Int64? {
        for (button, isCompleted) in [("done", true), ("open", false)] {
            guard let entry = try form.number(button) else { continue }
            return try await actions { try $0.change(entry, EntryChange(isCompleted: isCompleted), by: person).id }
        }
        if let entry = try form.number("remove") {
            _ = try await actions { try $0.change(entry, .removal, by: person) }
            return nil
        }
        switch form["all"] {
        case "undo":
            guard try await actions({ try $0.undo(list, by: person) }) > 0 else {
                throw Problem(409, "nothing", "there is nothing of yours to undo")
            }
        case "done": _ = try await actions { try $0.sweep(list, .completeAll, by: person) }
        case "clear": _ = try await actions { try $0.sweep(list, .removeCompleted, by: person) }
        default: throw Problem(400, "badRequest", "press one of the buttons of the list")
        }
        return nil
    }
}

extension PathParameter where Value == String {
    fileprivate static var sharer: Self { PathParameter("name", "The other person's name.") }
}

struct NewList: Decodable, Sendable, Documented {
    var name: String

    static let about: String? = "A list."
    static let fields = ["name": Field(lengths: 1...100)]
}

struct ListSweep: Decodable, Sendable, Documented {
    var action: Groceries.SweepAction

    static let about: String? = "An action."
}

extension FormBody {
    var list: Int64 {
        get throws { try number("list", orSay: "choose a list") }
    }
}

struct ChangedEntries: Codable, Sendable, Documented {
    var changed: Int

    static let about: String? = "How many entries changed."
}

extension SyncedChanges: Documented {
    package static let about: String? = "How many changes were done now, were done before, and found nothing to change."
}

extension ListChange: Documented {
    package static let about: String? = "A change of a list that was made without a network."
    package static let fields = [
        "key": Field("Different for each change: a known key is not done again.", lengths: 1...64),
        "text": Field("What is added, as typed.", lengths: 0...200),
        "entry": Field.number("The entry that changes."),
        "of": Field("Instead of `entry`: the key of the change that added it."),
    ]
}

extension GroceryList: Documented {
    package static let about: String? = "A shopping list."
}
