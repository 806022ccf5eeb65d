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
}
