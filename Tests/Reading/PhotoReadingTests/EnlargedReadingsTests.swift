import Foundation
import Testing
import Core

@testable import PhotoReading

@Suite struct EnlargedReadingsTests {
    @Test func `boxes are scaled to pixels of the whole image, millimetres are unchanged`() throws {
        let piece = RecognizedPiece(
            id: 1, type: "square", xMM: 10, yMM: 20, angleDegrees: 0, confidence: 1, polygonPX: [Point(1, 2)])
        let board = PieceFrame.Board(
            widthMM: 100, heightMM: 50, located: .pieces, homography: [2, 0, 4, 0, 2, 6, 0, 0, 1], reprojectionPX: 0.5)
        let frame = PieceFrame(board: board, set: "tangram@1", pieces: [piece]).enlarged(by: 2)
        #expect(frame.pieces.first?.polygonPX == [Point(2, 4)])
        #expect(frame.pieces.first?.xMM == 10)
        #expect(frame.board?.homography == [4, 0, 8, 0, 4, 12, 0, 0, 1])
        #expect(frame.board?.reprojectionPX == 1)
    }

    @Test func `unread bars give advice, each reason once and before advice on text`() {
        var readings = Readings(
            quality: PhotoQuality(advice: [.moreLight, .holdStill]),
            unreadBarcodes: [.blurred, .cut, .blurred].map { UnreadBarcode(reason: $0, corners: []) })
        readings.adviseOnUnreadBarcodes()
        #expect(readings.quality?.advice == [.holdStill, .showWhole, .moreLight])
        var alone = Readings(unreadBarcodes: [UnreadBarcode(reason: .tooSmall, corners: [])])
        alone.adviseOnUnreadBarcodes()
        #expect(alone.quality?.advice == [.moveCloser])
        var none = Readings(barcodes: [])
        none.adviseOnUnreadBarcodes()
        #expect(none.quality == nil)
    }

    @Test func `a requested domain excludes the others`() {
        #expect(ReadingRequest(domain: .menu, pieceSet: nil).includes(.menu))
        #expect(!ReadingRequest(domain: .menu, pieceSet: nil).includes(.barcode))
        #expect(Outcome.Domain.allCases.allSatisfy { ReadingRequest(domain: nil, pieceSet: nil).includes($0) })
    }
}
