import Allergens
import Core
import Foundation
import HTTP
import Household
import Store

/// The daemon's data for the pages.
struct PageSource {
    let store: OutcomeStore
    let judged: any JudgedPhotos
    let allergens: AllergenInterpreter
    let history: HistoryService

    func outcome(_ id: String) async throws -> Data? { try await history.outcome(id) }

    func history(_ query: APIHistoryQuery) async throws -> APIHistoryPage { try await history.page(query) }

    var people: [AllergenProfile] { judged.people }

    func storedPeople() async throws -> [WebPerson] {
        try Household(store).members().map { WebPerson(profile: $0.profile, role: $0.role.rawValue, colour: $0.colour) }
    }

    func peopleChosenElsewhere() async throws -> [AllergenProfile] { try judged.chosenElsewhere(than: store) }

    func allergens(of regime: String) async throws -> [Allergen] {
        try ((try? allergens.regime(named: regime)) ?? allergens.regime(named: "eu14")).allergens
    }
}
