import ArgumentParser
import Core
import Configuration
import Daemon
import Diary
import Engine
import Foods
import Foundation
import Groceries
import Household
import Settings
import Store

struct HouseholdCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "household",
        abstract: "Manages the people of the house, their phones, and the certificate for HTTPS.",
        help: """
            One database holds the people: that of --database, of the daemon of --config or --output, of
            TABLESIGHT_PEOPLE, of the daemon that watches ./inbox, or of your user, in this order.

            EXAMPLES
              tablesight household add Mia --allergen milk=severe --allergen nuts=high   add a person
              tablesight household add Leo --role child                                   add a child
              tablesight household list                                                   list all people
              tablesight household pair                                                   let a browser in; --help: a phone
              tablesight household certificate kitchen.local                              prepare HTTPS
            """,
        subcommands: [
            List.self, Add.self, Edit.self, Rename.self, Remove.self, Name.self, PIN.self, Pair.self, Devices.self,
            Revoke.self, Certificate.self,
        ])

    /// Says on standard error which command replaces an older one.
    static func note(_ old: String, is new: String) {
        StandardError.write("tablesight: `tablesight \(old)` is now `tablesight household \(new)`\n")
    }
}

struct HouseholdPlace: ParsableArguments {
    @Option(help: "Database file (default: see tablesight help household).") var database: String?
    @Option(help: "YAML file with the daemon's settings.") var config: String?
    @Option(help: "The daemon's output folder.") var output: String?

    init() {}

    init(config: String?, output: String?) {
        self.config = config
        self.output = output
    }

    func daemon() async throws -> (settings: Settings, output: FilePathBytes) {
        let flags = output.map { ["output": ConfigContent.string($0)] } ?? [:]
        let settings = try await Settings(flags: flags, file: config)
        return (settings, try WatchConfiguration.output(settings))
    }

    /// The household of the people.
    ///
    /// - Parameter makes: true creates the database if it does not exist.
    func household(makes: Bool = false) async throws -> HouseholdActions {
        HouseholdActions(Household(try await store(makes: makes)))
    }

    /// - Parameter makes: true creates the database if it does not exist.
    func people(makes: Bool = false) async throws -> PeopleActions {
        try Self.people(Household(try await store(makes: makes)))
    }

    static func people(_ household: Household) throws -> PeopleActions {
        let engine = try TablesightEngine()
        let rules = try engine.models.load(GroceryRules.self, from: "groceries/rules.json")
        return PeopleActions(
            HouseholdActions(household),
            data: [Diary(household.store), Groceries(household.store, rules: rules)],
            allergens: { try engine.allergens() }, languages: { try engine.wordings().languages }, judged: nil)
    }

    func store(makes: Bool = false) async throws -> OutcomeStore {
        try DatabaseOption.store(at: try await file(), makes: makes)
    }

    /// The database of the people; it may be missing.
    func file() async throws -> URL {
        if let database { return URL(filePath: database) }
        let own = URL(filePath: try await daemon().output.appending(names: "tablesight.sqlite").display)
        return config != nil || output != nil ? own : People.householdFile(daemon: own)
    }

    /// The household of a daemon; that of the user has no devices.
    ///
    /// - Throws: ``StartupError`` (66) if no daemon was started there yet.
    func daemonHousehold() async throws -> (
        household: HouseholdActions, settings: Settings, output: FilePathBytes
    ) {
        let (settings, output) = try await daemon()
        let file = database ?? output.appending(names: "tablesight.sqlite").display
        return (try Self.daemonHousehold(file), settings, output)
    }

    static func daemonHousehold(_ file: String) throws -> HouseholdActions {
        guard FileManager.default.fileExists(atPath: file) else {
            throw StartupError(
                .noInput, "\(file) does not exist: start `tablesight watch` first, or name its folder with --output")
        }
        return HouseholdActions(Household(try DatabaseOption.store(at: URL(filePath: file), makes: false)))
    }
}
