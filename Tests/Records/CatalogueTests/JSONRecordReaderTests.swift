import Testing
@testable import Catalogue

@Suite struct JSONRecordReaderTests {
    private let reader = JSONRecordReader(ImportFormat.offJSONL.keys)

    private func texts(_ bytes: [UInt8]) -> ImportTexts? {
        let padded = bytes + [UInt8](repeating: 0x20, count: JSONRecordReader.padding)
        return padded.withUnsafeBufferPointer { reader.texts($0, 0..<bytes.count) }
    }

    @Test func `numbers keep their spelling, lists become words, line breaks stay`() throws {
        let texts = try #require(
            reader.texts(
                of: """
                    {"code":6.51511E+11,"allergens_tags":["en:milk",3,"en:eggs"],"ingredients_text":"sugar\\nmilk","lang":null,
                    "nutriments":{"fat_100g":"1.50","salt_100g":0.20 },"other":{"code":"9"}}
                    """))
        #expect(texts[.code] == "6.51511E+11")
        #expect(texts[.allergens] == "en:milk,en:eggs")
        #expect(texts[.ingredients] == "sugar\nmilk")
        #expect(texts[.language] == nil)
        #expect(texts[.fat] == "1.50")
        #expect(texts[.salt] == "0.20")
    }

    @Test func `bytes that are not UTF-8 become a replacement character and lose no record`() throws {
        let record = Array("{\"code\":\"1\",\"product_name\":\"caf".utf8) + [0xE9] + Array("\"}".utf8)
        #expect(try #require(texts(record))[.name] == "caf\u{FFFD}")
    }

    @Test(arguments: ["{\"code\":\"1\"", "{\"code\":\"1\"} x", "[]", "", "{\"code\":tru}x", "{\"code\" \"1\"}"])
    func `text that is not one whole object gives nothing`(text: String) {
        #expect(reader.texts(of: text) == nil)
    }

    @Test func `the comma after an object of a list is ignored`() {
        #expect(reader.texts(of: "{\"code\":\"1\"},")?[.code] == "1")
    }

    @Test func `a range without readable bytes after it gives nothing`() {
        let bytes = Array("{\"code\":\"1\"}".utf8)
        #expect(bytes.withUnsafeBufferPointer { reader.texts($0, 0..<bytes.count) } == nil)
    }
}
