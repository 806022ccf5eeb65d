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
        @Option(help: "Name of --quick.") var name = DiaryActions.quickName
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
            let engine = quick == nil && reuse == nil ? try TablesightEngine() : nil
            let (actions, diary) = try await place.open(makes: true, engine?.catalogue)
            let entries: [MealEntry]
            if let reuse {
                entries = try await actions.reuse(reuse, from: from, on: day, of: diary)
            } else {
                let entry = try await actions.add(
                    try await newFood(engine), portion: portion, at: meal, on: day, to: diary)
                if let engine { try notice(entry.food, engine.catalogue) }
                entries = [entry]
            }
            if place.json { return try StandardOutput.writeLine(entries) }
            let goal = try await actions.person(of: diary).goal
            try DiaryCommand.lines(
                entries.map { "added to \($0.meal.rawValue):\(DiaryCommand.line($0))" }
                    + [DiaryCommand.against(goal, try await actions.day(day, of: diary).totals)])
        }

        /// What the options name. Without an engine it is energy without a food.
        private func newFood(_ engine: TablesightEngine?) async throws -> NewFood {
            if let photo, let engine { return .photo(try await outcome(of: photo, engine)) }
            if let barcode { return .barcode(barcode) }
            guard let quick else { return .words(words.joined(separator: " ")) }
            guard quick >= 0, quick.isFinite else { throw ValidationError("--quick must be 0 or more") }
            func grams(_ value: Double?) -> Decimal? { value.map { Decimal($0).rounded(places: 3) } }
            return .quick(
                calories: Decimal(quick).rounded(places: 3), protein: grams(protein), carbs: grams(carbs),
                fat: grams(fat), name: name)
        }

        /// Says on standard error that the record is an invented sample.
        private func notice(_ food: Food, _ catalogue: Catalogue) throws {
            guard let gtin = food.barcode.flatMap({ GTIN($0) }), let product = try catalogue.product(gtin),
                let notice = product.sampleNotice
            else { return }
            StandardError.write("tablesight: \(notice)\n")
        }

        private func outcome(of photo: String, _ engine: TablesightEngine) async throws -> Outcome {
            guard let path = FilePathBytes(photo) else { throw ValidationError("a file name must not be empty") }
            // A photo that is not there is no scan.
            guard FileManager.default.isReadableFile(atPath: photo) else {
                throw StartupError(.noInput, "cannot read \(photo)")
            }
            let processor = try engine.processor(workers: 1)
            return await processor.outcome(
                for: path,
                PhotoProcessor.Request(
                    domain: .barcode, pieceSet: nil, profiles: try engine.people().profiles(named: ["everyone"])))
        }
    }
}
