"""Rewrites parts of the line detector into equal parts that run faster in 8 bits.

Each function changes the graph in place and keeps its result (differences are rounding, below 1e-5 of a probability).
They name the nodes of the detector that models/manifest.json pins, and raise KeyError for another network.
"""

from __future__ import annotations

import numpy as np
import onnx
from onnx import helper, numpy_helper


def constants(graph: onnx.GraphProto) -> dict[str, np.ndarray]:
    return {item.name: numpy_helper.to_array(item) for item in graph.initializer}


def constant(graph: onnx.GraphProto, name: str, value: np.ndarray) -> str:
    graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(value, np.float32), name))
    return name


def replace(graph: onnx.GraphProto, old: list[onnx.NodeProto], new: list[onnx.NodeProto]) -> None:
    """Puts `new` at the place of the first of `old`."""
    nodes = list(graph.node)
    place = min(nodes.index(node) for node in old)
    kept = [node for node in nodes[:place] if node not in old]
    kept += new + [node for node in nodes[place:] if node not in old]
    del graph.node[:]
    graph.node.extend(kept)
    for node in new:
        # Without an element type the quantisation leaves a value in floating point.
        graph.value_info.extend(
            helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in node.output
        )


def enlarge_last(graph: onnx.GraphProto) -> None:
    """Two transposed convolutions that double the picture → convolutions at a quarter of its sides, then one shuffle.

    Both have kernels of 2 × 2 and steps of 2, so each output pixel depends on one input pixel. Both are slow in
    ONNX Runtime, and neither has an 8-bit operator.
    """
    values, nodes = constants(graph), {node.name: node for node in graph.node}
    first, shift, rectifier, second, last = (
        nodes[name] for name in ("ConvTranspose.0", "Add.218", "Relu.19", "ConvTranspose.2", "Add.220")
    )
    inner, outer = values[first.input[1]], values[second.input[1]]
    channels, between = inner.shape[:2]
    wide = np.zeros((4 * between, channels, 1, 1))
    fine = np.zeros((16, 4 * between, 1, 1))
    for row, column in np.ndindex(2, 2):
        part = slice((2 * row + column) * between, (2 * row + column + 1) * between)
        wide[part, :, 0, 0] = inner[:, :, row, column].T
        for down, across in np.ndindex(2, 2):
            fine[(2 * row + down) * 4 + 2 * column + across, part, 0, 0] = outer[:, 0, down, across]
    weights = constant(graph, "enlarge.0.weights", wide), constant(graph, "enlarge.1.weights", fine)
    biases = (
        constant(graph, "enlarge.0.bias", np.tile(values[shift.input[1]].reshape(-1), 4)),
        constant(graph, "enlarge.1.bias", np.tile(values[last.input[1]].reshape(-1), 16)),
    )
    new = [
        helper.make_node(
            "Conv", [first.input[0], weights[0], biases[0]], ["enlarge.0"], "Enlarge.0", kernel_shape=[1, 1]
        ),
        helper.make_node("Relu", ["enlarge.0"], ["enlarge.0.relu"], "Enlarge.0.Relu"),
        helper.make_node(
            "Conv", ["enlarge.0.relu", weights[1], biases[1]], ["enlarge.1"], "Enlarge.1", kernel_shape=[1, 1]
        ),
        helper.make_node("DepthToSpace", ["enlarge.1"], [last.output[0]], "Enlarge.2", blocksize=4, mode="DCR"),
    ]
    replace(graph, [first, shift, rectifier, second, last], new)


def join_gates(graph: onnx.GraphProto) -> None:
    """x · gate + x → x · (gate + 1): one pass over the pixels in place of two."""
    makers = {name: node for node in graph.node for name in node.output}
    one = constant(graph, "one", np.ones((1, 1, 1, 1)))
    for gated in [node for node in graph.node if node.op_type == "Mul"]:
        users = [node for node in graph.node if gated.output[0] in node.input]
        gate = makers.get(gated.input[1])
        if len(users) != 1 or users[0].op_type != "Add" or gated.input[0] not in users[0].input:
            continue
        if gate is None or gate.op_type != "HardSigmoid":
            continue
        raised = gated.input[1] + ".raised"
        new = [
            helper.make_node("Add", [gated.input[1], one], [raised], gated.name + ".raise"),
            helper.make_node("Mul", [gated.input[0], raised], [users[0].output[0]], gated.name + ".gate"),
        ]
        replace(graph, [gated, users[0]], new)


def widen_stem(graph: onnx.GraphProto) -> None:
    """12 channels of the second convolution → 16, four of them zero: products of 12 columns take ten times as long."""
    values, nodes = constants(graph), {node.name: node for node in graph.node}
    narrow, after = nodes["Conv.1"], nodes["Conv.2"]
    weights, bias, next_weights = (values[name] for name in (*narrow.input[1:3], after.input[1]))
    missing = -weights.shape[0] % 16
    narrow.input[1] = constant(graph, "stem.weights", np.pad(weights, ((0, missing), (0, 0), (0, 0), (0, 0))))
    narrow.input[2] = constant(graph, "stem.bias", np.pad(bias, (0, missing)))
    after.input[1] = constant(graph, "stem.next", np.pad(next_weights, ((0, 0), (0, missing), (0, 0), (0, 0))))
    # Their stored sizes have 12 channels.
    stale = {narrow.output[0], *(name for node in graph.node if narrow.output[0] in node.input for name in node.output)}
    for value in graph.value_info:
        if value.name in stale:
            value.type.tensor_type.ClearField("shape")


def rewrite_detector(graph: onnx.GraphProto) -> None:
    for step in (enlarge_last, join_gates, widen_stem):
        step(graph)
