import Core
import Foundation
import Kinds
import HTTP
import HTTPTypes
import Household
import Hummingbird

// What members play with the camera of a browser: the lobby, a play, a week, and the same as JSON.
extension PlayRoutes {
    /// A picture of 1,280 pixels has about 200 KB.
    private static let mostBytes = 8 << 20

    // MARK: JSON

    var playJSON: [Route] {
        let picture = Schema(type: "string", contentMediaType: "image/jpeg")
        return [
            Route(
                .post, "v1/plays", for: .guest, "Begins a play, or continues the one of this figure",
                body: WantedPlay.self, upTo: 4 << 10, gives: [201: "The play."],
                refuses: [
                    400: "There is no such game, figure or set.", 404: "This person does not play on the device.",
                    503: "The game does not start.",
                ]
            ) { call, wanted in
                let identity = try call.identity
                let play = try await cases.start(wanted, for: identity)
                return PlayAnswer(try await cases.open(play.id, for: identity))
            },
            Route(
                .get, "v1/plays/\(.play)", for: .guest, "A play with what its page draws", gives: [200: "The play."],
                refuses: Self.unknownPlay
            ) { call in PlayAnswer(try await cases.open(try call[.play], for: try call.identity)) },
            Route(
                .post, "v1/plays/\(.play)/frames", for: .guest, "Sends a picture of the table",
                gives: [200: "What the page draws now."],
                refuses: [
                    403: "Enough for today.", 404: "There is no such play for this device.",
                    413: "The picture is too large.", 422: "The bytes are no picture.",
                    429: "The picture before is still read.",
                ]
            ) { call in
                let bytes = try await call.request.bytes(upTo: Self.mostBytes)
                return try await cases.take(bytes, in: try call[.play], for: try call.identity)
            }.taking(body: [("image/jpeg", picture), ("application/octet-stream", picture)]),
            playAction(.hint, "hint", "Asks for a hint"), playAction(.reset, "reset", "Begins again"),
            Route(
                .get, "v1/people/\(.member)/plays/\(.week)", for: .adult, "A week of a player",
                gives: [200: "The week."], refuses: [404: "Nobody of this name plays on this device."]
            ) { call in
                try await cases.week(try call[.week], named: try call[.member], for: try call.identity)
            },
        ]
    }

    private static let unknownPlay = [404: "There is no such play for this device."]

    private func playAction(_ action: GameAction, _ name: String, _ summary: String) -> Route {
        Route(
            .post, "v1/plays/\(.play)/\(name)", for: .guest, summary, gives: [200: "The play."],
            refuses: Self.unknownPlay
        ) { call in PlayAnswer(try await cases.act(action, in: try call[.play], for: try call.identity)) }
    }

    // MARK: Pages

    var playPages: [Route] {
        [
            shell.page(.get, "games", for: .guest, in: .games) { visit in try await showLobby(to: visit) },
            playForm("games/play") { visit, form in
                let wanted = WantedPlay(
                    player: try form.number("who"), game: form["game"], puzzle: form.text("puzzle"),
                    pieceSet: form.text("set"))
                return Visit.next("/play/\(try await cases.start(wanted, for: try visit.call.identity).id)")
            },
            shell.page(.get, "play/\(.play)", for: .guest, in: .games) { visit in try await showPlay(to: visit) },
            shell.page(.post, "play/\(.play)/hint", for: .guest, in: .games) { visit in
                _ = try await cases.act(.hint, in: try visit.call[.play], for: try visit.call.identity)
                return Visit.next("/play/\(try visit.call[.play])")
            },
            shell.page(.post, "play/\(.play)/reset", for: .guest, in: .games) { visit in
                _ = try await cases.act(.reset, in: try visit.call[.play], for: try visit.call.identity)
                return Visit.next("/play/\(try visit.call[.play])")
            },
            shell.page(.post, "play/\(.play)/stop", for: .guest, in: .games) { visit in
                let (id, identity) = (try visit.call[.play], try visit.call.identity)
                let member = try await cases.open(id, for: identity).play.member
                try await cases.leave(id, for: identity)
                return Visit.next("/games?who=\(member)")
            },
            shell.page(.post, "play/\(.play)/next", for: .guest, in: .games) { visit in
                let (id, identity) = (try visit.call[.play], try visit.call.identity)
                let play = try await cases.open(id, for: identity).play
                try await cases.leave(id, for: identity)
                let next = WantedPlay(player: play.member, game: play.game, pieceSet: play.pieceSet)
                return Visit.next("/play/\(try await cases.start(next, for: identity).id)")
            },
            // Without a script, or without a camera that a page may use: a photo at a time.
            shell.page(.post, "play/\(.play)/photo", for: .guest, in: .games) { visit in
                let id = try visit.call[.play]
                let picture = try await visit.call.request.file(upTo: Self.mostBytes)
                _ = try await cases.take(picture, isStill: true, in: id, for: try visit.call.identity)
                return Visit.next("/play/\(id)")
            },
            shell.page(.get, "games/report", for: .adult, in: .games) { visit in
                let query = visit.call.query
                let wanted = try query.week("week")
                let (player, week, report) = try await cases.week(
                    wanted, of: try query.number("who"), for: try visit.call.identity)
                let isNow = try await cases.isThisWeek(week)
                return try visit.show(
                    PlayReportPage(
                        report, of: player, week, games: try await cases.games(), figures: await cases.figures(),
                        isNow: isNow, visit.texts))
            },
            shell.page(.get, "games/report.csv", for: .adult, in: .games) { visit in
                let query = visit.call.query
                let (_, week, report) = try await cases.week(
                    try query.week("week"), of: try query.number("who"), for: try visit.call.identity)
                return Response(
                    status: .ok,
                    headers: [
                        .contentType: "text/csv; charset=utf-8",
                        .contentDisposition: "attachment; filename=\"plays-\(week).csv\"",
                    ], body: .init(byteBuffer: .init(string: report.csv)))
            },
            shell.page(.post, "games/limit", for: .adult, in: .games) { visit in
                let form = try await visit.call.form()
                let identity = try visit.call.identity
                if !identity.isOpen, let own = identity.member?.name {
                    let next = NextPage("/games?who=\(form["who"])&minutes=\(form["minutes"].escaped)")
                    return Visit.next(PINPage.address(of: own, next: next))
                }
                return try await visit.answer {
                    let minutes = try form.decimal("minutes").map { Int(nearest: $0.double) }
                    let player = try await cases.setLimit(
                        minutes, of: try form.number("who", orSay: "choose a person"), for: identity,
                        choosing: form.text("pin"))
                    return Visit.next("/games?who=\(player.id)")
                } refused: {
                    try await showLobby(who: Int64(form["who"]), minutes: form["minutes"], error: $0.problem, to: visit)
                }
            },
        ]
    }

    private func playForm(
        _ path: RoutePath, _ body: @escaping @Sendable (Visit, FormBody) async throws -> Response
    ) -> Route {
        shell.page(.post, path, for: .guest, in: .games) { visit in
            let form = try await visit.call.form()
            return try await visit.answer {
                try await body(visit, form)
            } refused: {
                try await showLobby(who: Int64(form["who"]), error: $0.problem, to: visit)
            }
        }
    }

    /// - Parameter minutes: a limit that was typed and is not set.
    private func showLobby(
        who: Int64? = nil, minutes: String? = nil, error: Problem? = nil, to visit: Visit
    ) async throws -> Response {
        let query = visit.call.query
        let identity = try visit.call.identity
        if identity.member == nil, identity.holder != .key {
            return Visit.next(WhoPage.address(next: visit.call.request))
        }
        let content = try await cases.lobby(
            of: try who ?? query.number("who"), step: Int(query["level"]), of: query.text("game"), for: identity)
        let typed = minutes ?? query.text("minutes")
        return try visit.show(
            LobbyPage(content, visit.texts, minutes: typed, error: error), status: error?.status ?? .ok)
    }

    private func showPlay(to visit: Visit) async throws -> Response {
        let open = try await cases.open(try visit.call[.play], for: try visit.call.identity)
        return try visit.show(PlayPage(open, visit.texts))
    }
}

extension PathParameter where Value == Int64 {
    fileprivate static var play: Self { PathParameter(number: "play", "The number of a play.") }
}

/// A play for other programs.
struct PlayAnswer: Codable, Sendable {
    var play: Int64
    var player, game, pieceSet: String
    var puzzle: String?
    var difficulty: String
    var hints, misses: Int
    var seconds: Int
    var isSolved, isOver: Bool
    /// The address of the session's events.
    var stream: String
    var view: PlayView

    init(_ open: OpenPlay) {
        let play = open.play
        self.play = play.id
        (player, game, pieceSet, puzzle) = (open.player.name, play.game, play.pieceSet, play.puzzle)
        (difficulty, hints, misses) = (play.difficulty, play.hints, play.misses)
        seconds = Int(play.seconds.rounded())
        (isSolved, isOver, stream, view) = (play.solved != nil, open.isOver, open.stream, open.view)
    }
}

extension PlayWeek {
    /// A line a play: day, game, figure, seconds, hints, solved.
    var csv: String {
        let plays = rows.map { row in
            [row.day, row.game, row.puzzle ?? "", "\(row.seconds)", "\(row.hints)", row.isSolved ? "yes" : "no"]
        }
        return ([["day", "game", "figure", "seconds", "hints", "solved"]] + plays).map(CSVLine.text).joined()
    }
}
