import Foundation

/// Gradient-boosted trees for several classes, in the form of scikit-learn's `HistGradientBoostingClassifier`.
struct BoostedTrees: Sendable {
    /// A node. Nodes are in preorder: the left child follows its parent.
    struct Node: Sendable {
        /// Maximum feature value for the left child. For a leaf (`feature` is `leaf`), the value of the leaf.
        var threshold: Float
        var feature: UInt16
        /// Offset from this node to its right child.
        var right: UInt16

        static let leaf = UInt16.max
    }

    struct File: Codable, Sendable {
        /// Letters of `MenuRole`, one for each class.
        var classes: String
        var baseline: [Float]
        var features: Int
        /// Index of the first node of each tree, round by round and class by class; UInt32, little-endian.
        var starts: Data
        /// Thresholds Float32, features UInt16 and right offsets UInt16 of all nodes, little-endian.
        var thresholds, nodes, rights: Data
    }

    let classes: [Character]
    let featureCount: Int
    private let baseline: [Float]
    private let starts: [Int]
    private let nodes: [Node]

    init?(_ file: File) {
        let count = file.nodes.count / 2
        guard file.thresholds.count == count * 4, file.rights.count == count * 2, file.starts.count % 4 == 0,
            !file.classes.isEmpty, file.baseline.count == file.classes.count, file.features > 0
        else { return nil }
        let thresholds: [UInt32] = file.thresholds.numbers()
        let features: [UInt16] = file.nodes.numbers()
        let rights: [UInt16] = file.rights.numbers()
        nodes = (0..<count).map {
            Node(threshold: Float(bitPattern: thresholds[$0]), feature: features[$0], right: rights[$0])
        }
        let starts: [UInt32] = file.starts.numbers()
        self.starts = starts.map(Int.init)
        classes = Array(file.classes)
        baseline = file.baseline
        featureCount = file.features
        // Children must follow their parents inside the array. A damaged file could otherwise cause invalid access or
        // an endless loop.
        guard starts.count % classes.count == 0, self.starts.allSatisfy({ $0 < count }),
            nodes.indices.allSatisfy({ place in
                let node = nodes[place]
                return node.feature == Node.leaf
                    || Int(node.feature) < file.features && node.right > 1 && place + Int(node.right) < count
            })
        else { return nil }
    }

    /// Class probabilities for each row of `featureCount` numbers, in row-major order.
    ///
    /// Evaluates each tree for all rows, because the nodes of one tree fit in the processor cache.
    func probabilities(ofRows rows: [Float]) -> [[Float]] {
        let count = rows.count / featureCount
        let width = classes.count
        var sums = [Float](repeating: 0, count: count * width)
        rows.withUnsafeBufferPointer { rows in
            nodes.withUnsafeBufferPointer { nodes in
                sums.withUnsafeMutableBufferPointer { sums in
                    var label = 0
                    for start in starts {
                        for row in 0..<count {
                            let first = row * featureCount
                            var place = start
                            while nodes[place].feature != Node.leaf {
                                let node = nodes[place]
                                place += rows[first + Int(node.feature)] <= node.threshold ? 1 : Int(node.right)
                            }
                            sums[row * width + label] += nodes[place].threshold
                        }
                        label = label + 1 == width ? 0 : label + 1
                    }
                }
            }
        }
        return (0..<count).map { row in
            softmax(zip(sums[(row * width)..<((row + 1) * width)], baseline).map { $0 + $1 })
        }
    }

    private func softmax(_ values: [Float]) -> [Float] {
        let most = values.max() ?? 0
        let exponentials = values.map { exp($0 - most) }
        let total = exponentials.reduce(0, +)
        return exponentials.map { $0 / total }
    }
}

extension Data {
    /// Decodes little-endian numbers of any alignment.
    fileprivate func numbers<Number: FixedWidthInteger>() -> [Number] {
        let size = MemoryLayout<Number>.size
        return stride(from: 0, to: count - count % size, by: size).map { start in
            var number: Number = 0
            for byte in 0..<size {
                number |= Number(truncatingIfNeeded: self[startIndex + start + byte]) << Number(8 * byte)
            }
            return number
        }
    }
}
