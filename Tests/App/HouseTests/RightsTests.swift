import Foundation
import Hummingbird
import TestSupport
import Testing

@testable import App
@testable import Daemon
@testable import HTTP

/// Every route as every holder, against the wanted table.
@Suite(.serialized) struct RightsTests {
    typealias Rights = WantedRights

    private static func routes(_ router: Router<APIContext>) -> Set<String> {
        Set(router.routes.map { "\($0.method.rawValue) \($0.path)" })
    }

    @Test func `every route has a line in the table, and every line a route`() throws {
        let wanted = Rights.groups.flatMap(\.routes).map(\.description)
        #expect(wanted.count == Set(wanted).count, "a route has two lines")
        for rule in Set(Rights.groups.map(\.rule)) {
            #expect(Rights.Holder.allCases.allSatisfy { rule.names($0) }, "\(rule) has no answer to somebody")
        }
        let registered = try Self.routes(House().router())
        #expect(registered.subtracting(wanted).sorted() == [], "routes without a line")
        #expect(Set(wanted).subtracting(registered).sorted() == [], "lines without a route")
    }

    /// The holders' tokens.
    private static func tokens(in house: House) throws -> [Rights.Holder: String] {
        let revoked = try house.device(of: "Ada", opens: true)
        #expect(try house.household.takeDevice(house.number(ofDevice: revoked)) != nil)
        return [
            .revoked: revoked, .unchosen: try house.device(), .guest: try house.device(of: "Gus", opens: true),
            .child: try house.device(of: "Leo", opens: true), .adult: try house.device(of: "Ada", opens: true),
            .otherAdult: try house.device(of: "Ben", opens: true), .key: House.key,
        ]
    }

    /// Sends the route's request: pages as a browser, the daemon's key always as a client.
    private static func send(
        _ route: Rights.Route, as holder: Rights.Holder, _ token: String?, in house: House, _ things: House.Things
    ) async throws -> House.Reply {
        let request = try SampleRequest(route, in: house, things)
        var headers: [String: String] = [:]
        if let type = request.type { headers["Content-Type"] = type }
        if holder == .key { headers["Tablesight-Member"] = "Ada" }
        if let token {
            headers[route.isPage && holder != .key ? "Cookie" : "Authorization"] =
                route.isPage && holder != .key ? "tablesight=\(token)" : "Bearer \(token)"
        }
        if route.isPage {
            headers["Accept"] = "text/html"
            headers["Origin"] = "http://\(House.host)"
        }
        return try await house.send(route.method, request.path, request.body, headers)
    }

    /// What is wrong with an answer; nil if it is as wanted.
    private static func fault(
        _ reply: House.Reply, _ wanted: Rights.Answer, _ route: Rights.Route, _ holder: Rights.Holder
    )
        -> String?
    {
        let isRight =
            switch wanted {
            case .yes: ![401, 403, 410].contains(reply.status) && reply.status < 500 && reply.code != "noDiary"
            case .noToken: reply.status == 401
            case .refused where holder == .unchosen && route.isPage && !route.changes:
                reply.status == 303 && reply.location?.hasPrefix("/who") == true
            case .refused: reply.status == 403
            case .hidden: reply.status == 404
            case .ended: reply.status == 410
            }
        return isRight
            ? nil : "\(route) as \(holder): wanted \(wanted), got \(reply.status) \(reply.code ?? reply.location ?? "")"
    }

    @Test(arguments: Rights.groups)
    func `whoever may not use a route is refused, and changes nothing`(_ group: Rights.Group) async throws {
        guard group.rule != .everybody else { return }
        let (house, things) = try await House.furnished()
        let tokens = try Self.tokens(in: house)
        let saved = try house.saved()
        let before = try house.contents()
        for route in group.routes {
            let refused = Rights.Holder.allCases.map { ($0, group.rule.answer(to: $0)) }.filter { $0.1 != .yes }
            for (holder, wanted) in refused {
                let reply = try await Self.send(route, as: holder, tokens[holder], in: house, things)
                #expect(Self.fault(reply, wanted, route, holder) == nil)
            }
            let changes = House.differences(before, try house.contents())
            #expect(changes == [], "\(route)")
            guard changes != [] else { continue }
            // The holders are named who changed it, and the next route is not blamed for this one.
            for (holder, _) in refused {
                try house.restore(saved)
                _ = try await Self.send(route, as: holder, tokens[holder], in: house, things)
                #expect(House.differences(before, try house.contents()) == [], "\(route) as \(holder)")
            }
            try house.restore(saved)
        }
    }

    @Test(arguments: Rights.groups)
    func `whoever may use a route is let in, and changes what it changes`(_ group: Rights.Group) async throws {
        let (house, things) = try await House.furnished()
        let tokens = try Self.tokens(in: house)
        let saved = try house.saved()
        let before = try house.contents()
        for route in group.routes {
            for holder in Rights.Holder.allCases where group.rule.answer(to: holder) == .yes {
                // Each request has a house in which nothing has happened.
                try house.restore(saved)
                let reply = try await Self.send(route, as: holder, tokens[holder], in: house, things)
                #expect(Self.fault(reply, .yes, route, holder) == nil)
                // Else a refusal would prove nothing.
                let mustChange = route.changes && holder == .adult && !SampleRequest.idle.contains(route.description)
                if mustChange, group.rule != .everybody {
                    #expect(reply.status < 400, "\(route): \(reply.text.prefix(300))")
                    #expect(House.differences(before, try house.contents()) != [], "\(route) changes nothing")
                }
            }
        }
    }
}
