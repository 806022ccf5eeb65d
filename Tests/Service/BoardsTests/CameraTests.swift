import Core
import Foundation
import Kinds
import TestSupport
import Testing

@testable import Household
@testable import Boards

/// Boards whose frames come from a camera.
@Suite struct CameraTests {
    @Test func `a camera names its device, its set and its game`() throws {
        let camera = try Camera("/dev/video0=tangram:tangram:animals")
        #expect((camera.source, camera.pieceSet, camera.game) == ("/dev/video0", "tangram", "tangram:animals"))
        #expect(try Camera("/dev/video2=dice").game == nil)
        #expect(camera.name == "video0")
        for wrong in ["/dev/video0", "video0=tangram", "=tangram", "/dev/video0="] {
            #expect(throws: StartupError.self, "\(wrong)") { try Camera(wrong) }
        }
    }

    private func board() throws -> LiveBoards {
        LiveBoards(games: GameCatalogue(models: ModelFolder(Repository.models)), socket: nil)
    }

    /// A frame with one square at this place.
    private func frame(_ x: Double) throws -> PieceFrame {
        let json = """
            {"v":1,"kind":"frame","session":"","seq":0,"t_ns":0,"set":"tangram@1","events":[],"timing_ms":{},
             "board":{"w_mm":320,"h_mm":220,"located":"aruco","H":[1,0,0,0,1,0,0,0,1],"reproj_px":0.2},
             "pieces":[{"id":0,"slot":"square","type":"square","colour":"yellow","x_mm":\(x),"y_mm":100,"angle_deg":10,
             "fold":4,"flipped":false,"vx":0,"vy":0,"va":0,"state":"tentative","stable_ms":0,"visible":1,
             "confidence":0.98,"residual_mm":0.1,"polygon_mm":[[90,90],[110,90],[110,110],[90,110]],
             "polygon_px":[[90,90],[110,90],[110,110],[90,110]]}]}
            """
        return try JSONCoding.decode(PieceFrame.self, from: Data(json.utf8))
    }

    @Test func `pieces keep their ids at fifteen frames a second, and over dropped frames`() async throws {
        let boards = try board()
        let id = try await boards.begin(try Camera("/dev/video0=tangram"))
        for number in 0..<60 where number % 7 != 3 {
            try await boards.take(try frame(100 + Double(number) * 0.5), in: id, at: number * 66_666_667)
        }
        let shown = try #require(await boards.board(id))
        #expect(shown.isLive && shown.photo == nil)
        #expect(shown.frame?.pieces.map(\.id) == [1])
        let frames = try #require(await boards.lines(of: id, after: 0, limit: 1000)).filter { $0.kind == "frame" }
        #expect(frames.count == 51)
        let ids = try frames.map { try JSONCoding.decode(PieceFrame.self, from: $0.body).pieces.map(\.id) }
        #expect(Set(ids.flatMap { $0 }) == [1], "the id never changes")
    }

    @Test func `a late reader gets the newest lines, in order`() async throws {
        let boards = try board()
        let id = try await boards.begin(try Camera("/dev/video0=tangram"))
        for number in 0..<600 { try await boards.take(try frame(100), in: id, at: number * 66_666_667) }
        let kept = try #require(await boards.lines(of: id, after: 0, limit: 1000)).map(\.number)
        #expect(kept.count == 256 && kept.last == 600)
        #expect(kept == Array(345...600), "without gaps")
        #expect(try #require(await boards.lines(of: id, after: 598, limit: 10)).map(\.number) == [599, 600])
        #expect(await boards.lines(of: "camera-other-000000", after: 0, limit: 10) == nil)
    }

    @Test func `frames that change nothing are no lines of the game`() async throws {
        let boards = try board()
        let id = try await boards.begin(try Camera("/dev/video0=tangram:tangram"))
        for number in 0..<90 { try await boards.take(try frame(100), in: id, at: number * 66_666_667) }
        let lines = try #require(await boards.lines(of: id, after: 0, limit: 1000))
        let games = lines.filter { $0.kind == "game" }
        #expect(lines.count(where: { $0.kind == "frame" }) == 90)
        #expect((1...10).contains(games.count), "\(games.count)")
        #expect(try await boards.play(.hint, in: id) != nil)
        #expect(try await boards.play(.reset, in: id) != nil)
        #expect(try await boards.play(.hint, in: "camera-other-000000") == nil)
        let played = try #require(await boards.board(id)).lines
        #expect(played.last?.report.outcome.reason == "reset")
        let plain = try await boards.begin(try Camera("/dev/video1=tangram"))
        await #expect(throws: PlayProblem.self) { try await boards.play(.hint, in: plain) }
    }
}
