internal import CVideo
import Foundation
import Glibc

/// Opens videos and cameras for `tablesight pieces`; no other program links OpenCV's videoio.
///
/// Prints frames as PPM pictures. A comment `t_ns=` in each gives its time in nanoseconds since the first frame.
@main
enum FramePrinter {
    static func main() {
        guard CommandLine.arguments.count == 2 else { end(64, "usage: tablesight-frames FILE|/dev/videoN") }
        let source = CommandLine.arguments[1]
        // `tablesight doctor` asks whether the library is installed.
        if source == "--present" { exit(tcv_video_present() == 1 ? 0 : 69) }
        let camera = source.hasPrefix("/dev/video") ? Int32(source.dropFirst("/dev/video".count)) : nil
        var reason = [CChar](repeating: 0, count: 256)
        var fps = 0.0
        let video = camera.map { tcv_video_open(nil, $0, &fps, &reason) } ?? tcv_video_open(source, 0, &fps, &reason)
        guard let video else {
            end(
                69,
                "\(source): \(String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))"
            )
        }
        defer { tcv_video_close(video) }
        let clock = ContinuousClock()
        let begun = clock.now
        var number = 0
        var pixels: UnsafePointer<UInt8>?
        var (width, height, stride): (Int32, Int32, Int32) = (0, 0, 0)
        var milliseconds = 0.0
        while tcv_video_next(video, &pixels, &width, &height, &stride, &milliseconds) == 1, let pixels {
            // A camera's frame is timed on arrival; a file states its times, or else its frame rate.
            let nanoseconds: Double =
                camera != nil
                ? clock.now.duration(to: begun) / .nanoseconds(-1)
                : milliseconds > 0 || number == 0 ? milliseconds * 1e6 : Double(number) * 1e9 / (fps > 0 ? fps : 30)
            guard printFrame(pixels, Int(width), Int(height), Int(stride), Int(nanoseconds)) else { return }
            number += 1
        }
    }

    /// False if the reader closed the pipe.
    private static func printFrame(
        _ pixels: UnsafePointer<UInt8>, _ width: Int, _ height: Int, _ stride: Int, _ nanoseconds: Int
    ) -> Bool {
        var data = Data("P6\n# t_ns=\(nanoseconds)\n\(width) \(height)\n255\n".utf8)
        let head = data.count
        data.count += width * height * 3
        data.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in
            for row in 0..<height {
                let from = pixels + row * stride
                let to = head + row * width * 3
                for column in 0..<width {
                    bytes[to + 3 * column] = from[3 * column + 2]
                    bytes[to + 3 * column + 1] = from[3 * column + 1]
                    bytes[to + 3 * column + 2] = from[3 * column]
                }
            }
        }
        var written = 0
        while written < data.count {
            let count = data.withUnsafeBytes {
                write(STDOUT_FILENO, $0.baseAddress.map { $0 + written }, data.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    private static func end(_ code: Int32, _ message: String) -> Never {
        FileHandle.standardError.write(Data("tablesight-frames: \(message)\n".utf8))
        exit(code)
    }
}
