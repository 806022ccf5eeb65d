#!/usr/bin/env python3
"""Corner: bring all pieces into the top-left quarter. tablesight pieces frames/ --set tangram --game samples/games/corner"""
import json
import sys

home, player = [], {}  # ids of the pieces that are home, which go with each outcome for a restart; and who plays


def say(**message):
    print(json.dumps(message), flush=True)


def outcome(n, kind, reason, confidence=1.0, text=None, **more):
    say(kind="outcome", n=n, text=text, state=home, outcome=dict(kind=kind, confidence=confidence, reason=reason, **more))


def judge(n, board, pieces):
    if not board or any(piece["state"] != "placed" for piece in pieces):
        return outcome(n, "noAction", "unsettled")
    for piece in pieces:
        if piece["id"] not in home and piece["x_mm"] < board["w_mm"] / 2 and piece["y_mm"] < board["h_mm"] / 2:
            home.append(piece["id"])
            if len(home) == len(pieces):
                return outcome(n, "levelComplete", "allHome", piece["confidence"], xpAwarded=50)
            return outcome(n, "correctPlacement", "home", piece["confidence"], points=10)
    outcome(n, "noAction", "nothingNew")


for message in map(json.loads, sys.stdin):
    kind, n = message["kind"], message["n"]
    if kind == "init":
        player = message.get("player", {})
        say(kind="ready")
    elif kind in ("frame", "event"):
        judge(n, message["frame"].get("board"), message["frame"]["pieces"])
    elif kind == "hint":
        outcome(n, "hintUsed", message["step"], text=f"{player.get('name', 'You')}, push a piece up and to the left.")
    elif kind == "save":
        say(kind="state", n=n, state=home)
    else:
        home[:] = message.get("state", [])
        if kind == "reset":
            outcome(n, "stateUpdated", "reset")
