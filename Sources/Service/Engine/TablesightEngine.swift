import Allergens
import Documents
import Catalogue
import Core
import Foundation
import Household
import Kinds
import Foods
import Store

/// The composition root. Commands and daemon get models, catalogue, people and interpreter here, so that a photo has
/// the same outcome everywhere. Each part is opened once, at its first use.
package final class TablesightEngine: Sendable {
    package let models: ModelFolder
    /// The imported products, generic foods and the sample records.
    package let catalogue: Catalogue

    /// The running program; the worker is in the same folder.
    private let program: URL
    private let usualAllergens = Once<AllergenInterpreter>()
    private let usualRisk = Once<RiskInterpreter>()
    private let usualInterpreter = Once<Interpreter>()
    private let usualWordings = Once<Wordings>()

    package init() throws {
        program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        models = try ModelFolder.locate(program: program)
        catalogue = Catalogue(folder: Catalogue.usualFolder(), models: models)
    }

    /// - Parameter program: the program beside which the worker is.
    init(models: ModelFolder, catalogue: Catalogue, program: URL) {
        self.models = models
        self.catalogue = catalogue
        self.program = program
    }

    /// Lexicons, dish knowledge and verdict rules, for commands that judge only text.
    ///
    /// - Parameter isCalibrated: false gives uncalibrated strengths, for `eval`.
    package func allergens(isCalibrated: Bool = true) throws -> AllergenInterpreter {
        guard isCalibrated else { return try AllergenInterpreter(models: models, isCalibrated: false) }
        return try usualAllergens.get { try AllergenInterpreter(models: models) }
    }

    /// Receipts, price tags, nutrition tables and dates, for commands that read only text.
    package func documents() throws -> DocumentReader { try DocumentReader(from: models) }

    /// Interprets readings with the imported products.
    package func interpreter() throws -> Interpreter {
        let allergens = try allergens()
        return try usualInterpreter.get {
            let products = try ImportedProducts(catalogue: catalogue, models: models)
            return try Interpreter(models: models, allergens: allergens, products: products, risk: usualRisk.made)
        }
    }

    /// The evidence release and its rules, for commands that need no photo.
    package func risk() throws -> RiskInterpreter { try usualRisk.get { try RiskInterpreter(models: models) } }

    /// The texts for people, by language.
    package func wordings() throws -> Wordings { try usualWordings.get { try Wordings(from: models) } }

    /// People by name; the first database that has a name counts.
    ///
    /// - Parameter database: used before the user's database, because the app shows its people; nil for the one database
    ///   of the household.
    package func people(and database: URL? = nil) -> People {
        People(models: models, in: database.map { [$0, People.usualFile()] } ?? [People.householdFile()])
    }

    /// People of the user's own database.
    package var usersPeople: People { people(only: People.usualFile()) }

    /// The people whom a daemon judges for: everybody in its household, and whom the setting `profiles` names by a file or
    /// a profile of the program, for this run.
    ///
    /// People of the user's database are taken over into the daemon's once; see ``Household/takeOver(_:)``. Who was
    /// removed from the household is not judged for, whatever the setting says.
    ///
    /// - Parameters:
    ///   - names: names of the setting `profiles`.
    ///   - isChosen: false if the setting has its default.
    ///   - database: the daemon's database.
    package func watched(_ names: [String], isChosen: Bool, _ database: FilePathBytes) throws -> [AllergenProfile] {
        let file = URL(filePath: database.display)
        var names = names
        if FileManager.default.fileExists(atPath: file.path) {
            let household = Household(try OutcomeStore(at: file, checkpoints: false))
            _ = try household.takeOver(try usersPeople.members())
            let stored = try household.members().filter { one in names.contains { DisplayName.areEqual($0, one.name) } }
            _ = try household.takeOver(stored.map { NewMember($0.name, role: $0.role, profile: $0.profile) })
            let taken = try household.takenOver()
            names.removeAll { taken.contains(DisplayName.key(of: $0)) }
        }
        let own = try people(only: file).stored()
        guard isChosen || own.isEmpty else { return own }
        let chosen = try people(and: file).profiles(named: names)
        let all = chosen + own.filter { one in !chosen.contains { DisplayName.areEqual($0.name, one.name) } }
        return all.isEmpty ? try usersPeople.profiles(named: [AllergenProfile.everyone]) : all
    }

    package func people(only database: URL) -> People { People(models: models, in: [database]) }

    /// The worker program next to this one.
    ///
    /// - Parameter withoutModels: true recognises text with Tesseract only, even if the networks are installed.
    package func worker(withoutModels: Bool = false) throws -> WorkerProgram {
        var environment = ProcessInfo.processInfo.environment
        if withoutModels { environment["TABLESIGHT_WITHOUT_MODELS"] = "1" }
        return try WorkerProgram(beside: program, models: models, environment: environment)
    }

    /// Reads photos with this number of workers. Returns at once, without loading what judging needs. The time for a
    /// photo is that of the setting `workers.wallClockSeconds` where the environment has it.
    ///
    /// - Parameter withoutModels: as for ``worker(withoutModels:)``.
    /// - Throws: ``StartupError`` (69) if there is no worker program.
    package func reading(workers: Int, withoutModels: Bool = false) throws -> PhotoReading {
        var limits = WorkerLimits()
        let seconds = ProcessInfo.processInfo.environment["TABLESIGHT_WORKERS_WALL_CLOCK_SECONDS"].flatMap { Int($0) }
        if let seconds, (1...3600).contains(seconds) { limits.wallClock = .seconds(seconds) }
        return PhotoReading(
            workers: WorkerPool(size: workers, program: try worker(withoutModels: withoutModels), limits: limits),
            processorSeconds: limits.processorSeconds)
    }

    package func processor(workers: Int) throws -> PhotoProcessor { try processor(reading(workers: workers)) }

    /// Processes photos that are read so.
    ///
    /// - Parameter database: database with reviews to apply; nil, or a missing file, has none.
    package func processor(_ reading: PhotoReading, reviewsIn database: URL? = nil) throws -> PhotoProcessor {
        var processor = PhotoProcessor(interpreter: try interpreter(), reading: reading)
        processor.wording = try wordings()["en"]
        if let database, FileManager.default.fileExists(atPath: database.path) {
            let store = try OutcomeStore(at: database, checkpoints: false)
            processor.reviews = { (try? store.reviews(of: $0)) ?? [] }
            processor.kitchen = KitchenDishes(store)
        }
        return processor
    }

    /// Interprets stored readings again, for `rejudge`.
    ///
    /// - Parameters:
    ///   - store: the daemon's database; its people are known too.
    ///   - names: people to judge for; empty judges each photo for its former people.
    package func replay(
        of store: OutcomeStore, in database: URL, for names: [String], comparesBytes: Bool = false
    ) throws -> Replay {
        let people = people(and: database)
        let stored = (try? people.profiles(named: [People.household])) ?? []
        let all = stored + (try people.profiles(named: ["everyone"]))
        let known = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return Replay(
            interpreter: try interpreter(), profiles: names.isEmpty ? nil : try people.profiles(named: names),
            comparesBytes: comparesBytes, known: { known[$0] }, reviews: { (try? store.reviews(of: $0)) ?? [] },
            kitchen: KitchenDishes(store))
    }

    package func requirePieceSet(_ name: String) throws {
        let names = try models.names(in: "piece-sets", withExtension: "json").map { String($0.dropLast(5)) }
        guard names.contains(name) else {
            throw StartupError(
                .noInput,
                "no piece set \(name) (available: \(names.joined(separator: ", ")))"
                    + Suggestion.text(for: name, among: names))
        }
    }
}
