import Core
import Diary
import Foundation
import HTTP
import Foods

// What clients of the API send and get, where it is not a record itself.

struct MealEntries: Sendable, Codable { let entries: [MealEntry] }

struct FoundFoods: Sendable, Codable { let items: [FoundFood] }

struct DayWeight: Sendable, Codable {
    let date: Day
    /// Kilograms.
    let weight: Decimal
}

struct NewMealEntry: Sendable, Decodable, Documented {
    struct Quick: Sendable, Decodable, Documented {
        let calories: Decimal
        var name: String?
        var protein, carbs, fat: Decimal?

        static let fields = Dictionary(
            uniqueKeysWithValues: ["calories", "protein", "carbs", "fat"].map { ($0, Field(range: 0 ... .infinity)) })
    }

    var food: Food?
    var barcode, image: String?
    var quick: Quick?
    var reuse: Meal?
    var from: Day?
    var portion: String?
    var meal: Meal?
    var day: Day?
    var id: String?
    var at: Date?

    static let about: String? = "One of food, barcode, image, quick and reuse."
    static let example: String? =
        #"{"food":{…}}, {"barcode":"…"}, {"image":"…"}, {"quick":{"calories":450}} or {"reuse":"breakfast"}"#
    static let fields = [
        "image": Field("Id of a photo with an outcome."), "from": Field("Day of the meal to reuse."),
        "portion": Field(lengths: 0...60), "id": Field(lengths: 1...60),
        "at": Field("When it was eaten, for an entry that waited for a network; the day that it is in counts."),
    ]

    /// The one way that is named.
    ///
    /// - Throws: `Problem` (400) for none, and for more than one.
    fileprivate var newFood: NewFood {
        get throws(Problem) {
            let ways: [NewFood?] = [
                food.map(NewFood.food), barcode.map(NewFood.barcode), image.map(NewFood.image),
                quick.map {
                    .quick(calories: $0.calories, protein: $0.protein, carbs: $0.carbs, fat: $0.fat, name: $0.name)
                },
            ]
            let named = ways.compactMap(\.self)
            guard let way = named.first, named.count == 1 else {
                throw Problem(400, "badRequest", "send one of food, barcode, image, quick and reuse")
            }
            return way
        }
    }
}

extension DiaryActions {
    /// Adds what a client names in one of five ways.
    func add(_ new: NewMealEntry, to opened: OpenDiary) throws -> MealEntries {
        try opened.owned()
        if let meal = new.reuse {
            return MealEntries(entries: try reuse(meal, from: new.from, on: new.day, of: opened))
        }
        let entry = try add(
            new.newFood, portion: new.portion, at: new.meal, on: new.day, id: new.id, eaten: new.at, to: opened)
        return MealEntries(entries: [entry])
    }
}

struct MealEntryEdit: Sendable, Decodable, Documented {
    let food: Food
    /// Nil for the food's usual serving.
    var serving: Serving?
    let meal: Meal
    let timestamp: Date
    /// Nil for the diary's.
    var zone: String?

    static let example: String? = #"{"food":{…},"serving":{…},"meal":"lunch","timestamp":"…"}"#
}

struct FavouriteEdit: Sendable, Decodable, Documented {
    let food: Food
    var portion: String?

    static let example: String? = #"{"food":{…},"portion":"60 g"}"#
    static let fields = ["portion": Field(lengths: 0...60)]
}

struct WeightEdit: Sendable, Decodable, Documented {
    let weight: Decimal

    static let example: String? = #"{"weight":73.2}"#
    static let fields = ["weight": Field(range: 20...400)]
}

struct DiaryEdit: Sendable, Decodable, Documented {
    var zone: String?
    var encouragement: Bool?

    static let example: String? = #"{"zone":"Europe/Berlin"}"#
}

extension Food: Documented {
    package static var fields: [String: Field] {
        let figure = Field(range: 0 ... .infinity)
        return [
            "id": Field(lengths: 1...100), "name": Field(lengths: 1...200), "barcode": Field(lengths: 0...20),
            "calories": figure, "protein": figure, "carbs": figure, "fat": figure,
            "unknown": Field("Figures that the record does not state; they are 0."), "density": figure,
            "confidence": Field(range: 0...1),
        ]
    }
}

extension Serving: Documented {
    /// `Serving` is the one of a catalogue's food.
    package static var documentedName: String? { "MealsServing" }
    package static var fields: [String: Field] {
        [
            "sizeLabel": Field(lengths: 1...120), "grams": Field("Grams, or millilitres of a drink.", above: 0),
            "multiplier": Field(range: 0...1000, above: 0),
        ]
    }
}

extension UserGoal: Documented {
    package static var example: String? { #"{"dailyCalories":1800}"# }

    package static var fields: [String: Field] {
        let (weight, grams) = (Field(range: 20...400), Field(range: 0 ... .infinity))
        return [
            "dailyCalories": Field(range: 300...10_000), "currentWeight": weight, "targetWeight": weight,
            "birthYear": Field(range: 1900...2100), "height": Field(range: 80...250), "protein": grams, "carbs": grams,
            "fat": grams,
        ]
    }
}
