import Testing
@testable import TextRecognition

@Suite struct PageTilesTests {
    @Test(arguments: [(32, 32), (640, 448), (1280, 960), (1280, 1280), (448, 1280), (2592, 1952), (32, 9600)])
    func `Every pixel belongs to one tile, and every tile is small enough and a multiple of 32`(_ size: (Int, Int)) {
        let (width, height) = size
        let tiles = PageTiles(width: width, height: height).tiles
        var owners = [Int](repeating: 0, count: width * height)
        for tile in tiles {
            #expect(tile.seenX.count * tile.seenY.count <= PageTiles.maxPixels)
            #expect(tile.seenX.count % 32 == 0 && tile.seenY.count % 32 == 0)
            #expect(tile.seenX.lowerBound >= 0 && tile.seenX.upperBound <= width)
            #expect(tile.seenY.lowerBound >= 0 && tile.seenY.upperBound <= height)
            for y in tile.ownY { for x in tile.ownX { owners[y * width + x] += 1 } }
        }
        #expect(owners.allSatisfy { $0 == 1 })
    }

    @Test func `The used part of a tile is 64 pixels inside its input, except at the picture's edge`() {
        for tile in PageTiles(width: 2592, height: 1952).tiles {
            #expect(tile.seenX.lowerBound == max(0, tile.ownX.lowerBound - 64))
            #expect(tile.seenX.upperBound == min(2592, tile.ownX.upperBound + 64))
            #expect(tile.seenY.lowerBound == max(0, tile.ownY.lowerBound - 64))
            #expect(tile.seenY.upperBound == min(1952, tile.ownY.upperBound + 64))
        }
    }

    @Test func `A small picture is one tile`() {
        #expect(PageTiles(width: 640, height: 640).tiles.count == 1)
    }
}
