import HTTP
import Foundation
import HTTPTypes
import Hummingbird

/// What a client wants of a diary. Days, weeks and bodies are as sent; the daemon checks them.
enum DiaryAction: Sendable, Hashable {
    case settings, changeSettings(Data), remove
    case allow(reader: String), forbid(reader: String)
    case day(String)
    case entries(from: String?, to: String?), add(Data)
    case entry(String), put(String, Data), removeEntry(String)
    case week(String)
    case goal, setGoal(Data)
    case projection(weeks: String?)
    case weights, setWeight(String, Data), removeWeight(String)
    case events
    case export(format: String?), restore(Data)
    case foods(text: String, limit: String?)
}

/// The answer to a ``DiaryAction``.
struct DiaryAnswer: Sendable {
    var status: Int
    var body: Data?
    var type: String

    init(status: Int = 200, body: Data?, type: String = "application/json") {
        self.status = status
        self.body = body
        self.type = type
    }
}

/// What the diary routes need of the daemon.
protocol APIDiary: Sendable {
    /// Checks who asks, then acts.
    ///
    /// - Parameter person: whose diary; nil for that of whoever asks.
    /// - Throws: ``Problem`` 400 for a wrong value, 403 for a diary that is locked or may only be read, 404 for one that
    ///   is not shared.
    func perform(_ action: DiaryAction, of person: String?, for identity: Identity) async throws -> DiaryAnswer
}

/// `/v1/people/{name}/days`, `/entries`, `/week`, `/goal`, `/projection`, `/weights`, `/events`, `/export`, `/import` and
/// `/diary`; `/v1/foods`; `/v1/days` and `/v1/projection` of the person who asks.
///
/// A diary is its member's, of adults where the member is a child, and of those whom the member lets read it.
struct DiaryRoutes: APIRoutes {
    private let diary: any APIDiary

    init(_ diary: any APIDiary) { self.diary = diary }

    private static let mostBytes = 64 << 10
    private static let mostImportedBytes = 16 << 20

    func add(to routes: RouterGroup<APIContext>) {
        addDays(to: routes)
        addSettings(to: routes)
        routes.get("v1/foods") { request, context in
            let query = request.uri.queryParameters
            guard let text = query["q"].map({ String($0) }), text.utf8.count <= 200 else {
                throw Problem(400, "badRequest", "q is the text to find, at most 200 bytes")
            }
            let limit = query["limit"].map { String($0) }
            return try await answer(request, context, isNamed: false, .foods(text: text, limit: limit))
        }
        routes.get("v1/days/{day}") { request, context in
            try await answer(request, context, isNamed: false, .day(try context.parameters.require("day")))
        }
        routes.get("v1/projection") { request, context in
            try await answer(
                request, context, isNamed: false,
                .projection(weeks: request.uri.queryParameters["weeks"].map { String($0) }))
        }
    }

    private func addDays(to routes: RouterGroup<APIContext>) {
        let base = "v1/people/{name}"
        routes.get("\(base)/days/{day}") { request, context in
            try await answer(request, context, .day(try context.parameters.require("day")))
        }
        routes.get("\(base)/entries") { request, context in
            let query = request.uri.queryParameters
            return try await answer(
                request, context,
                .entries(from: query["from"].map { String($0) }, to: query["to"].map { String($0) }))
        }
        routes.post("\(base)/entries") { request, context in
            try await answer(request, context, .add(try await request.bytes(upTo: Self.mostBytes)))
        }
        routes.get("\(base)/entries/{entry}") { request, context in
            try await answer(request, context, .entry(try context.parameters.require("entry")))
        }
        routes.put("\(base)/entries/{entry}") { request, context in
            let id = try context.parameters.require("entry")
            return try await answer(request, context, .put(id, try await request.bytes(upTo: Self.mostBytes)))
        }
        routes.delete("\(base)/entries/{entry}") { request, context in
            try await answer(request, context, .removeEntry(try context.parameters.require("entry")))
        }
        routes.get("\(base)/week/{week}") { request, context in
            try await answer(request, context, .week(try context.parameters.require("week")))
        }
        routes.get("\(base)/projection") { request, context in
            try await answer(
                request, context, .projection(weeks: request.uri.queryParameters["weeks"].map { String($0) }))
        }
        routes.get("\(base)/weights") { request, context in try await answer(request, context, .weights) }
        routes.put("\(base)/weights/{day}") { request, context in
            let day = try context.parameters.require("day")
            return try await answer(request, context, .setWeight(day, try await request.bytes(upTo: Self.mostBytes)))
        }
        routes.delete("\(base)/weights/{day}") { request, context in
            try await answer(request, context, .removeWeight(try context.parameters.require("day")))
        }
        routes.get("\(base)/events") { request, context in try await answer(request, context, .events) }
    }

    private func addSettings(to routes: RouterGroup<APIContext>) {
        let base = "v1/people/{name}"
        routes.get("\(base)/goal") { request, context in try await answer(request, context, .goal) }
        routes.put("\(base)/goal") { request, context in
            try await answer(request, context, .setGoal(try await request.bytes(upTo: Self.mostBytes)))
        }
        routes.get("\(base)/export") { request, context in
            try await answer(
                request, context, .export(format: request.uri.queryParameters["format"].map { String($0) }))
        }
        routes.post("\(base)/import") { request, context in
            let body = try await request.bytes(upTo: Self.mostImportedBytes)
            return try await answer(request, context, .restore(body))
        }
        routes.get("\(base)/diary") { request, context in try await answer(request, context, .settings) }
        routes.put("\(base)/diary") { request, context in
            try await answer(request, context, .changeSettings(try await request.bytes(upTo: Self.mostBytes)))
        }
        routes.delete("\(base)/diary") { request, context in try await answer(request, context, .remove) }
        routes.put("\(base)/diary/readers/{reader}") { request, context in
            try await answer(request, context, .allow(reader: try context.personName("reader")))
        }
        routes.delete("\(base)/diary/readers/{reader}") { request, context in
            try await answer(request, context, .forbid(reader: try context.personName("reader")))
        }
    }

    /// - Parameter isNamed: false for the person who asks.
    private func answer(
        _ request: Request, _ context: APIContext, isNamed: Bool = true, _ action: DiaryAction
    ) async throws -> Response {
        let person = isNamed ? try context.personName() : nil
        let answer = try await diary.perform(action, of: person, for: try context.known())
        guard let body = answer.body else { return Response(status: .init(code: answer.status)) }
        return Response(
            status: .init(code: answer.status),
            headers: [.contentType: answer.type, .cacheControl: "private, no-store"],
            body: .init(byteBuffer: .init(data: body)))
    }
}

/// The keys of diaries that devices of an earlier version keep: each opens its diary once more.
enum DiaryKeys {
    /// Header of clients that are not the app; several keys are separated by commas.
    static let header = "Tablesight-Diary-Key"
    /// Cookie of the app; several keys are separated by dots. The first one is of the person whose pages are shown.
    static let cookie = "tablesight-diary"
    /// More keys of a request are not looked at.
    static let most = 8
    private static let longest = 100

    static func parse(_ text: some StringProtocol, separator: Character) -> [String] {
        text.split(separator: separator).map { $0.trimmingCharacters(in: .whitespaces) }.filter { key in
            (1...longest).contains(key.utf8.count) && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
    }
}

extension Request {
    /// The keys of diaries that the client sent, at most ``DiaryKeys/most``.
    var diaryKeys: [String] {
        var keys: [String] = []
        if let name = HTTPField.Name(DiaryKeys.header), let header = headers[name] {
            keys = DiaryKeys.parse(header, separator: ",")
        }
        if let cookie = cookies[DiaryKeys.cookie]?.value { keys += DiaryKeys.parse(cookie, separator: ".") }
        return Array(keys.prefix(DiaryKeys.most))
    }
}
