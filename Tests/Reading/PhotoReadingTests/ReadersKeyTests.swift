import Foundation
import PhotoReading
import TestSupport
import Testing
import Core

@Suite struct ReadersKeyTests {
    @Test func `added networks, tables or languages change the cache key of readings`() throws {
        let folder = try TemporaryFolder()
        for name in ["text/calibration.json", "tessdata/eng.traineddata"] { try folder.write(Data("1".utf8), to: name) }
        let models = ModelFolder(folder.url)
        func key() -> String { WorkerParts.key(models: models, tessdata: folder.url.appending(path: "tessdata")) }
        var keys = [key()]
        #expect(key() == keys[0], "the same on every start")
        for name in ["fetched/det_small.onnx", "tessdata/deu.traineddata", "text/calibration.json"] {
            try folder.write(Data("22".utf8), to: name)
            keys.append(key())
        }
        #expect(Set(keys).count == 4)
    }

    @Test func `networks with 7-bit and 8-bit weights of one size have different keys`() throws {
        let folder = try TemporaryFolder()
        let models = ModelFolder(folder.url)
        try folder.write(Data("1".utf8), to: "fetched/det_small.int8.onnx")
        let keys = try [7, 8].map { bits in
            try folder.write(Data(#"{"weightBits": \#(bits)}"#.utf8), to: "fetched/variants.json")
            #expect(NetworkWeights(models: models) == .quantised(bits: bits))
            return WorkerParts.key(models: models, tessdata: folder.url)
        }
        #expect(keys[0] != keys[1])
    }
}
