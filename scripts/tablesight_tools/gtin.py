"""Numbers of products: their check digit, and the bars of EAN-8 and EAN-13."""

LEFT = ["0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011"]
PARITY = ["LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL"]
RIGHT = [code.translate(str.maketrans("01", "10")) for code in LEFT]


def check_digit(digits: str) -> str:
    """The digit that belongs behind these digits."""
    return str(-sum(int(digit) * (1 if place % 2 else 3) for place, digit in enumerate(reversed(digits))) % 10)


def modules(number: str) -> str:
    """The modules of an EAN-13 or EAN-8, 1 black, without quiet zones."""
    half = 4 if len(number) == 8 else 6
    kinds = "LLLL" if half == 4 else PARITY[int(number[0])]
    codes = {"L": LEFT, "G": [code[::-1] for code in RIGHT]}
    left = "".join(codes[kind][int(digit)] for kind, digit in zip(kinds, number[-2 * half : -half]))
    return "101" + left + "01010" + "".join(RIGHT[int(digit)] for digit in number[-half:]) + "101"
