import Core
import Foundation
import Foods
import TestSupport
import Testing

/// The types of an app that was written for Scanivore: what is not optional there must always be there.
private struct ClientCitation: Decodable {
    var id: Int
    var title: String
    var source: String?
    var year: Int?
    var url: String?
    var format: String?
}

private struct ClientIngredient: Decodable {
    var name: String
    var risk: String
    var risk_level: String?
    var overview: String?
    var health_risks: [String]?
    var common_uses: [String]?
    var citations: [Int]?
}

private struct ClientLists: Decodable {
    var high_risk, moderate_risk, low_risk: [ClientIngredient]
    var citations: [ClientCitation]?
}

private struct ClientSummary: Decodable {
    var grade: String?
    var score: Int?
}

private struct ClientResponse: Decodable {
    var high_risk, moderate_risk, low_risk: [ClientIngredient]
    var citations: [ClientCitation]?
    var ingredients_assessment: ClientLists?
    var risk_summary: ClientSummary?
}

@Suite struct `Scanivore's client` {
    private func decoded(_ text: String, _ language: String? = "en") throws -> ClientResponse {
        let one = try Shipped.risk.assessment(ofText: text, .init(language: language))
        let json = try JSONEncoder().encode(one)
        let client = try JSONDecoder().decode(ClientResponse.self, from: json)
        for (list, level) in [
            (client.high_risk, "high"), (client.moderate_risk, "moderate"), (client.low_risk, "low"),
        ] {
            #expect(list.allSatisfy { $0.risk_level == level && !$0.risk.isEmpty && !$0.name.isEmpty })
            #expect(Set(list.map(\.name)).count == list.count, "names are unique in a list")
        }
        let ids = Set((client.citations ?? []).map(\.id))
        #expect(ids == Set((client.citations ?? []).indices.map { $0 + 1 }))
        #expect((client.citations ?? []).allSatisfy { $0.year != nil && $0.url != nil && $0.format == "APA" })
        for ingredient in client.high_risk + client.moderate_risk + client.low_risk {
            #expect(ids.isSuperset(of: ingredient.citations ?? []))
        }
        #expect(client.ingredients_assessment?.high_risk.map(\.name) == client.high_risk.map(\.name))
        #expect(client.ingredients_assessment?.citations?.count == client.citations?.count)
        #expect(try JSONDecoder().decode(IngredientAssessment.self, from: json) == one, "our own reader agrees")
        return client
    }

    @Test func `decodes an empty list`() throws {
        let client = try decoded("")
        #expect(client.high_risk.isEmpty && client.moderate_risk.isEmpty && client.low_risk.isEmpty)
    }

    @Test func `decodes unknown ingredients only, without a citation of an ingredient`() throws {
        let client = try decoded("qqqq, wwww, zzzz")
        #expect(client.high_risk.isEmpty && client.moderate_risk.isEmpty && client.low_risk.isEmpty)
    }

    @Test func `decodes an assessment without any citation`() throws {
        var one = try Shipped.risk.assessment(ofText: "qqqq, wwww", .init(language: "en"))
        one.citations = []
        one.components.processing = .init()
        let client = try JSONDecoder().decode(ClientResponse.self, from: JSONEncoder().encode(one))
        #expect(client.citations?.isEmpty == true && client.ingredients_assessment?.citations?.isEmpty == true)
        let named = try decoded("qqqq, wwww")
        #expect((named.high_risk + named.moderate_risk + named.low_risk).isEmpty)
    }

    @Test func `a share of a daily value does not disturb the client`() throws {
        let table = NutritionPer100(energyKJ: 400, salt: 1.5)
        let one = try Shipped.risk.assessment(ofText: "salt", .init(language: "en", nutrition: table))
        #expect(one.moderate_risk.first?.dose != nil)
        let client = try JSONDecoder().decode(ClientResponse.self, from: JSONEncoder().encode(one))
        #expect(client.moderate_risk.map(\.name) == ["salt"])
    }

    @Test func `decodes names in any script`() throws {
        let client = try decoded("Žluťásek 🌶️, соль, 食塩, sůl, crème brûlée, sodium nitrite")
        #expect(client.high_risk.map(\.name) == ["sodium nitrite"])
    }

    @Test func `decodes 200 ingredients`() throws {
        let names = try Shipped.files.subjects.additives.prefix(200).compactMap { $0.names["en"]?.first }
        let client = try decoded(names.joined(separator: "; "))
        #expect(client.high_risk.count + client.moderate_risk.count + client.low_risk.count > 20)
    }

    @Test(arguments: [
        ("en", "Sugar, palm oil, hazelnuts 13%, emulsifier (soya lecithin), salt"),
        ("de", "Zucker, Palmöl, Haselnüsse 13 %, Emulgator: Lecithine (Soja), Salz"),
        ("fr", "Sucre, huile de palme, noisettes 13 %, émulsifiant : lécithines de soja, sel"),
        ("es", "Azúcar, aceite de palma, avellanas 13 %, emulgente: lecitina de soja, sal"),
        ("it", "Zucchero, olio di palma, nocciole 13 %, emulsionante: lecitina di soia, sale"),
        ("nl", "Suiker, palmolie, hazelnoten 13 %, emulgator: sojalecithine, zout"),
        ("pt", "Açúcar, óleo de palma, avelãs 13 %, emulsionante: lecitina de soja, sal"),
        ("pl", "Cukier, olej palmowy, orzechy laskowe 13 %, emulgator: lecytyny (soja), sól"),
        ("cs", "Cukr, palmový olej, lískové oříšky 13 %, emulgátor: lecitin (sója), sůl"),
        ("hu", "Cukor, pálmaolaj, mogyoró 13 %, emulgeálószer: lecitin (szója), só"),
    ])
    func `decodes a label of each language and finds sugar and salt`(language: String, text: String) throws {
        let client = try decoded(text, language)
        #expect(client.moderate_risk.count >= 2, "\(client.moderate_risk.map(\.name))")
    }
}
