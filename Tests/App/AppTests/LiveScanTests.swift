import Core
import Foundation
import Household
import Kinds
import TestSupport
import Testing

@testable import App

@Suite struct LiveScanTests {
    private static let number = "4006381333931"

    private func product(_ number: String, _ confidence: Double) -> Product {
        Product(gtin: number, agreement: CodeAgreement(bars: confidence, confidence: confidence))
    }

    private func isSure(_ confidence: Double, before: String? = nil) -> Bool {
        LiveScan.code(of: [product(Self.number, confidence)], before: before.flatMap { GTIN($0) }).isSure
    }

    @Test func `one picture says a number on which the decoders agree, and two say a likely one`() {
        #expect(isSure(0.9962))
        #expect(!isSure(0.98) && isSure(0.98, before: Self.number))
        #expect(!isSure(0.98, before: "9520100001017"), "another number before")
        #expect(!isSure(0.84, before: Self.number), "two pictures of a damaged code are wrong alike")
    }

    @Test func `two numbers on a picture are none`() {
        let both = [product(Self.number, 0.9962), product("9520100001017", 0.9962)]
        #expect(LiveScan.code(of: both, before: nil) == SeenCode())
        #expect(LiveScan.code(of: [], before: nil) == SeenCode())
    }
}
