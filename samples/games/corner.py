#!/usr/bin/env python3
"""Corner: bring every piece into the top-left quarter of the board. An example of a game outside Tablesight.

    tablesight pieces frames/ --set tangram --game samples/games/corner.py

One JSON object a line comes in and exactly one outcome goes out for each frame, event, hint and reset, with its number n.
The state goes with every outcome: after a crash the host gives it back with `load`, and repeats only what was not answered.
"""
import json
import sys

home = []  # ids of the pieces that were brought home


def say(**message):
    print(json.dumps(message), flush=True)


def outcome(n, kind, reason, confidence=1.0, **more):
    say(kind="outcome", n=n, outcome=dict(kind=kind, confidence=confidence, reason=reason, **more), state=home)


def judge(n, frame):
    board = frame.get("board")
    resting = [piece for piece in frame["pieces"] if piece["state"] == "placed"]
    if board is None or len(resting) < len(frame["pieces"]):
        return outcome(n, "noAction", "unsettled")
    for piece in resting:
        is_home = piece["x_mm"] < board["w_mm"] / 2 and piece["y_mm"] < board["h_mm"] / 2
        if is_home and piece["id"] not in home:
            home.append(piece["id"])
            if resting and all(other["id"] in home for other in resting):
                return outcome(n, "levelComplete", "allHome", piece["confidence"], xpAwarded=50)
            return outcome(n, "correctPlacement", "home", piece["confidence"], points=10)
    outcome(n, "noAction", "nothingNew")


for line in sys.stdin:
    message = json.loads(line)
    kind, n = message["kind"], message["n"]
    if kind == "init":
        say(kind="ready", id="corner", title="Corner", description="Bring every piece into the top-left quarter.",
            recommendedAge=[3, 9], skills=["sorting"])
    elif kind in ("frame", "event"):
        judge(n, message["frame"])
    elif kind == "hint":
        say(kind="outcome", n=n, text="Push a piece up and to the left.",
            outcome=dict(kind="hintUsed", confidence=1.0, reason=message["step"]))
    elif kind == "reset":
        home.clear()
        outcome(n, "stateUpdated", "reset")
    elif kind == "save":
        say(kind="state", n=n, state=home)
    elif kind == "load":
        home[:] = message["state"]
