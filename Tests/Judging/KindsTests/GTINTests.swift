import Testing
import Core

struct GTINTests {
    // Check digits computed by hand from the GS1 rule: weights 3, 1, 3, … from the right.
    @Test(
        "A number with a valid check digit gives one GTIN-14 for every printed length",
        arguments: [
            ("3073500805014", "03073500805014"), ("8076809570787", "08076809570787"),
            ("737628064502", "00737628064502"), ("0737628064502", "00737628064502"),
            ("5000000000005", "05000000000005"), ("10012345000017", "10012345000017"),
            ("80050100", "00000080050100"), ("3 017620-422003", "03017620422003"),
        ])
    func completed(printed: String, digits: String) {
        #expect(GTIN(printed)?.digits == digits)
    }

    @Test("Every wrong check digit is rejected")
    func wrongCheckDigits() {
        for last in 0...9 where last != 1 { #expect(GTIN("400638133393\(last)") == nil) }
        #expect(GTIN("4006381333931") != nil)
    }

    @Test("Transposed neighbouring digits are detected")
    func swapped() { #expect(GTIN("4006381339331") == nil) }

    @Test(
        "Texts that are no GTIN are rejected",
        arguments: ["", "0", "00000000", "0000000000000", "123456", "12345678901", "400638133393X", "٤٠٠٦٣٨١٣٣٣٩٣١"])
    func refused(text: String) { #expect(GTIN(text) == nil) }

    @Test(
        "A UPC-E code expands to the UPC-A of its last digit",
        arguments: [
            ("04252614", "00042100005264"), ("01234505", "00012000003455"), ("654321", "00065100004327"),
            ("01234531", "00012300000451"), ("01234543", "00012340000053"), ("123459", "00012345000096"),
            ("0123459", "00012345000096"),
        ])
    func expanded(short: String, digits: String) { #expect(GTIN(upcE: short)?.digits == digits) }

    @Test("Data sets and people write UPC-E codes, with or without leading zeros; GTIN-8 stay GTIN-8")
    func anyForm() throws {
        for short in ["04963406", "04252614", "01234505", "01234531", "01234543", "04904403"] {
            let long = try #require(GTIN(upcE: short))
            for form in [short, "000000" + short, "00000" + short, String(short.dropFirst())] {
                #expect(try GTIN(ofAnyLength: form) == long, "\(form)")
            }
            #expect(GTIN(typed: short) == long)
            #expect(try GTIN(ofAnyLength: long.digits) == long)
            #expect(RestrictedPrefix(long) == nil)
        }
        for short in ["80050100", "40123455", "12345670", "96385074"] {
            #expect(try GTIN(ofAnyLength: short) == GTIN(short))
            #expect(GTIN(typed: short) == GTIN(short) && GTIN(short) != nil)
        }
        for wrong in ["04963407", "80050101", "1234", "00000000"] {
            #expect(throws: GTIN.Failure.self) { try GTIN(ofAnyLength: wrong) }
        }
    }

    @Test(
        "A UPC-E code with a wrong check digit, number system or length is rejected",
        arguments: ["09988755", "24252614", "12345", "042526140", "0425261x"])
    func refusedUPCE(text: String) { #expect(GTIN(upcE: text) == nil) }

    @Test(
        "A normalised number has 8, 13 or 14 digits",
        arguments: [
            ("00000080050100", "80050100"), ("03168930003441", "3168930003441"), ("737628064502", "0737628064502"),
            ("10012345000017", "10012345000017"),
        ])
    func normalised(printed: String, short: String) { #expect(GTIN(printed)?.normalised == short) }

    @Test("The same item's UPC-A and EAN-13 are equal")
    func equal() {
        #expect(GTIN("737628064502") == GTIN("0737628064502"))
        #expect(GTIN("737628064502") != GTIN("3017620422003"))
    }
}
