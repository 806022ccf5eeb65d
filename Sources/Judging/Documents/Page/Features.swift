/// The name of a feature. Comparing its hash instead of the text makes a page several times faster: a receipt has
/// dozens of candidates with some thirty features each.
package struct FeatureName: ExpressibleByStringLiteral, Hashable, Sendable {
    /// FNV-1a over the bytes of the name.
    package let hash: UInt64
    private let literal: StaticString

    package init(stringLiteral name: StaticString) {
        literal = name
        hash = name.withUTF8Buffer { Self.hash(of: $0) }
    }

    package static func hash(of bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    package var text: String { "\(literal)" }

    package static func == (one: FeatureName, other: FeatureName) -> Bool { one.hash == other.hash }
    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// Features by name. A name that was not set is 0.
package struct Features: Sendable {
    private var list: [(name: FeatureName, value: Double)] = []

    package init() {}

    package subscript(_ name: FeatureName) -> Double {
        get { list.first { $0.name == name }?.value ?? 0 }
        set {
            if let known = list.firstIndex(where: { $0.name == name }) {
                list[known].value = newValue
            } else {
                list.append((name, newValue))
            }
        }
    }

    package mutating func set(_ name: FeatureName, _ isTrue: Bool) { self[name] = isTrue ? 1 : 0 }

    /// For training.
    package var values: [String: Double] {
        Dictionary(list.map { ($0.name.text, $0.value) }, uniquingKeysWith: { $1 })
    }

    package func reduce(_ start: Double, _ body: (Double, FeatureName, Double) -> Double) -> Double {
        list.reduce(start) { body($0, $1.name, $1.value) }
    }

    /// Adds the features of another kind.
    package mutating func add(_ other: Features) { list += other.list }
}
