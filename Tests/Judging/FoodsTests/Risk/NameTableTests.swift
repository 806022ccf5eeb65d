import Testing

@testable import Foods

@Suite struct NameTableTests {
    @Test func `a name is found only as a whole`() {
        var words = NameWords()
        var names = NameTable<Int>()
        names.update([words.add("citric"), words.add("acid")]) { _ in 330 }
        names.update([words.add("citric"), words.add("acid"), words.add("esters")]) { ($0 ?? 0) + 472 }
        func value(_ texts: String...) -> Int? { names.value(of: texts.map { words[$0].number }) }
        #expect(value("citric", "acid") == 330)
        #expect(value("citric", "acid", "esters") == 472)
        #expect(value("citric") == nil)
        #expect(value("acid", "citric") == nil)
        #expect(value("citric", "unknown") == nil)
    }

    @Test func `an unknown plural has the number of its known singular`() {
        var words = NameWords()
        let nitrate = words.add("nitrate")
        #expect(words["nitrates"].number == NameWord.unknown)
        #expect(words["nitrates"].singular == nitrate)
        #expect(words["tomatoes"].singular == NameWord.unknown)
        #expect(words["of"].isFiller && !words["nitrate"].isFiller)
    }
}
