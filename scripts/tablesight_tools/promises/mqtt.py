"""Promise of the broker: while Mosquitto is killed again and again, every outcome reaches a subscriber once."""

import json
import random
import re
import shutil
import time
from pathlib import Path
from typing import Any

from tablesight_tools.pictures import picture
from tablesight_tools.processes import LIMIT, Program, free_port, takes_connections, wait_for
from tablesight_tools.promises.bench import QUICK, Bench, Skip

# What Home Assistant's pages on MQTT (integrations/mqtt, sensor.mqtt, binary_sensor.mqtt, event.mqtt) allow.
COMMON = set(
    "availability availability_mode availability_template availability_topic default_entity_id device device_class "
    "enabled_by_default encoding entity_category entity_picture icon json_attributes_template json_attributes_topic "
    "name object_id origin payload_available payload_not_available platform qos state_topic "
    "unique_id value_template".split()
)
ALLOWED = {
    "sensor": COMMON
    | set("expire_after force_update last_reset_value_template options state_class unit_of_measurement".split())
    | {"suggested_display_precision"},
    "binary_sensor": COMMON | {"expire_after", "force_update", "off_delay", "payload_off", "payload_on"},
    "event": COMMON | {"event_types"},
}
DEVICE = set(
    "configuration_url connections hw_version identifiers manufacturer model model_id name serial_number "
    "suggested_area sw_version via_device".split()
)
CLASSES = {"binary_sensor": {"connectivity", "problem"}, "sensor": set(), "event": set()}
TOPIC = re.compile(r"homeassistant/(\w+)/(?:[a-zA-Z0-9_-]+/)?([a-zA-Z0-9_-]+)/config")


def discovery_faults(topic: str, body: bytes) -> list[str]:
    """Rules of Home Assistant's discovery that a message breaks."""
    match = TOPIC.fullmatch(topic)
    if not match or match[1] not in ALLOWED:
        return ["%s is no discovery topic" % topic]
    component, found = match[1], json.loads(body)
    device, origin = found.get("device", {}), found.get("origin", {})
    faults = {
        "unknown %s" % sorted(set(found) - ALLOWED[component]): set(found) <= ALLOWED[component],
        "device": set(device) <= DEVICE and device.get("identifiers") and device.get("name"),
        "origin": set(origin) <= {"name", "sw_version", "support_url"} and origin.get("name"),
        "unique_id": found.get("unique_id"),
        "name": found.get("name"),
        "qos": found.get("qos", 0) in (0, 1, 2),
        "state_topic": re.fullmatch(r"[^#+\0]+", found.get("state_topic", "")),
        "availability": all(set(one) >= {"topic"} for one in found.get("availability", [])),
        "device_class": found.get("device_class") in CLASSES[component] | {None},
        "state_class": found.get("state_class") in {"measurement", "total", "total_increasing", None},
        "entity_category": found.get("entity_category") in {"diagnostic", "config", None},
        "icon": found.get("icon", "mdi:").startswith("mdi:"),
        "event_types": component != "event" or found.get("event_types"),
    }
    return ["%s: %s" % (topic, what) for what, holds in faults.items() if not holds]


class Mosquitto(Program):
    """`mosquitto` with persistence. It keeps its port and its data when it is started again."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
        if not program:
            raise Skip("mosquitto is not installed: scripts/setup --with-mqtt")
        folder.mkdir()
        self.port = free_port()
        # A kill loses what is not saved, so each change is saved. Run as root, it would change to its own user.
        (folder / "conf").write_text(
            "listener %d 127.0.0.1\nallow_anonymous true\nuser root\nmax_queued_messages 0\npersistence true\n"
            "persistence_location %s/\nautosave_interval 1\nautosave_on_changes true\n" % (self.port, folder)
        )
        super().__init__([program, "-c", str(folder / "conf")], folder / "log")

    def start(self) -> None:
        self.launch()
        if not wait_for(lambda: takes_connections(self.port)):
            raise RuntimeError("mosquitto does not start: %s" % self.said()[-400:])


class Subscriber(Program):
    """Debian's mosquitto_sub: subscribes to everything with QoS 1 in a persistent session, and connects again."""

    def __init__(self, port: int, folder: Path) -> None:
        program = shutil.which("mosquitto_sub")
        if not program:
            raise Skip("mosquitto_sub is not installed: scripts/setup --with-mqtt")
        session = ["-p", str(port), "-i", "check", "-c", "-q", "1", "-t", "#", "--quiet", "-F", "%t %x"]
        super().__init__([program, *session], folder / "seen")
        # Event id → bodies, in order of arrival; topic → last body of the others.
        self.outcomes: dict[str, list[bytes]] = {}
        self.retained: dict[str, bytes] = {}
        self.taken = 0

    def look(self) -> int:
        """Takes what arrived since the last look; gives the number of outcomes."""
        lines = self.log.read_bytes()[self.taken :].split(b"\n")[:-1]
        for line in lines:
            topic, body = line.split(b" ")
            self.taken += len(line) + 1
            if topic == b"tablesight/outcome":
                body = bytes.fromhex(body.decode())
                self.outcomes.setdefault(json.loads(body)["id"], []).append(body)
            else:
                self.retained[topic.decode()] = bytes.fromhex(body.decode())
        return len(self.outcomes)

    def value(self, name: str) -> Any:
        self.look()
        return json.loads(self.retained.get("tablesight/" + name, b"null"))


def published(bench: Bench) -> str:
    """Mosquitto is killed while photos are read; it is started again after up to a second."""
    count, kills = bench.size(60, 2000), bench.size(4, 50)
    broker, chance = Mosquitto(bench.folder / "broker"), random.Random(45)
    bench.endings.append(broker.kill)
    broker.start()
    subscriber = Subscriber(broker.port, bench.folder)
    bench.endings.append(subscriber.kill)
    subscriber.launch()
    environment = {**QUICK, "TABLESIGHT_MQTT_URL": "mqtt://127.0.0.1:%d" % broker.port}
    daemon = bench.daemon(environment=environment).start()
    # Photos arrive while the broker is killed.
    dropped, start = 0, time.monotonic()
    for number in range(kills + 1):
        for _ in range(count * (number + 1) // (kills + 1) - dropped):
            (daemon.inbox / ("%d.png" % dropped)).write_bytes(picture("broker %d" % dropped))
            dropped += 1
        if number < kills:
            # Killed while it takes over what was just read.
            wait_for(lambda n=dropped: subscriber.look() > n - count // (kills + 1), pause=0.01)  # type: ignore[misc]
            time.sleep(chance.uniform(0, 0.1))
            broker.kill()
            time.sleep(chance.uniform(0, 1))
            broker.start()
    daemon.wait_outcomes(count, seconds=10 * LIMIT)
    known = {name: bytes(body) for name, body in daemon.query("SELECT uid, body FROM event WHERE kind <> 'queued'")}
    wait_for(lambda: subscriber.look() >= count and daemon.count(WAITING) == 0, seconds=10 * LIMIT)
    seconds = time.monotonic() - start
    seen = subscriber.outcomes
    bench.expect(len(known) == count, "%d events of %d photos" % (len(known), count))
    bench.expect(seen.keys() == known.keys(), "%d of %d outcomes arrived" % (len(seen), len(known)))
    told = {name: b'{"id":"%s",' % name.encode() + body[1:] for name, body in known.items()}
    wrong = [name for name, bodies in seen.items() if set(bodies) != {told.get(name)}]
    bench.expect(not wrong, "another body: %s" % wrong[:3])
    repeats = sum(len(bodies) - 1 for bodies in seen.values())
    bench.expect(wait_for(lambda: subscriber.value("health") == {"ready": True, "shortcomings": []}), "no health")
    bench.expect(subscriber.value("last")["id"] in known, "the last outcome is none of these")
    described = {topic: body for topic, body in subscriber.retained.items() if topic.startswith("homeassistant/")}
    faults = [fault for topic, body in described.items() for fault in discovery_faults(topic, body)]
    bench.expect(len(described) >= 10 and not faults, "%d descriptions: %s" % (len(described), faults[:3]))
    online = subscriber.retained.get("tablesight/status")
    daemon.kill()
    offline = wait_for(lambda: subscriber.look() and subscriber.retained.get("tablesight/status") == b"offline")
    bench.expect(online == b"online" and offline, "status %r, after a kill offline: %s" % (online, offline))
    return (
        f"{count} photos, mosquitto killed {kills}× in {seconds:.0f} s: {len(seen)} outcomes at the subscriber, "
        f"{len(known.keys() - seen.keys())} lost, {repeats} repeats with the same id; {len(described)} valid "
        "descriptions for Home Assistant; the last will follows a kill of the daemon"
    )


WAITING = "SELECT count(*) FROM delivery WHERE state = 'waiting'"
CHECKS = {"mqtt": ("outcomes reach a broker that is killed", published)}
