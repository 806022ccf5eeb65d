"""Makes smaller, faster variants of the networks, and measures how far they agree with the originals.

    variants.py make FETCHED OUT --weight-bits 7|8
                                          write the variants and variants.json to OUT
    variants.py compare FETCHED PHOTO...  measure how far the variants agree with the originals on other photos

Runs in the environment of requirements.txt, in three steps:
1. The recogniser's last layer keeps the columns of models/text/characters.json, the blank and the space. The
   recogniser can then not read characters that no European menu has, and its widest layer becomes small.
2. The model moves to operator set 13, which per-channel scales need. Each GELU (Div, Erf, Add, Mul, Mul) becomes
   one operator: ONNX Runtime does not fuse them between quantised layers, and they took a sixth of the time.
3. Static quantisation to 8 bits, with ranges from samples/ (never from photos that anything is measured on). On x86
   processors without VNNI, products of two full 8-bit numbers overflow the 16 bits they are added in
   (https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html), so weights have 7 bits there.
   Depthwise convolutions stay in floating point: they are a small part of the work, and in 8 bits they cost most of the
   agreement (docs/measurements/text.md). Matrix products stay too, because 8 bits gain no time there.
   The detector also joins, pools and enlarges in 8 bits, after graph.py has rewritten what has no such operator.
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper, version_converter
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from onnxruntime.transformers.fusion_gelu import FusionGelu
from onnxruntime.transformers.onnx_model import OnnxModel
from PIL import Image, ImageOps

from tablesight_tools.models.graph import rewrite_detector
from tablesight_tools.paths import REPOSITORY

LONG_SIDE = 1280  # pixels; the size of the detector's input
LINE_HEIGHT = 48  # pixels; the recogniser's fixed height
CALIBRATION_LINES = 160


def session(path: pathlib.Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def tensor(photo: Image.Image) -> np.ndarray:
    """Pillow RGB → blue, green, red planes from -1 to 1, as PaddleOCR was trained."""
    pixels = np.asarray(photo.convert("RGB"), np.float32)[:, :, ::-1]
    return np.ascontiguousarray(((pixels / 255 - 0.5) / 0.5).transpose(2, 0, 1)[None])


def page_tensor(photo: Image.Image) -> np.ndarray:
    scale = min(1, LONG_SIDE / max(photo.size))
    width, height = (max(32, round(side * scale / 32) * 32) for side in photo.size)
    return tensor(photo.resize((width, height), Image.BILINEAR))


def line_tensor(line: Image.Image) -> np.ndarray:
    width = max(8, -(-LINE_HEIGHT * line.width // line.height) // 8 * 8 + 8)
    return tensor(line.resize((width, LINE_HEIGHT), Image.BILINEAR))


def components(mask: np.ndarray) -> list[list[int]]:
    """Boxes (left, top, right, bottom; exclusive) of the 4-connected areas of a mask, by union of runs."""
    boxes, parent, previous = [], [], []

    def root(index: int) -> int:
        while parent[index] != index:
            index = parent[index]
        return index

    for y, row in enumerate(mask):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(np.int8), [0]))))
        current = []
        for left, right in edges.reshape(-1, 2):
            index = len(boxes)
            boxes.append([left, y, right, y + 1])
            parent.append(index)
            for start, end, other in previous:
                if start < right and left < end:
                    first, second = sorted((root(index), root(other)))
                    if first != second:
                        parent[second] = first
                        a, b = boxes[first], boxes[second]
                        boxes[first] = [min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])]
            current.append((left, right, index))
        previous = current
    return [boxes[index] for index in range(len(boxes)) if parent[index] == index]


def lines(photo: Image.Image, detector: onnxruntime.InferenceSession) -> Iterator[Image.Image]:
    """Upright crops around detected text, precise enough to calibrate the ranges of activations."""
    probability = detector.run(None, {"x": page_tensor(photo)})[0][0, 0]
    across, down = photo.width / probability.shape[1], photo.height / probability.shape[0]
    for left, top, right, bottom in components(probability > 0.3):
        width, height = right - left, bottom - top
        if height < 5 or width < 1.5 * height:
            continue
        grow = width * height * 1.6 / (2 * (width + height))
        start = max(0, int((left - grow) * across)), max(0, int((top - grow) * down))
        end = min(photo.width, int((right + grow) * across)), min(photo.height, int((bottom + grow) * down))
        yield photo.crop((*start, *end))


def kept_classes(fetched: pathlib.Path) -> tuple[list[int], list[str]]:
    """Indices of the kept classes and their characters; the blank comes first and the space last."""
    meanings = (fetched / "rec_small.dict.txt").read_text(encoding="utf-8").split("\n")[:-1]
    table = json.loads((REPOSITORY / "models/text/characters.json").read_text(encoding="utf-8"))
    if table["schema"] != "tablesight.characters/1":
        raise SystemExit(f"models/text/characters.json: schema is {table['schema']}, expected tablesight.characters/1")
    wanted = {character for group in table["groups"] for character in group["characters"]} | {" "}
    unknown = sorted(wanted - set(meanings))
    if unknown:
        raise SystemExit(f"models/text/characters.json: no classes of the network: {' '.join(unknown)}; take them out")
    kept = [index for index, meaning in enumerate(meanings) if meaning in wanted]
    return [0] + [index + 1 for index in kept], [meanings[index] for index in kept]


def prune(fetched: pathlib.Path, out: pathlib.Path) -> tuple[int, int]:
    classes, meanings = kept_classes(fetched)
    model = onnx.load(fetched / "rec_small.onnx")
    total = model.graph.output[0].type.tensor_type.shape.dim[-1].dim_value
    if total != classes[-1] + 1:
        raise SystemExit(f"the recogniser has {total} classes, its list {classes[-1] + 1}: the space is not the last")
    heads = [item for item in model.graph.initializer if item.dims and item.dims[-1] == total]
    if len(heads) != 2:
        raise SystemExit(f"the recogniser's last layer is not one weight and one bias: {[item.name for item in heads]}")
    for item in heads:
        item.CopyFrom(
            numpy_helper.from_array(np.ascontiguousarray(numpy_helper.to_array(item)[..., classes]), item.name)
        )
    for value in [*model.graph.output, *model.graph.value_info]:
        for dimension in value.type.tensor_type.shape.dim:
            if dimension.dim_value == total:
                dimension.dim_value = len(classes)
    del model.metadata_props[:]
    onnx.save(model, out / "rec_small.pruned.onnx")
    (out / "rec_small.pruned.dict.txt").write_text("".join(meaning + "\n" for meaning in meanings), encoding="utf-8")
    return total, len(classes)


class Calibration(CalibrationDataReader):
    """Feeds tensors to the calibration of ranges."""

    def __init__(self, tensors: Iterable[np.ndarray]) -> None:
        self.tensors = iter(tensors)

    def get_next(self) -> dict[str, np.ndarray] | None:
        item = next(self.tensors, None)
        return None if item is None else {"x": item}


@dataclasses.dataclass(frozen=True)
class Quantisation:
    """What runs in 8 bits. Other operators stay in floating point."""

    operators: list[str]
    rewrite: Callable[[onnx.GraphProto], None] = lambda graph: None  # applied before, keeps the results


READER = Quantisation(["Conv"])
DETECTOR = Quantisation(["Conv", "Concat", "MaxPool", "Resize", "Relu"], rewrite=rewrite_detector)


def quantise(
    source: pathlib.Path, target: pathlib.Path, tensors: Iterable[np.ndarray], what: Quantisation, bits: int
) -> None:
    newer, prepared = target.with_suffix(".13"), target.with_suffix(".prepared")
    onnx.save(version_converter.convert_version(onnx.load(source), 13), newer)
    quant_pre_process(str(newer), str(prepared), skip_symbolic_shape=True)
    fused = OnnxModel(onnx.load(prepared))
    FusionGelu(fused).apply()
    fused.prune_graph()
    fused.model.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))
    what.rewrite(fused.model.graph)
    fused.prune_graph()
    onnx.save(fused.model, prepared)
    graph = fused.model.graph
    shapes = {item.name: item.dims for item in graph.initializer}
    depthwise = [node.name for node in graph.node if node.op_type == "Conv" and shapes[node.input[1]][1] == 1]
    quantize_static(
        str(prepared),
        str(target),
        Calibration(tensors),
        quant_format=QuantFormat.QDQ,
        per_channel=True,
        reduce_range=bits == 7,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        calibrate_method=CalibrationMethod.MinMax,
        op_types_to_quantize=what.operators,
        nodes_to_exclude=depthwise,
    )
    newer.unlink()
    prepared.unlink()
    fuse(target, f"Changed by Tablesight: {source.name} quantised to 8 bits")


def fuse(network: pathlib.Path, change: str) -> None:
    """Stores the network as ONNX Runtime fuses it, so that it loads in two thirds of the time.

    Fusions that depend on the processor are left to the start of each worker: a packed folder may move.
    """
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(network.with_suffix(".fused"))
    onnxruntime.InferenceSession(str(network), options, providers=["CPUExecutionProvider"])
    model = onnx.load(network.with_suffix(".fused"))
    model.doc_string = change
    onnx.save(model, network)
    network.with_suffix(".fused").unlink()


def photographs(paths: Iterable[pathlib.Path | str]) -> list[Image.Image]:
    return [ImageOps.exif_transpose(Image.open(path)).convert("RGB") for path in paths]


def sample_paths() -> list[pathlib.Path]:
    photos = [path for folder in ("menus", "labels") for path in (REPOSITORY / "samples" / folder).iterdir()]
    return sorted(path for path in photos if path.suffix != ".json")


def varied(crops: Iterable[Image.Image]) -> Iterator[Image.Image]:
    """Inverts some crops and lowers the contrast of others, so that the ranges also fit photographs."""
    for index, crop in enumerate(crops):
        if index % 4 == 1:
            yield ImageOps.invert(crop)
        elif index % 4 == 2:
            yield crop.point(lambda value: 90 + value * 0.4)
        else:
            yield crop


def best_path(probabilities: np.ndarray, meanings: list[str]) -> tuple[str, float]:
    """Greedy decoding: the text, and the geometric mean of its probabilities. Class 0 is the blank."""
    best = probabilities.argmax(1)
    places = [at for at in range(len(best)) if best[at] and (at == 0 or best[at] != best[at - 1])]
    sure = np.exp(np.log(probabilities[places, best[places]]).mean()) if places else 0.0
    return "".join(meanings[best[at] - 1] for at in places), float(sure)


def distance(first: str, second: str) -> int:
    row = list(range(len(second) + 1))
    for index, left in enumerate(first, 1):
        before, row[0] = row[0], index
        for at, right in enumerate(second, 1):
            before, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, before + (left != right))
    return row[-1]


def agreement(
    fetched: pathlib.Path, variants: pathlib.Path, photos: list[Image.Image]
) -> tuple[dict[str, Any], dict[str, list[tuple[str, float]]]]:
    """Agreement of each variant with its original, on the lines that the original detector finds."""
    detector, small = session(fetched / "det_small.onnx"), session(variants / "det_small.int8.onnx")
    overlap = union = 0
    spent = dict.fromkeys(("det_small", "det_small.int8", "rec_small", "rec_small.pruned", "rec_small.int8"), 0.0)

    def timed(name: str, network: onnxruntime.InferenceSession, value: np.ndarray) -> np.ndarray:
        start = time.process_time()
        result = network.run(None, {"x": value})[0][0]
        spent[name] += time.process_time() - start
        return result

    crops = []
    for photo in photos:
        value = page_tensor(photo)
        first = timed("det_small", detector, value)[0] > 0.3
        second = timed("det_small.int8", small, value)[0] > 0.3
        overlap, union = overlap + int((first & second).sum()), union + int((first | second).sum())
        crops += lines(photo, detector)
    readers = {
        name: (session(folder / f"{name}.onnx"), (folder / table).read_text(encoding="utf-8").split("\n")[:-1])
        for name, folder, table in (
            ("rec_small", fetched, "rec_small.dict.txt"),
            ("rec_small.pruned", variants, "rec_small.pruned.dict.txt"),
            ("rec_small.int8", variants, "rec_small.pruned.dict.txt"),
        )
    }
    texts = {name: [] for name in readers}
    for crop in crops:
        value = line_tensor(crop)
        for name, (network, meanings) in readers.items():
            texts[name].append(best_path(timed(name, network, value), meanings))
    report = {"photos": len(photos), "lines": len(crops), "detectorOverlap": round(overlap / max(union, 1), 4)}
    kept = set(readers["rec_small.pruned"][1])
    for name, original in (("rec_small.pruned", "rec_small"), ("rec_small.int8", "rec_small.pruned")):
        pairs = [(a, b) for a, b in zip(texts[original], texts[name]) if set(a[0]) <= kept]
        length = max(1, sum(len(a[0]) for a, _ in pairs))
        sure = [(a, b) for a, b in pairs if b[1] >= 0.95]
        report[f"{name} against {original}"] = {
            "lines": len(pairs),
            "sameLines": round(sum(a[0] == b[0] for a, b in pairs) / max(1, len(pairs)), 4),
            "editsPerCharacter": round(sum(distance(a[0], b[0]) for a, b in pairs) / length, 5),
            "linesSureOf0.95": len(sure),
            "sameLinesSureOf0.95": round(sum(a[0] == b[0] for a, b in sure) / max(1, len(sure)), 4),
        }
    runs = {name: len(photos) if name.startswith("det") else len(crops) for name in spent}
    report["cpuMs"] = {name: round(1000 * value / max(1, runs[name]), 1) for name, value in spent.items()}
    return report, texts


def make(fetched: pathlib.Path, out: pathlib.Path, bits: int) -> None:
    photos = photographs(sample_paths())
    total, kept = prune(fetched, out)
    print(f"recogniser: {total} classes, {kept} kept")
    detector = session(fetched / "det_small.onnx")
    crops = [crop for photo in photos for crop in lines(photo, detector)]
    if len(crops) < CALIBRATION_LINES // 2:
        raise SystemExit(f"the detector found {len(crops)} lines in samples/, too few to calibrate with")
    crops = crops[:: max(1, len(crops) // CALIBRATION_LINES)]
    quantise(
        out / "rec_small.pruned.onnx",
        out / "rec_small.int8.onnx",
        [line_tensor(crop) for crop in varied(crops)],
        READER,
        bits,
    )
    # Quantisation needs the network as it was.
    fuse(
        out / "rec_small.pruned.onnx",
        "Changed by Tablesight: the last layer keeps the classes of models/text/characters.json alone",
    )
    pages = [page_tensor(photo) for photo in photos]
    quantise(fetched / "det_small.onnx", out / "det_small.int8.onnx", pages, DETECTOR, bits)
    report, _ = agreement(fetched, out, photos)
    pruned, small = report["rec_small.pruned against rec_small"], report["rec_small.int8 against rec_small.pruned"]
    print(
        f"of {report['lines']} lines of samples/ the pruned recogniser reads "
        f"{pruned['sameLines']:.1%} as the original does, "
        f"the one in 8 bits {small['sameLines']:.1%} as the pruned one does; "
        f"{small['sameLinesSureOf0.95']:.1%} where it is 95% sure"
    )
    if pruned["sameLines"] < 0.95 or report["detectorOverlap"] < 0.8:
        raise SystemExit(f"the variants read other text than the originals: {report}")
    record = {
        "schema": "tablesight.variants/1",
        "tools": {"onnx": onnx.__version__, "onnxruntime": onnxruntime.__version__, "numpy": np.__version__},
        "weightBits": bits,
        "files": {path.name: {"bytes": path.stat().st_size} for path in sorted(out.iterdir())},
        "agreement": report,
    }
    (out / "variants.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def compare(fetched: pathlib.Path, paths: list[str]) -> None:
    report, texts = agreement(fetched, fetched, photographs(paths))
    print(json.dumps(report, indent=2))
    for original, pruned, small in zip(*texts.values()):
        if not original[0] == pruned[0] == small[0]:
            for name, reading in (("whole ", original), ("pruned", pruned), ("int8  ", small)):
                print(f"  {name} {reading[1]:.3f} {reading[0]}")
            print()


if __name__ == "__main__":
    words = sys.argv[1:]
    if len(words) == 5 and words[0] == "make" and words[3] == "--weight-bits" and words[4] in ("7", "8"):
        make(pathlib.Path(words[1]), pathlib.Path(words[2]), int(words[4]))
    elif len(words) >= 3 and words[0] == "compare":
        compare(pathlib.Path(words[1]), words[2:])
    else:
        sys.exit(__doc__)
