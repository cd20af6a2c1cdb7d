"""The file of weights, as crates/eval/src/weights.rs reads it.

`EMILIA-W`, one byte version (2), one byte kind (`P` tables of patterns, `N` network), two zero bytes, then as 32-bit
little-endian numbers the fingerprint of the shapes, the length of what follows and its CRC-32. Numbers inside are
variable-length integers (seven bits a byte, lowest first, the sign folded into the lowest bit); after a zero stands
how many more zeros follow it.
"""

import os
import struct
import zlib

import numpy

PATTERNS, NETWORK = b"P", b"N"
PATTERN_UNIT = 2  # 128ths of a disc per unit in a file of tables


def _integers(values):
    """Integers, each in its own bytes."""
    values = numpy.asarray(values, numpy.int64).ravel()
    folded = ((values << 1) ^ (values >> 63)).astype(numpy.uint64)
    # One byte serves most values; the others are put together one by one.
    pieces = []
    small = folded < 128
    at = 0
    for long in numpy.flatnonzero(~small):
        pieces.append(folded[at:long].astype(numpy.uint8).tobytes())
        rest = int(folded[long])
        while rest >= 128:
            pieces.append(bytes([rest & 127 | 128]))
            rest >>= 7
        pieces.append(bytes([rest]))
        at = long + 1
    pieces.append(folded[at:].astype(numpy.uint8).tobytes())
    return b"".join(pieces)


def _with_runs(values):
    """The values with the lengths of runs of zeros put in."""
    values = numpy.asarray(values, numpy.int64).ravel()
    zero = values == 0
    if not zero.any():
        return values
    begins = numpy.flatnonzero(zero & ~numpy.concatenate([[False], zero[:-1]]))
    ends = numpy.flatnonzero(zero & ~numpy.concatenate([zero[1:], [False]]))
    keep = ~zero
    keep[begins] = True
    lengths = numpy.full(len(values), -1, numpy.int64)
    lengths[begins] = ends - begins
    kept, kept_lengths = values[keep], lengths[keep]
    # After each kept zero comes its length.
    where = numpy.flatnonzero(kept_lengths >= 0)
    return numpy.insert(kept, where + 1, kept_lengths[where])


def _write(path, kind, fingerprint, body):
    header = b"EMILIA-W\x02" + kind + b"\0\0" + struct.pack("<III", fingerprint, len(body), zlib.crc32(body))
    with open(path + ".unfinished", "wb") as file:
        file.write(header + body)
    os.replace(path + ".unfinished", path)
    return len(header) + len(body)


def write_patterns(path, shapes, tables, bias):
    """Tables of patterns: per phase one weight per filling in discs, and 65 constants by number of empty squares."""
    units = 128 / PATTERN_UNIT

    def rounded(values):
        return numpy.rint(numpy.clip(numpy.asarray(values, numpy.float64) * units, -16000, 16000)).astype(numpy.int64)

    own = shapes.own_weights().numpy()
    parts = [_integers([len(tables), shapes.weights]), _integers(rounded(bias))]
    parts += [_integers(_with_runs(rounded(table)[own])) for table in tables]
    return _write(path, PATTERNS, shapes.fingerprint, b"".join(parts))


def write_network(path, shapes, sizes, rows, extra, dense):
    """A network: its sizes; the rows of fillings per bucket; the other rows per bucket; the dense layers. All are
    integers already."""
    own = shapes.own_weights().numpy()
    parts = [_integers(sizes)]
    for bucket_rows, bucket_extra in zip(rows, extra):
        # Column by column: the same number of neighbouring rows is often zero.
        parts.append(_integers(_with_runs(bucket_rows[own].T)))
        parts.append(_integers(_with_runs(bucket_extra.T)))
    parts += [_integers(_with_runs(layer)) for layer in dense]
    return _write(path, NETWORK, shapes.fingerprint, b"".join(parts))
