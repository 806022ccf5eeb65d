import Core
import Foundation
import Games
import HTTPAPI

/// What the pages need of the daemon.
public protocol WebSource: Sendable {
    /// The outcome of a content as JSON; nil without one.
    func outcome(_ id: String) async throws -> Data?
    /// - Throws: `Problem` for an unknown parameter.
    func history(_ query: APIHistoryQuery) async throws -> APIHistoryPage
    /// The people whom new photos are judged for.
    var people: [AllergenProfile] { get async }
    /// The people that the page can change.
    func storedPeople() async throws -> [WebPerson]
    /// The people whom new photos are judged for too, and whom only commands can change.
    func peopleChosenElsewhere() async throws -> [AllergenProfile]
    /// The allergens of a law, in its order.
    func allergens(of regime: String) async throws -> [Allergen]
    /// The verdicts of products by their numbers, for the people above. A number without a record has verdicts that say so.
    func verdicts(ofProducts numbers: [String]) async throws -> [String: Verdicts]
    /// What the page about the daemon shows.
    func status() async throws -> WebStatus
    /// All games, in the order of the catalogue.
    func games() async throws -> [GameCatalogue.Entry]
    /// The sessions of all boards, oldest first.
    func sessions() async throws -> [APISession]
    /// One session with its newest photo; nil if the id is unknown.
    func board(_ session: String) async throws -> WebBoard?
}

/// A member of the household as the page of people shows them.
public struct WebPerson: Sendable, Hashable {
    public var profile: AllergenProfile
    /// `adult`, `child` or `guest`.
    public var role: String
    /// Number of the picture's colour, 1 to 4.
    public var colour: Int

    public init(profile: AllergenProfile, role: String, colour: Int) {
        self.profile = profile
        self.role = role
        self.colour = colour
    }
}

/// The state of the daemon.
public struct WebStatus: Sendable {
    /// A photo that is not tried again.
    public struct Quarantined: Sendable {
        public var path: String
        public var reason: String

        public init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    /// The time of one stage over all photos since the start.
    public struct StageTime: Sendable {
        public var stage: String
        public var photos: Int
        /// Mean, milliseconds.
        public var milliseconds: Double

        public init(stage: String, photos: Int, milliseconds: Double) {
            self.stage = stage
            self.photos = photos
            self.milliseconds = milliseconds
        }
    }

    /// The photos of one minute.
    public struct Minute: Sendable, Hashable {
        /// Photos that got an answer.
        public var photos: Int
        /// The most photos that waited at a time.
        public var waiting: Int
        /// From the start of reading to the stored answer, milliseconds; nil without photos.
        public var median, p95, p99: Double?

        public init(
            photos: Int = 0, waiting: Int = 0, median: Double? = nil, p95: Double? = nil, p99: Double? = nil
        ) {
            self.photos = photos
            self.waiting = waiting
            self.median = median
            self.p95 = p95
            self.p99 = p99
        }
    }

    /// Reasons why the daemon is not ready; empty if it is.
    public var shortcomings: [String]
    public var waiting: Int
    public var outcomes: Int
    public var freeBytes: Int
    public var quarantine: [Quarantined]
    public var times: [StageTime]
    /// Part → version.
    public var versions: [(part: String, version: String)]
    /// The last hour at most, oldest first; the last entry is the current minute.
    public var minutes: [Minute]

    public init(
        shortcomings: [String], waiting: Int, outcomes: Int, freeBytes: Int, quarantine: [Quarantined],
        times: [StageTime], versions: [(part: String, version: String)], minutes: [Minute] = []
    ) {
        self.minutes = minutes
        self.shortcomings = shortcomings
        self.waiting = waiting
        self.outcomes = outcomes
        self.freeBytes = freeBytes
        self.quarantine = quarantine
        self.times = times
        self.versions = versions
    }
}
