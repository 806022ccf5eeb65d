/// A container that decodes every type of integer by one function.
protocol IntegerDecoding: KeyedDecodingContainerProtocol {
    func number<Number: FixedWidthInteger & Decodable>(_ type: Number.Type, _ key: Key) throws -> Number
}

extension IntegerDecoding {
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try number(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try number(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try number(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try number(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try number(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try number(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try number(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try number(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try number(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try number(type, key) }
}
