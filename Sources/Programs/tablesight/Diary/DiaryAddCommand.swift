import ArgumentParser
import Catalogue
import Core
import Diary
import Engine
import Foundation
import Foods

extension DiaryCommand {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Logs a food, a photo of a barcode, plain energy, or an earlier meal.",
            help: """
                EXAMPLES
                  tablesight diary add hazelnut spread --portion "2 tbsp" --meal snack --person Ada
                  tablesight diary add --barcode 9520100001017 --portion "½ pack"
                  tablesight diary add --photo yoghurt.jpg --portion "150 g"
                  tablesight diary add --quick 450 --protein 20 --name "Lunch at work"
                  tablesight diary add oats --meal breakfast --day 2026-11-21
                  tablesight diary add --reuse breakfast --from 2026-11-21
                """)

        @Argument(help: "Words of the food's name or brand; misspellings are allowed.") var words: [String] = []
        @Option(help: "Portion: \"150 g\", \"2 bars\", \"½ pack\" (default: one serving).") var portion: String?
        @Option(help: "Product number.") var barcode: String?
        @Option(help: "Photo of a barcode.") var photo: String?
        @Option(help: "Kilocalories without a food.") var quick: Double?
        @Option(help: "Name of --quick.") var name = "Quick add"
        @Option(help: "Grams of protein of --quick.") var protein: Double?
        @Option(help: "Grams of carbohydrate of --quick.") var carbs: Double?
        @Option(help: "Grams of fat of --quick.") var fat: Double?
        @Option(help: "Log this meal of an earlier day again.") var reuse: Meal?
        @Option(help: "Day of --reuse (default: the newest before today).") var from: Day?
        @Option(help: "Meal (default: by the time of day).") var meal: Meal?
        @Option(help: "Day, yyyy-MM-dd (default: today).") var day: Day?
        @OptionGroup var place: Place

        func validate() throws {
            let ways = [!words.isEmpty, barcode != nil, photo != nil, quick != nil, reuse != nil].count { $0 }
            guard ways == 1 else {
                throw ValidationError("give words of a food, or one of --barcode, --photo, --quick and --reuse")
            }
        }

        func run() async throws {
            let (diary, person) = try place.open(makes: true)
            let now = Date()
            let today = Day(of: now, in: person.timeZone)
            let entries: [MealEntry]
            if let reuse {
                entries = try again(reuse, diary, person, today)
            } else {
                let food = try await food(diary, person, now)
                let serving: Serving
                do throws(PortionRefusal) {
                    serving =
                        try portion.map { (text) throws(PortionRefusal) in try PortionText.parse(text, of: food) }
                        ?? food.defaultServing
                } catch { throw StartupError(.badInput, error.detail) }
                let time = Calendar.minutes(of: now, in: person.timeZone)
                let chosen = day ?? today
                let entry = MealEntry(
                    id: UUID().uuidString.lowercased(), food: food, serving: serving,
                    meal: meal ?? Meal.usual(at: time / 60),
                    timestamp: chosen == today ? now : chosen.start(in: person.timeZone) + Double(time * 60),
                    zone: person.zone)
                do { try diary.put(entry, of: person.name) } catch DiaryProblem.badEntry(let detail) {
                    throw StartupError(.badInput, detail)
                }
                try diary.count(quick == nil ? .mealAdded : .quickAddUsed, of: person.name)
                entries = [entry]
            }
            if place.json { return try place.print(entries) }
            let log = try diary.day(day ?? today, of: person.name)
            try DiaryCommand.lines(
                entries.map { "added to \($0.meal.rawValue):\(DiaryCommand.line($0))" }
                    + [DiaryCommand.against(person.goal, log.totals)])
        }

        private func again(
            _ meal: Meal, _ diary: Diary, _ person: Diary.Person, _ today: Day
        ) throws -> [MealEntry] {
            let target = day ?? today
            let source = try from ?? diary.earlierMeals(of: person.name, before: target).first { $0.meal == meal }?.day
            let copies = try source.map { try diary.reuse(meal, of: $0, on: target, of: person.name) } ?? []
            guard !copies.isEmpty else {
                throw StartupError(.noInput, "no \(meal.rawValue) to log again: name its day with --from")
            }
            try diary.count(.reuseMeal, of: person.name)
            return copies
        }

        private func food(_ diary: Diary, _ person: Diary.Person, _ now: Date) async throws -> Food {
            if let quick {
                func grams(_ value: Double?) -> Decimal? { value.map { Decimal($0).rounded(places: 3) } }
                guard quick >= 0, quick.isFinite else { throw ValidationError("--quick must be 0 or more") }
                return .quick(
                    id: UUID().uuidString.lowercased(), name: name, calories: Decimal(quick).rounded(places: 3),
                    protein: grams(protein), carbs: grams(carbs), fat: grams(fat))
            }
            let engine = try TablesightEngine()
            let search = FoodSearch(diary, catalogue: engine.catalogue)
            if let photo { return try await scanned(photo, search, engine) }
            let text = barcode ?? words.joined(separator: " ")
            if let barcode, GTIN(typed: barcode) == nil {
                throw StartupError(.badInput, "\(barcode) is not a product number with a valid check digit")
            }
            guard let found = try search.foods(text, of: person.name, at: now).first else {
                throw StartupError(
                    .noInput,
                    "no foods found for “\(text)”: log the energy with --quick, or import products with "
                        + "`tablesight catalogue import`")
            }
            try notice(found.food, engine.catalogue)
            return found.food
        }

        /// Says on standard error that the record is an invented sample.
        private func notice(_ food: Food, _ catalogue: Catalogue) throws {
            guard let gtin = food.barcode.flatMap({ GTIN($0) }), let product = try catalogue.product(gtin),
                let notice = product.sampleNotice
            else { return }
            StandardError.write("tablesight: \(notice)\n")
        }

        /// The product of a photo's barcode.
        private func scanned(_ photo: String, _ search: FoodSearch, _ engine: TablesightEngine) async throws -> Food {
            guard let path = FilePathBytes(photo) else { throw ValidationError("a file name must not be empty") }
            let processor = try engine.processor(workers: 1)
            let outcome = await processor.outcome(
                for: path,
                PhotoProcessor.Request(
                    domain: .barcode, pieceSet: nil, profiles: try engine.people().profiles(named: ["everyone"])))
            guard let scan = ScannedFood(outcome) else {
                throw StartupError(
                    .badInput, "could not read a barcode in \(photo): use more light, or type it with --barcode")
            }
            guard let food = try search.product(scan.gtin, source: .scanned, confidence: scan.confidence) else {
                throw StartupError(
                    .noInput,
                    "no record of \(scan.gtin.normalised) states its energy: log it with --quick")
            }
            try notice(food, engine.catalogue)
            return food
        }
    }
}

extension Calendar {
    /// Minutes since midnight in a zone.
    fileprivate static func minutes(of instant: Date, in zone: TimeZone) -> Int {
        let start = Day(of: instant, in: zone).start(in: zone)
        return min(1439, max(0, Int(instant.timeIntervalSince(start) / 60)))
    }
}
