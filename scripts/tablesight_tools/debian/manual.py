"""Writes a manual page for each command from the description that the program prints of itself.

    scripts/tool debian.manual PROGRAM OUT [--date YYYY-MM-DD]

OUT is replaced. Pages are mdoc: tablesight.1, tablesight.scan.1, tablesight.diary.add.1 and so on. Blocks of a help
text with a heading in capitals, such as EXAMPLES, keep their line breaks.
Exit codes: 0 done, 69 the program cannot describe itself.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Command = dict[str, Any]
HEADING = re.compile(r"^[A-Z][A-Z ]+$")
# Every page has --help and --version of its own; they are described once.
SHARED = ("help", "version")


def escaped(text: str) -> str:
    """Text that roff takes literally, also at the start of a line."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", text)


def name_of(option: dict[str, str]) -> str:
    """An option's name with its hyphens."""
    return ("-" if option["kind"] != "long" else "--") + option["name"]


def shown(command: Command) -> list[dict[str, Any]]:
    """The arguments that help shows, without those of every command."""
    found = []
    for argument in command.get("arguments", []):
        names = [name["name"] for name in argument.get("names", [])]
        if argument.get("shouldDisplay", True) and not set(names) & set(SHARED):
            found.append(argument)
    return found


def subcommands(command: Command) -> list[Command]:
    """The commands below a command, without `help`."""
    return [one for one in command.get("subcommands", []) if one["commandName"] != "help"]


def usage(argument: dict[str, Any]) -> str:
    """An argument in the synopsis."""
    more = " ..." if argument["isRepeating"] else ""
    if argument["kind"] == "positional":
        word = f"Ar {escaped(argument['valueName'])}{more}"
    else:
        value = f" Ar {escaped(argument['valueName'])}" if argument["kind"] == "option" else ""
        word = f"Cm {escaped(name_of(argument['preferredName']))}{value}{more}"
    return f".Op {word}" if argument["isOptional"] else f".{word}"


def described(argument: dict[str, Any]) -> Iterator[str]:
    """An argument in the list of options."""
    if argument["kind"] == "positional":
        yield f".It Ar {escaped(argument['valueName'])}"
    else:
        names = " , ".join(f"Cm {escaped(name_of(name))}" for name in argument["names"])
        value = f" Ar {escaped(argument['valueName'])}" if argument["kind"] == "option" else ""
        yield f".It {names}{value}"
    text = argument.get("abstract", "")
    values = argument.get("allValues")
    if values and not all(value in text for value in values):
        text += f" Values: {', '.join(values)}."
    if argument.get("defaultValue") and "default:" not in text:
        text += f" (default: {argument['defaultValue']})"
    yield escaped(text)


def discussion(text: str) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """The paragraphs of a help text, and its blocks with a heading in capitals."""
    prose: list[str] = []
    blocks: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if HEADING.match(line):
            blocks.append((line, []))
        elif blocks and (line.startswith(" ") or not line):
            blocks[-1][1].append(line)
        elif line:
            prose.append(line)
        else:
            prose.append("")
    return prose, blocks


def page(command: Command, path: list[str], date: datetime.date) -> str:
    """One manual page; `path` is the names from `tablesight` to the command."""
    full = ".".join(path)
    out = [f".Dd {date:%B} {date.day}, {date.year}", f".Dt {full.upper()} 1", ".Os Tablesight", ".Sh NAME"]
    out += [f".Nm {full}", f".Nd {escaped(command.get('abstract', '').rstrip('.'))}", ".Sh SYNOPSIS"]
    out.append(f".Nm {' '.join(path)}")
    arguments, below = shown(command), subcommands(command)
    out += [usage(argument) for argument in arguments]
    if below:
        out.append(".Ar command ...")
    prose, blocks = discussion(command.get("discussion", ""))
    out.append(".Sh DESCRIPTION")
    out.append(escaped(command.get("abstract", "")))
    if any(prose):
        out.append(".Pp")
        out += [escaped(line) if line else ".Pp" for line in re.sub(r"\n+$", "", "\n".join(prose)).split("\n")]
    if arguments:
        out += [".Sh OPTIONS", ".Bl -tag -width indent"]
        for argument in arguments:
            out += described(argument)
        out.append(".El")
    if below:
        out += [".Sh COMMANDS", ".Bl -tag -width indent"]
        for one in below:
            out += [f".It Xr {full}.{one['commandName']} 1", escaped(one.get("abstract", ""))]
        out.append(".El")
    for heading, lines in blocks:
        body = "\n".join(lines).strip("\n").splitlines()
        indent = min((len(line) - len(line.lstrip()) for line in body if line), default=0)
        out += [f".Sh {heading}", ".Bd -literal", *(escaped(line[indent:]) for line in body), ".Ed"]
    if len(path) > 1:
        out += [".Sh SEE ALSO", f".Xr {'.'.join(path[:-1])} 1"]
    return "\n".join(out) + "\n"


def pages(command: Command, path: tuple[str, ...] = ()) -> Iterator[tuple[list[str], Command]]:
    """A command and all commands below it, with their paths."""
    own = [*path, command["commandName"]]
    yield own, command
    for one in subcommands(command):
        yield from pages(one, tuple(own))


def main(arguments: list[str]) -> int:
    """Writes the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--date", type=datetime.date.fromisoformat, default=datetime.date.today())
    options = parser.parse_args(arguments)
    said = subprocess.run([options.program.absolute(), "--experimental-dump-help"], capture_output=True, text=True)
    try:
        root = json.loads(said.stdout)["command"]
    except (ValueError, KeyError):
        print(f"manual: {options.program} does not describe itself: {said.stderr.strip()}", file=sys.stderr)
        return 69
    shutil.rmtree(options.out, ignore_errors=True)
    options.out.mkdir(parents=True)
    count = 0
    for path, command in pages(root):
        (options.out / f"{'.'.join(path)}.1").write_text(page(command, path, options.date), encoding="utf-8")
        count += 1
    print(f"manual: {count} pages in {options.out}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
