/// An optional part of a value, kept outside it and shared by its copies. It is encoded as the part itself, and left out if nil.
///
/// An outcome has few of its large parts. Inside it they took 3 KB of each copy, and each module that handles outcomes had
/// code that copies and releases every field of all of them.
@propertyWrapper
public struct Boxed<Part: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
    private final class Box: Sendable {
        let part: Part

        init(_ part: Part) { self.part = part }
    }

    private var box: Box?

    public init(wrappedValue: Part?) { box = wrappedValue.map(Box.init) }

    public var wrappedValue: Part? {
        get { box?.part }
        set { box = newValue.map(Box.init) }
    }

    public static func == (one: Boxed, other: Boxed) -> Bool {
        one.box === other.box || one.wrappedValue == other.wrappedValue
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }

    public init(from decoder: Decoder) throws { self.init(wrappedValue: try Part(from: decoder)) }

    public func encode(to encoder: Encoder) throws { try wrappedValue?.encode(to: encoder) }
}

// Synthesised conformances choose these, so that a missing key is nil and nil has no key.
extension KeyedDecodingContainer {
    func decode<Part>(_ type: Boxed<Part>.Type, forKey key: Key) throws -> Boxed<Part> {
        Boxed(wrappedValue: try decodeIfPresent(Part.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    mutating func encode<Part>(_ value: Boxed<Part>, forKey key: Key) throws {
        try encodeIfPresent(value.wrappedValue, forKey: key)
    }
}
