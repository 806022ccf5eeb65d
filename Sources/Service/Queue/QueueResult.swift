internal import CZlib
import Core
import Foundation

/// A worker's result of one job: an answer or a fault.
package struct QueueResult: Sendable, Hashable, Codable {
    /// Why a worker gave no answer.
    package struct Fault: Sendable, Hashable, Codable {
        package enum Cause: String, Sendable, Hashable, Codable {
            /// As of a worker process on the daemon's machine.
            case crash, timeout, memory, garbled
            /// The photo is not the cause: the worker was stopped, or could not start its process.
            case notStarted, stopped
            /// The photo's bytes could not be fetched.
            case source
            /// The bytes had another hash.
            case hash
        }

        package var cause: Cause
        package var detail: String
        /// Milliseconds of a time limit, bytes of a memory limit.
        package var value: Int

        package init(_ cause: Cause, _ detail: String = "", value: Int = 0) {
            self.cause = cause
            self.detail = detail
            self.value = value
        }
    }

    package static let schema = "tablesight.queueResult/1"
    /// Longest JSON of a result: as an answer of a worker process, and room for the rest.
    package static let mostBytes = 4 << 20 + 64 << 10

    package var schema = QueueResult.schema
    package var dispatch: Int64
    /// The job's ``QueueJob/key``; empty for a job that an earlier run of the worker left behind.
    package var key: String
    package var content: String
    package var versions: ReaderVersions
    package var worker: String
    package var answer: ReadAnswer?
    package var fault: Fault?
    /// How often the job was delivered.
    package var deliveries = 1
    /// Time until the bytes were there and proved, milliseconds; nil if they were in the cache.
    package var transferMs: Double?

    /// Why a message is no result. Each is a value of a metric's label.
    package enum Refusal: String, Error, Sendable, Hashable {
        case size, compression, schema, values
    }

    /// Four bytes with the length of the JSON, big-endian, and the JSON compressed by zlib. Compressed, an answer fits
    /// into a message of NATS' usual 1 MiB.
    package func message() throws -> Data {
        let json = try JSONCoding.encode(self)
        guard json.count <= Self.mostBytes else { throw Refusal.size }
        var length = uLongf(compressBound(uLong(json.count)))
        var packed = [UInt8](repeating: 0, count: Int(length))
        let code = json.withUnsafeBytes {
            compress2(&packed, &length, $0.bindMemory(to: UInt8.self).baseAddress, uLong(json.count), 1)
        }
        guard code == Z_OK else { throw Refusal.compression }
        return withUnsafeBytes(of: UInt32(json.count).bigEndian) { Data($0) } + packed.prefix(Int(length))
    }
}

extension QueueResult {
    /// Unpacks and checks a message. Whoever sent it may be hostile.
    package init(message data: Data) throws(Refusal) {
        guard data.count > 4, data.count <= Self.mostBytes else { throw .size }
        let length = data.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard (1...Self.mostBytes).contains(length) else { throw .size }
        var json = [UInt8](repeating: 0, count: length)
        var unpacked = uLongf(length)
        let packed = Array(data.dropFirst(4))
        guard uncompress(&json, &unpacked, packed, uLong(packed.count)) == Z_OK, Int(unpacked) == length else {
            throw .compression
        }
        guard let result = try? JSONCoding.decode(QueueResult.self, from: Data(json)), result.schema == Self.schema
        else { throw .schema }
        guard result.worker.isWorkerName, (result.answer == nil) != (result.fault == nil), result.answer?.isNote == nil,
            result.content.isContentID || result.key.isEmpty, (1...1000).contains(result.deliveries),
            result.transferMs.map({ (0...86_400_000).contains($0) }) ?? true,
            result.fault.map({ $0.detail.utf8.count <= 1000 && (0...(1 << 46)).contains($0.value) }) ?? true
        else { throw .values }
        self = result
    }
}

extension String {
    /// True for 1 to 64 letters, digits, dots, hyphens and underscores.
    package var isWorkerName: Bool {
        (1...64).contains(utf8.count)
            && utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains($0)
            }
    }
}
