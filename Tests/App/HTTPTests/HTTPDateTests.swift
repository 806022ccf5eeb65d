import Foundation
import Testing

@testable import HTTP

struct HTTPDateTests {
    @Test(arguments: [
        (784_111_777.0, "Sun, 06 Nov 1994 08:49:37 GMT"),  // the example of RFC 9110
        (1_709_251_199.9, "Thu, 29 Feb 2024 23:59:59 GMT"),
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    ])
    func `the date of an answer is written as RFC 9110 says`(seconds: Double, text: String) {
        #expect(HTTPDate(Date(timeIntervalSince1970: seconds)).description == text)
    }
}
