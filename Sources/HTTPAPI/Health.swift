// Health of the daemon over HTTP.
import Hummingbird
