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

    /// An inner node. A row above the threshold does not reach the leaves on its left.
    private struct Comparison: Sendable {
        var threshold: Float
        var feature: Int32
        /// One bit for each leaf of the tree, 0 for the leaves on the left of the node.
        var kept: UInt32
    }

    private struct Tree: Sendable {
        var comparisons: Range<Int>
        /// Index of its leftmost leaf in `leaves`.
        var firstLeaf: Int
    }

    /// Round by round and class by class.
    private let trees: [Tree]
    private let comparisons: [Comparison]
    private let leaves: [Float]
    /// `scripts/train-menus` makes trees of 15 leaves.
    private static let maximumLeaves = 32

    init?(_ file: File) {
        let count = file.nodes.count / 2
        guard file.thresholds.count == count * 4, file.rights.count == count * 2, file.starts.count % 4 == 0,
            !file.classes.isEmpty, file.baseline.count == file.classes.count, file.features > 0
        else { return nil }
        let thresholds: [UInt32] = file.thresholds.numbers()
        let features: [UInt16] = file.nodes.numbers()
        let rights: [UInt16] = file.rights.numbers()
        let nodes = (0..<count).map {
            Node(threshold: Float(bitPattern: thresholds[$0]), feature: features[$0], right: rights[$0])
        }
        let starts: [UInt32] = file.starts.numbers()
        classes = Array(file.classes)
        baseline = file.baseline
        featureCount = file.features
        // Children must follow their parents inside the array. A damaged file could otherwise cause invalid access or
        // an endless loop.
        guard starts.count % classes.count == 0, starts.allSatisfy({ $0 < count }),
            nodes.indices.allSatisfy({ place in
                let node = nodes[place]
                return node.feature == Node.leaf
                    || Int(node.feature) < file.features && node.right > 1 && place + Int(node.right) < count
            })
        else { return nil }
        var trees: [Tree] = []
        var comparisons: [Comparison] = []
        var leaves: [Float] = []
        for start in starts {
            let (firstComparison, firstLeaf) = (comparisons.count, leaves.count)
            guard Self.add(nodes, from: Int(start), &comparisons, &leaves, firstLeaf: firstLeaf, depth: 0) else {
                return nil
            }
            trees.append(Tree(comparisons: firstComparison..<comparisons.count, firstLeaf: firstLeaf))
        }
        (self.trees, self.comparisons, self.leaves) = (trees, comparisons, leaves)
    }

    /// Adds a node and everything below it; false if the tree has too many leaves.
    private static func add(
        _ nodes: [Node], from place: Int, _ comparisons: inout [Comparison], _ leaves: inout [Float], firstLeaf: Int,
        depth: Int
    ) -> Bool {
        let node = nodes[place]
        guard leaves.count - firstLeaf < maximumLeaves, depth < maximumLeaves else { return false }
        if node.feature == Node.leaf {
            leaves.append(node.threshold)
            return true
        }
        let left = leaves.count - firstLeaf
        let number = comparisons.count
        comparisons.append(Comparison(threshold: node.threshold, feature: Int32(node.feature), kept: 0))
        guard add(nodes, from: place + 1, &comparisons, &leaves, firstLeaf: firstLeaf, depth: depth + 1) else {
            return false
        }
        let right = leaves.count - firstLeaf
        comparisons[number].kept = ~((UInt32(1) << UInt32(right)) &- (UInt32(1) << UInt32(left)))
        return add(
            nodes, from: place + Int(node.right), &comparisons, &leaves, firstLeaf: firstLeaf, depth: depth + 1)
    }

    /// Number of rows that are evaluated side by side.
    private static let lanes = 8

    /// Class probabilities for each row of `featureCount` numbers, in row-major order.
    ///
    /// Follows no paths: the processor predicts them badly. Every comparison of a tree clears the leaves that a row
    /// cannot reach, for several rows at once, and the leftmost leaf that is left is the row's (QuickScorer, Lucchese et
    /// al. 2015).
    func probabilities(ofRows rows: [Float]) -> [[Float]] {
        let count = rows.count / featureCount
        var result: [[Float]] = []
        result.reserveCapacity(count)
        var columns = [SIMD8<Float>](repeating: .zero, count: featureCount)
        for first in stride(from: 0, to: count, by: Self.lanes) {
            let used = min(Self.lanes, count - first)
            for feature in 0..<featureCount {
                for lane in 0..<used { columns[feature][lane] = rows[(first + lane) * featureCount + feature] }
            }
            let sums = self.sums(of: columns)
            for lane in 0..<used {
                result.append(softmax(zip(sums, baseline).map { $0[lane] + $1 }))
            }
        }
        return result
    }

    /// The sum of the trees of each class, for several rows side by side.
    private func sums(of columns: [SIMD8<Float>]) -> [SIMD8<Float>] {
        var sums = [SIMD8<Float>](repeating: .zero, count: classes.count)
        var label = 0
        columns.withUnsafeBufferPointer { columns in
            comparisons.withUnsafeBufferPointer { comparisons in
                for tree in trees {
                    var reachable = SIMD8<UInt32>(repeating: .max)
                    for comparison in comparisons[tree.comparisons] {
                        let goesLeft = columns[Int(comparison.feature)] .<= comparison.threshold
                        reachable.replace(with: reachable & comparison.kept, where: .!goesLeft)
                    }
                    for lane in 0..<Self.lanes {
                        sums[label][lane] += leaves[tree.firstLeaf + reachable[lane].trailingZeroBitCount]
                    }
                    label = label + 1 == classes.count ? 0 : label + 1
                }
            }
        }
        return sums
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
