import HTTP
import Hummingbird

/// `GET /metrics`.
struct StatusAPI {
    let cases: StatusUseCases

    var routes: [Route] {
        [
            Route(
                .get, "metrics", for: .adult, "Metrics as Prometheus text",
                gives: ("text/plain", "Exposition format 0.0.4.")
            ) { call in
                Response(
                    status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                    body: .init(byteBuffer: .init(string: cases.metrics)))
            }
        ]
    }
}
