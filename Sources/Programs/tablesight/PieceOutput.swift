import ArgumentParser
import Foundation
import Streaming
import Core

enum PieceFormat: String, ExpressibleByArgument, CaseIterable { case ndjson, bemo, tuio }

/// Writes frames as lines on standard output, or as datagrams.
struct PieceOutput {
    private let format: PieceFormat
    private var encoder: TUIOEncoder
    private let sender: DatagramSender?

    init(_ format: PieceFormat, tuioTo target: String, set: String, models: ModelFolder) throws {
        self.format = format
        encoder = TUIOEncoder(symbols: format == .tuio ? try TUIOSymbols.load(set: set, from: models) : [:])
        guard format == .tuio else {
            sender = nil
            return
        }
        guard let colon = target.lastIndex(of: ":"), let port = UInt16(target[target.index(after: colon)...]), port > 0
        else {
            throw StartupError(.usage, "--tuio-to \(target): use HOST:PORT, for example 127.0.0.1:3333")
        }
        sender = try DatagramSender(host: String(target[..<colon]), port: port)
    }

    mutating func write(_ frame: PieceFrame) throws {
        switch format {
        case .ndjson: try StandardOutput.writeLine(frame)
        case .bemo: try StandardOutput.writeLine(BemoFrame(frame))
        case .tuio: for datagram in encoder.datagrams(of: frame) { sender?.send(datagram) }
        }
    }
}
