import Foundation
import Testing

@testable import Groceries

/// Numbers of imported prices at the ends of their types: each row is stored or refused, and none ends the program.
@Suite struct ImportedNumberTests {
    @Test func `no number of an imported price traps`() throws {
        let fixture = try GroceryFixture()
        let row =
            #"{"id":1,"product_code":"3017620422003","price":2.49,"currency":"EUR","location_osm_id":652825274,"#
            + #""location_osm_type":"NODE","date":"2026-09-20","location_id":7,"#
            + #""product":{"code":"3017620422003","product_quantity":500,"product_quantity_unit":"g"},"#
            + #""location":{"id":7,"osm_id":652825274,"osm_lat":48.1,"osm_lon":11.5}}"#
        let numbers = [
            "9223372036854775807", "-9223372036854775808", "9223372036854775808", "-1", "0", "1e308", "-1e308", "1e400",
            "1e-400", "0.000000000000000001", String(repeating: "9", count: 60),
        ]
        let places = row.ranges(of: /(?::)-?\d+(?:\.\d+)?/)
        #expect(places.count >= 6)
        var rows: [String] = []
        for number in numbers {
            for place in places { rows.append(row.replacingCharacters(in: place, with: ":\(number)")) }
        }
        let report = try fixture.groceries.importOpenPrices(Data(rows.joined(separator: "\n").utf8))
        #expect(report.imported + report.known + report.waiting + report.rejected == rows.count)
    }
}
