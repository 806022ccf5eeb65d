import Diary
import Foundation
import Hashing

/// A code of eight digits that opens a diary on one more device.
public enum DiaryCode {
    /// Makes a code and stores its hash.
    ///
    /// - Returns: `1234 5678` and the time until which it is valid.
    public static func issue(
        in diary: Diary, of person: String, now: Date
    ) throws -> (code: String, expires: Date) {
        var random = SystemRandomNumberGenerator()
        let digits = (0..<8).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
        try diary.access.setCode(hash(digits), of: person, now: Int64(now.timeIntervalSince1970))
        return (digits.prefix(4) + " " + digits.suffix(4), now + Double(DiaryAccess.codeSeconds))
    }

    /// SHA-256 of the code, however a person types it.
    static func hash(_ code: String) -> Data {
        Data(SHA256.digest(of: code.filter { $0.isASCII && $0.isNumber }.utf8))
    }
}
