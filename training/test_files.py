"""Tests of the files, which need numpy alone: python3 -m unittest discover training"""

import os
import struct
import sys
import tempfile
import unittest
import zlib

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import files
import weights

SHIPPED = os.path.join(HERE, "..", "crates", "eval", "weights")


class Weights(unittest.TestCase):
    def test_runs_of_zeros_are_shortened(self):
        self.assertEqual(weights._with_runs([0, 0, 1, 0, 5, 0, 0, 0]).tolist(), [0, 1, 1, 0, 0, 5, 0, 2])
        self.assertEqual(weights._integers([0, 1, -1, 64, 300]), bytes([0, 2, 1, 128, 1, 216, 4]))

    def test_the_weights_in_the_program_are_whole_and_for_these_shapes(self):
        with open(os.path.join(HERE, "shapes.txt"), encoding="utf-8") as file:
            shapes = [line.split("=")[0].strip() for line in file if line.strip()]
        with open(os.path.join(SHIPPED, "network.bin"), "rb") as file:
            content = file.read()
        self.assertEqual(content[:12], b"EMILIA-W" + weights.NETWORK + b"\0\0")
        fingerprint, length, checksum = struct.unpack("<III", content[12:24])
        self.assertEqual(fingerprint, zlib.crc32("\n".join(shapes).encode()))
        self.assertEqual((length, checksum), (len(content) - 24, zlib.crc32(content[24:])))


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "some")

    def test_positions_are_read_as_their_file_grows(self):
        records = numpy.zeros(3, files.RECORD)
        records["own"], records["opponent"], records["score"] = 1, 2, [128, -128, 0]
        files.write(self.path, records)
        self.assertEqual(files.read(self.path)["score"].tolist(), [128, -128, 0])
        with open(self.path, "rb") as file:
            whole = file.read()
        with open(self.path, "ab") as file:
            file.write(whole[files.HEADER :] + whole[files.HEADER : -30])
        self.assertEqual(files.read(self.path, 3)["score"].tolist(), [128, -128, 0])
        self.assertEqual(len(files.read(self.path, 6)), 0)

    def test_every_flipped_bit_is_noticed_and_old_files_are_said_to_be_unprotected(self):
        records = numpy.zeros(5, files.RECORD)
        records["own"], records["score"] = 1, range(5)
        files.write(self.path, records)
        with open(self.path, "rb") as file:
            whole = file.read()
        self.assertEqual(files.read(self.path).tolist(), records.tolist())
        for bit in range(8 * len(whole)):
            flipped = bytearray(whole)
            flipped[bit // 8] ^= 1 << bit % 8
            with open(self.path, "wb") as file:
                file.write(flipped)
            try:
                # A block that is said to be longer than it is may still be written to.
                self.assertEqual(len(files.read(self.path)), 0, bit)
            except files.BadData:
                pass
        with open(self.path, "wb") as file:
            file.write(files.POSITIONS + struct.pack("<II", 1, 24) + records.tobytes())
        said = []
        self.assertEqual(files.read(self.path, 0, said.append).tolist(), records.tolist())
        self.assertIn("without checksums", said[0])

    def test_games_are_divided_and_half_a_game_is_left_for_later(self):
        def game(plies):
            return struct.pack("<QQB", 1 << 28 | 1 << 35, 1 << 27 | 1 << 36, len(plies)) + b"".join(plies) + b"??"

        one, two = game([bytes([19, 2, 8])]), game([bytes([19, 2, 8]), bytes([18, 255, 136])])
        with open(self.path, "wb") as file:
            file.write(files.GAMES + bytes(8) + one + 64 * two + one[:9])
        first, plies, end, number = files.read_games(self.path, 0, 0, "test")
        self.assertEqual((len(first), number, end), (2, 65, 16 + len(one) + 64 * len(two)))
        self.assertEqual(first[0].tolist(), [1 << 28 | 1 << 35, 1 << 27 | 1 << 36])
        self.assertEqual(plies[0].tolist(), [[19, 2, 8], [255, 255, 255]])
        self.assertEqual(plies[1].tolist(), [[19, 2, 8], [18, 255, 136]])
        learnt = files.read_games(self.path, 0, 0, "train")
        self.assertEqual(len(learnt[0]), 63)
        joined = list(files.together([(first[:1], plies[:1, :1]), learnt[:2]], most=10))
        self.assertEqual([batch[1].shape for batch in joined], [(64, 2, 3)])
        with open(self.path, "ab") as file:
            file.write(one[9:])
        self.assertEqual(len(files.read_games(self.path, end, number, "train")[0]), 1)

    def test_foreign_files_are_refused(self):
        with open(self.path, "wb") as file:
            file.write(b"something else, and more than a header")
        with self.assertRaises(files.BadData):
            files.read(self.path)
        with self.assertRaises(files.BadData):
            files.read_games(self.path, 0, 0, "all")


if __name__ == "__main__":
    unittest.main()
