"""What printers stamp on packages: dates in the formats of many countries, with words, times and lots beside them."""

from tablesight_tools.rendering.types import Generator

# In the order of the network's classes after the first, which means "no letter"; the blank is last.
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ./-: "
LONGEST = 26

MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()
FOREIGN_MONTHS = (
    "MAI JUIN JUIL DEZ OKT MRT OUT ABR AGO ENE GEN MAG GIU LUG SET OTT DIC AVR AOUT FEV DEK OCA SUB NIS".split()
)
WORDS = (
    "EXP BEST BEFORE BB BBE BBF BEST BY USE BY EXP DATE MFG MFD PKD PROD PRD MHD DLC DDM TMC SKT TETT HSD NSX VAL VENC "
    "FAB CAD CONS PREF EXPIRY MFG DATE PACKED ON SELL BY ENJOY BY P E M L LOT L/N BN BATCH E: P: M: EXP. PD ED"
).split()


def _pick(draw: Generator, options: str | list[str]) -> str:
    return str(options[int(draw.integers(len(options)))])


def digits(draw: Generator, count: int) -> str:
    return "".join(str(int(n)) for n in draw.integers(0, 10, count))


def date(draw: Generator) -> str:
    """A date in one of thirteen formats."""
    day, month, year = int(draw.integers(1, 32)), int(draw.integers(1, 13)), int(draw.integers(2010, 2036))
    long, short, sign = f"{year}", f"{year % 100:02}", _pick(draw, "...//--- :")
    name = _pick(draw, FOREIGN_MONTHS) if draw.random() < 0.12 else MONTHS[month - 1]
    gap = _pick(draw, ["", " ", " ", "-", "/", "."])
    padded = f"{day:02}" if draw.random() < 0.9 else str(day)
    formats = [
        f"{padded}{sign}{month:02}{sign}{short}",
        f"{padded}{sign}{month:02}{sign}{long}",
        f"{long}{sign}{month:02}{sign}{day:02}",
        f"{short}{sign}{month:02}{sign}{day:02}",
        f"{month:02}{sign}{padded}{sign}{short}",
        f"{padded}{gap}{name}{gap}{short}",
        f"{padded}{gap}{name}{gap}{long}",
        f"{name}{gap}{padded}{gap}{short}",
        f"{name}{gap or ' '}{padded}{gap or ' '}{long}",
        f"{long}{month:02}{day:02}" if draw.random() < 0.5 else f"{day:02}{month:02}{long}",
        f"{day:02}{month:02}{short}" if draw.random() < 0.5 else f"{short}{month:02}{day:02}",
        f"{month:02}{sign}{long}",
        f"{name}{gap}{_pick(draw, [short, long])}",
    ]
    return _pick(draw, formats)


def lot(draw: Generator) -> str:
    """Digits and letters without a meaning."""
    return "".join(
        digits(draw, int(draw.integers(1, 5))) if draw.random() < 0.6 else LETTERS[int(draw.integers(10, 36))]
        for _ in range(int(draw.integers(1, 4)))
    )


def time(draw: Generator) -> str:
    return f"{int(draw.integers(0, 24)):02}:{int(draw.integers(0, 60)):02}"


def line(draw: Generator) -> str:
    """One printed line of at most `LONGEST` letters."""
    kind = draw.random()
    if kind < 0.42:
        parts = [date(draw)]
    elif kind < 0.72:
        word = _pick(draw, WORDS)
        parts = [word + _pick(draw, ["", "", ":", "."]) if word[-1].isalpha() else word, date(draw)]
    elif kind < 0.84:
        parts = [date(draw), _pick(draw, [time(draw), lot(draw), lot(draw)])]
    elif kind < 0.88:
        parts = [date(draw), date(draw)]
    elif kind < 0.94:
        parts = [lot(draw)] if draw.random() < 0.5 else ["LOT" + _pick(draw, [" ", ":", ""]), lot(draw), time(draw)]
    else:
        parts = [_pick(draw, WORDS), _pick(draw, WORDS)]
    joint = "" if draw.random() < 0.08 else " "
    text = joint.join(parts)
    return " ".join(text[:LONGEST].split())
