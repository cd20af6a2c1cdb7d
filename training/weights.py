"""The file of weights, as crates/eval/src/weights.rs reads it.

`EMILIA-W`, one byte version, one byte kind (`P` tables of patterns, version 2; `N` network, 3), two zero bytes, then as 32-bit
little-endian numbers the fingerprint of the shapes, the length of what follows and its CRC-32. Numbers inside are
variable-length integers (seven bits a byte, lowest first, the sign folded into the lowest bit); after a zero stands
how many more zeros follow it.
"""

import os
import struct
import zlib

import numpy

PATTERNS, NETWORK = b"\x02P", b"\x03N"  # version and kind
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
    header = b"EMILIA-W" + kind + b"\0\0" + struct.pack("<III", fingerprint, len(body), zlib.crc32(body))
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


def write_network(path, shapes, sizes, shared, apart, dense):
    """A network: its sizes; the rows that all buckets share, those of fillings and the others; what each bucket adds to
    them; the dense layers. All are integers already."""
    own = shapes.own_weights().numpy()
    parts = [_integers(sizes)]
    for rows in [shared, *apart]:
        # Column by column: the same number of neighbouring rows is often zero.
        parts.append(_integers(_with_runs(rows[: shapes.weights][own].T)))
        parts.append(_integers(_with_runs(rows[shapes.weights :].T)))
    parts += [_integers(_with_runs(layer)) for layer in dense]
    return _write(path, NETWORK, shapes.fingerprint, b"".join(parts))


class _Reader:
    """The integers of a file, one part after the other."""

    def __init__(self, body):
        values = numpy.frombuffer(body, numpy.uint8)
        ends = numpy.flatnonzero(values < 128)
        begins = numpy.concatenate([[0], ends[:-1] + 1])
        folded = (values[begins] & 127).astype(numpy.int64)
        for byte in range(1, int((ends - begins).max(initial=0)) + 1):
            longer = ends - begins >= byte
            folded[longer] |= (values[begins[longer] + byte].astype(numpy.int64) & 127) << (7 * byte)
        self.values, self.at = (folded >> 1) ^ -(folded & 1), 0
        self.zeros = numpy.flatnonzero(self.values == 0)

    def plain(self, count):
        """So many integers as they stand."""
        self.at += count
        return self.values[self.at - count : self.at]

    def runs(self, count):
        """So many integers, runs of zeros written out."""
        found = numpy.zeros(count, numpy.int64)
        done = 0
        while done < count:
            next_zero = numpy.searchsorted(self.zeros, self.at)
            stop = self.zeros[next_zero] if next_zero < len(self.zeros) else len(self.values)
            many = min(stop - self.at, count - done)
            found[done : done + many] = self.plain(many)
            done += many
            if done < count:
                done += 1 + int(self.plain(2)[1])
        return found


def read_network(path, shapes, sizes):
    """The parts of a network of these sizes as `write_network` takes them: shared rows, rows apart, dense layers one
    behind the other."""
    with open(path, "rb") as file:
        header, body = file.read(24), file.read()
    fingerprint, length, checksum = struct.unpack("<III", header[12:])
    if header[:12] != b"EMILIA-W" + NETWORK + b"\0\0" or fingerprint != shapes.fingerprint:
        raise SystemExit(f"{path}: not a network of this version for these shapes")
    if len(body) != length or zlib.crc32(body) != checksum:
        raise SystemExit(f"{path}: damaged")
    reader = _Reader(body)
    found = reader.plain(len(sizes)).tolist()
    if found != list(sizes):
        raise SystemExit(f"{path}: a network of the sizes {found}, not {list(sizes)}")
    _, width, hidden, stacks, extra, buckets, *_ = sizes
    own = shapes.own_weights().numpy()
    canonical = shapes.canonical.cpu().numpy()

    def rows():
        some = numpy.zeros((shapes.weights + extra, width), numpy.int64)
        some[own] = reader.runs(len(own) * width).reshape(width, -1).T
        some[: shapes.weights] = some[canonical]
        some[shapes.weights :] = reader.runs(extra * width).reshape(width, -1).T
        return some

    shared = rows()
    apart = numpy.stack([rows() for _ in range(buckets)])
    layers = [(stacks, hidden, 2 * width), (stacks, hidden), (stacks, 2 * hidden), (stacks, 1), (stacks, 1)]
    return shared, apart, [reader.runs(int(numpy.prod(size))).reshape(size) for size in layers]
