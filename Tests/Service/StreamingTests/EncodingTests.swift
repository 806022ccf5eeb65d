import Foundation
import Glibc
import Testing
import Core

@testable import Streaming

struct EncodingTests {
    private func frame(_ count: Int = 1, seq: Int = 41) -> PieceFrame {
        PieceFrame(
            seq: seq, t_ns: 2_000_000_000,
            board: .init(widthMM: 200, heightMM: 100, located: .aruco, homography: [], reprojectionPX: 0.2),
            set: "test@1",
            pieces: (0..<count).map {
                RecognizedPiece(
                    id: 7 + $0, slot: $0 == 0 ? "square" : nil, type: "square", xMM: 50, yMM: 25, angleDegrees: 90,
                    vx: 20,
                    vy: 10, va: 36, state: .moving, confidence: 0.9)
            })
    }

    @Test func `an OSC message equals the specification's example`() {
        // http://opensoundcontrol.org/spec-1_0-examples: /oscillator/4/frequency ,f 440.0
        let message = OSCMessage(address: "/oscillator/4/frequency", arguments: [.float(440)])
        let expected: [UInt8] =
            Array("/oscillator/4/frequency".utf8) + [0] + [0x2C, 0x66, 0, 0] + [0x43, 0xDC, 0, 0]
        #expect([UInt8](message.data) == expected)
        let second = OSCMessage(address: "/foo", arguments: [.int(1000), .int(-1), .string("hello")])
        let bytes: [UInt8] =
            Array("/foo".utf8) + [0, 0, 0, 0] + Array(",iis".utf8) + [0, 0, 0, 0] + [
                0, 0, 3, 0xE8, 0xFF, 0xFF, 0xFF, 0xFF,
            ]
            + Array("hello".utf8) + [0, 0, 0]
        #expect([UInt8](second.data) == bytes)
    }

    @Test func `a TUIO bundle has source, alive, set and fseq in that order`() throws {
        var encoder = TUIOEncoder(symbols: ["square": 5])
        let datagrams = encoder.datagrams(of: frame())
        #expect(datagrams.count == 1)
        let text = String(decoding: datagrams[0], as: UTF8.self)
        let order = ["#bundle", "source", "alive", "set", "fseq"].compactMap { text.range(of: $0)?.lowerBound }
        #expect(order.count == 5)
        #expect(order == order.sorted())
        // set s i x y a X Y A m r: 0.25, 0.25, π/2, 0.1, 0.1, 0.1
        let set = OSCMessage(
            address: "/tuio/2Dobj",
            arguments: [
                .string("set"), .int(7), .int(5), .float(0.25), .float(0.25), .float(Float(Double.pi / 2)), .float(0.1),
                .float(0.1),
                .float(0.1), .float(0), .float(0),
            ])
        #expect(datagrams[0].range(of: set.data) != nil)
    }

    @Test func `many pieces are split into datagrams that fit an Ethernet frame`() {
        var encoder = TUIOEncoder(symbols: [:])
        let datagrams = encoder.datagrams(of: frame(40))
        #expect(datagrams.count == 4)
        #expect(datagrams.allSatisfy { $0.count <= 1472 })
    }

    @Test func `an empty board has an alive message without ids`() {
        var encoder = TUIOEncoder(symbols: [:])
        var empty = frame()
        empty.pieces = []
        let alive = OSCMessage(address: "/tuio/2Dobj", arguments: [.string("alive")])
        #expect(encoder.datagrams(of: empty)[0].range(of: alive.data) != nil)
    }

    @Test func `Bemo positions are 0…1 of the board and rotation is counter-clockwise`() throws {
        let piece = try #require(BemoFrame(frame()).pieces.first)
        #expect(piece.position == .init(x: 0.25, y: 0.25))
        #expect(piece.rotation == 270)
        #expect(piece.velocity == .init(x: 0.1, y: 0.1))
        #expect(piece.isMoving)
        #expect(piece.frameNumber == 41)
        #expect(piece.timestamp == 2)
        #expect(piece.pieceTypeId == "square")
    }

    @Test func `datagrams arrive at their address`() throws {
        let receiver = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(receiver) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                bind(receiver, plain, length) == 0 && getsockname(receiver, plain, &length) == 0
            }
        }
        #expect(bound)
        let sender = try DatagramSender(host: "127.0.0.1", port: UInt16(bigEndian: address.sin_port))
        sender.send(Data("hello".utf8))
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = recv(receiver, &buffer, 64, 0)
        #expect(Data(buffer.prefix(max(0, count))) == Data("hello".utf8))
    }
}
