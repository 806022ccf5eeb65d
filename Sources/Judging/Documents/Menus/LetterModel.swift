import Foundation
import Core

/// Classifies a text by its letters alone: a logistic regression on character n-grams.
///
/// N-grams of two to four letters of each folded word, with word boundaries, are hashed into buckets (FNV-1a).
struct LetterModel: Sendable {
    /// Number of buckets, a power of two.
    static let buckets = 1 << 14
    static let pieces = 2...4

    /// The classes, as letters of `MenuRole`.
    let classes: [Character]
    private let bias: [Float]
    /// Row-major matrix, `buckets` × `classes`.
    private let weights: [Float]

    init?(classes: String, bias: [Float], steps: [Float], weights: Data) {
        let count = classes.count
        guard count > 1, bias.count == count, steps.count == count, weights.count == Self.buckets * count else {
            return nil
        }
        self.classes = Array(classes)
        self.bias = bias
        self.weights = weights.enumerated().map { Float(Int8(bitPattern: $1)) * steps[$0 % count] }
    }

    /// Logarithms of the class probabilities, clamped at -6.
    func logProbabilities(of tokens: [Token]) -> [Float] {
        let found = Self.buckets(of: tokens)
        var sums = bias
        let scale = found.isEmpty ? 0 : 1 / found.reduce(Float(0)) { $0 + $1.value * $1.value }.squareRoot()
        weights.withUnsafeBufferPointer { weights in
            sums.withUnsafeMutableBufferPointer { sums in
                for (bucket, count) in found {
                    let row = bucket * sums.count
                    for number in sums.indices { sums[number] += scale * count * weights[row + number] }
                }
            }
        }
        let most = sums.max() ?? 0
        let total = log(sums.reduce(Float(0)) { $0 + exp($1 - most) }) + most
        return sums.map { max(-6, $0 - total) }
    }

    /// The count of each bucket, sorted by bucket so that sums are identical on every run.
    static func buckets(of tokens: [Token]) -> [(key: Int, value: Float)] {
        var met: [UInt16] = []
        var marked: [UInt8] = []
        for token in tokens {
            marked.removeAll(keepingCapacity: true)
            marked.append(0x20)
            marked += token.text.utf8
            marked.append(0x20)
            for length in pieces where marked.count >= length {
                for start in 0...(marked.count - length) {
                    var hash: UInt32 = 0x811C_9DC5
                    for byte in marked[start..<(start + length)] { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
                    hash ^= hash >> 15
                    met.append(UInt16(truncatingIfNeeded: hash) & UInt16(Self.buckets - 1))
                }
            }
        }
        var counts: [(key: Int, value: Float)] = []
        for bucket in sorted(met) {
            let key = Int(bucket)
            if counts.last?.key == key { counts[counts.count - 1].value += 1 } else { counts.append((key, 1)) }
        }
        return counts
    }

    /// Sorts by counting, first the low seven bits and then the high ones. A text has some hundred buckets, and every
    /// text of a page is sorted.
    private static func sorted(_ buckets: [UInt16]) -> [UInt16] {
        var (from, to) = (buckets, buckets)
        for shift in [0, 7] {
            var ends = [Int](repeating: 0, count: 128)
            for bucket in from { ends[Int(bucket >> UInt16(shift)) & 127] += 1 }
            var sum = 0
            for digit in ends.indices {
                sum += ends[digit]
                ends[digit] = sum
            }
            for bucket in from.reversed() {
                let digit = Int(bucket >> UInt16(shift)) & 127
                ends[digit] -= 1
                to[ends[digit]] = bucket
            }
            swap(&from, &to)
        }
        return from
    }
}

/// The hash buckets of a text, for training.
public enum LetterBuckets {
    /// The count of each bucket, sorted by bucket.
    public static func buckets(of text: String) -> [(key: Int, value: Float)] {
        LetterModel.buckets(of: Folding.tokens(of: Array(text.unicodeScalars)))
    }
}
