"""Tests of what learns, which needs PyTorch: python3 -m unittest discover training"""

import os
import struct
import sys
import tempfile
import unittest
import unittest.mock
import zlib

import numpy

try:
    import torch
except ImportError as error:
    raise unittest.SkipTest("PyTorch is not installed") from error

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import boards
import calibrate
import data
import files
import games
import network
import student
import weights
from label import Labelled, beside
from shapes import Shapes
from small import Mover, Rows, Small, rounded
from tables import Tables

START = (torch.tensor([1 << 28 | 1 << 35]), torch.tensor([1 << 27 | 1 << 36]))


def random_boards(plies, count=200):
    own, opponent = START[0].repeat(count), START[1].repeat(count)
    for _ in range(plies):
        own, opponent, _ = boards.random_ply(own, opponent)
    return own, opponent


class Rules(unittest.TestCase):
    def test_leaves_of_the_game_tree_are_the_published_numbers(self):
        own, opponent = START
        for leaves in [4, 12, 56, 244, 1396, 8200]:
            able = boards.squares(boards.moves(own, opponent)).nonzero()
            placed = torch.ones(len(able), dtype=torch.int64) << able[:, 1]
            own, opponent = boards.played(own[able[:, 0]], opponent[able[:, 0]], placed)
            self.assertEqual(len(own), leaves)

    def test_discs_are_counted(self):
        own, opponent = random_boards(25)
        self.assertEqual(boards.count(own).tolist(), boards.squares(own).sum(dim=1).tolist())
        self.assertEqual(boards.count(torch.tensor([-1, 0])).tolist(), [64, 0])

    def test_symmetric_boards_have_symmetric_moves(self):
        own, opponent = random_boards(20)
        for symmetry in (boards.transposed, boards.mirrored_columns, boards.mirrored_rows):
            turned = boards.moves(symmetry(own), symmetry(opponent))
            self.assertTrue(torch.equal(turned, symmetry(boards.moves(own, opponent))))
            self.assertFalse(torch.equal(symmetry(own), own))

    def test_boards_beside_games_can_be_played_on(self):
        own, opponent = random_boards(50, 300)
        store = type("Some", (), {"own": own, "opponent": opponent})
        own, opponent, plies, usable = beside(store, torch.arange(300), 5)
        self.assertTrue((boards.moves(own, opponent)[usable] != 0).all())
        self.assertTrue(((own & opponent) == 0).all())
        self.assertGreater(int(usable.sum()), 100)


class Weights(unittest.TestCase):
    def setUp(self):
        self.shapes = Shapes()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def test_fillings_are_not_found_with_shorter_products(self):
        self.addCleanup(torch.set_float32_matmul_precision, "highest")
        torch.set_float32_matmul_precision("high")
        with self.assertRaises(ValueError):
            self.shapes.to("cpu")

    def test_symmetric_boards_use_the_same_weights(self):
        own, opponent = random_boards(30)
        expected = self.shapes.active(own, opponent).sort(dim=1).values
        for symmetry in (boards.transposed, boards.mirrored_columns, boards.mirrored_rows):
            active = self.shapes.active(symmetry(own), symmetry(opponent)).sort(dim=1).values
            self.assertTrue(torch.equal(active, expected))

    def test_students_learn_and_their_integers_say_the_same(self):
        torch.manual_seed(1)
        own, opponent = random_boards(30, 2000)
        truth = (boards.count(boards.moves(own, opponent)) - 8).float()
        for student, rate in [(Tables(self.shapes), 0.1), (Small(self.shapes), 0.01)]:
            optimiser = torch.optim.AdamW(student.groups(), rate)
            for _ in range(20):
                loss = (student(own, opponent) - truth).square().mean()
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
                student.confine(rate)
            self.assertLess(loss.item(), truth.var().item() / 4)
            whole = student.quantised(list(student.parameters()))
            difference = (student.whole_scores(whole, own, opponent) - student(own, opponent)).abs()
            self.assertLess(difference.mean().item(), 0.5)
            path = os.path.join(self.folder.name, student.name)
            size = student.write(path, whole)
            with open(path, "rb") as file:
                written = file.read()
            self.assertEqual(len(written), size)
            self.assertIn(written[:10], (b"EMILIA-W" + weights.PATTERNS, b"EMILIA-W" + weights.NETWORK))
            shapes, length, checksum = struct.unpack("<III", written[12:24])
            self.assertEqual((shapes, length), (self.shapes.fingerprint, size - 24))
            self.assertEqual(checksum, zlib.crc32(written[24:]))

    def test_a_network_is_read_as_it_was_written(self):
        torch.manual_seed(9)
        small, other = Small(self.shapes), Small(self.shapes)
        for part in (small.shared, small.apart, small.parts):
            torch.nn.init.normal_(part, std=0.05)
        torch.nn.init.normal_(small.out_bias)
        whole = small.quantised(list(small.parameters()))
        path = os.path.join(self.folder.name, "network")
        small.write(path, whole)
        own, opponent = random_boards(30, 200)
        scores = small.whole_scores(whole, own, opponent)
        self.assertTrue(torch.equal(other.whole_scores(other.read(path), own, opponent), scores))
        # The parameters that were taken over are those of the integers.
        again = other.quantised(list(other.parameters()))
        self.assertTrue(torch.equal(other.whole_scores(again, own, opponent), scores))
        self.assertLess((Mover(path, "cpu")(own, opponent) - scores).abs().mean().item(), 0.3)
        for damage, error in ((lambda file: file[:-1] + bytes([file[-1] ^ 1]), "damaged"), (lambda file: b"X" + file, "not a network")):
            with open(path, "rb") as file:
                content = file.read()
            with open(path + "-bad", "wb") as file:
                file.write(damage(content))
            with self.assertRaisesRegex(SystemExit, error):
                other.read(path + "-bad")

    def test_a_calibrated_network_says_so_many_times_what_it_said(self):
        torch.manual_seed(10)
        small = Small(self.shapes)
        torch.nn.init.normal_(small.shared, std=0.05)
        torch.nn.init.normal_(small.out_bias, std=4)
        whole = small.quantised(list(small.parameters()))
        own, opponent = random_boards(30, 200)
        before = small.whole_scores(whole, own, opponent)
        path = os.path.join(self.folder.name, "vectors")
        student.vectors(small, whole, own, opponent, path)
        self.assertTrue(torch.equal(calibrate.boards_of(path), torch.stack([own, opponent])))
        self.assertTrue(torch.equal(small.whole_scores(calibrate.multiplied(whole, 1.0), own, opponent), before))
        twice = small.whole_scores(calibrate.multiplied(whole, 2.0), own, opponent)
        self.assertGreater(before.abs().max().item(), 2)
        self.assertLess((twice - 2 * before.clamp(-32, 32)).abs().max().item(), 0.1)
        # Every stage says less by what it says too much.
        stack = small._active(own, opponent)[1]
        discs = torch.arange(16) / 4
        less = small.whole_scores(calibrate.lowered(whole, discs), own, opponent)
        self.assertLess((before - less - discs[stack])[before.abs() < 60].abs().max().item(), 0.02)

    def test_stages_are_told_what_they_say_too_much(self):
        torch.manual_seed(3)
        stack = torch.arange(4).repeat_interleave(calibrate.ENOUGH) + 3
        truth = torch.randn(len(stack)) * 8
        scores = 1.2 * truth + torch.tensor([1.2, 0.0, -0.6, 2.4]).repeat_interleave(calibrate.ENOUGH)
        few = torch.full((10,), 12)
        found = calibrate.excess(torch.cat([scores, torch.ones(10)]), torch.cat([truth, torch.zeros(10)]), torch.cat([stack, few]))
        # What the truth has to be added to is the score divided by its factor.
        for at, discs in enumerate([1.0, 1.0, 1.0, 1.0, 0.0, -0.5, 2.0]):
            self.assertAlmostEqual(found[at].item(), discs, places=3)
        self.assertEqual(found[7:].abs().max().item(), 0)

    def test_rows_are_what_is_shared_and_what_is_not(self):
        torch.manual_seed(5)
        small = Small(self.shapes)
        for part in (small.shared, small.apart, small.parts):
            torch.nn.init.normal_(part, std=0.1)
        rows = small.rows(small.shared, small.apart, small.parts).reshape(4, -1, small.shared.shape[1])
        apart = rounded(small.apart.reshape(rows.shape))
        # The second shape has ten squares; fillings that agree on the first seven share rows, and so do those that agree
        # on the last seven. The tenth shape has five squares and no parts.
        begin = 3**9
        first, last = 2 * 3**6, 2 * 3**6 + 3**7
        for filling in (0, 5, 3**7 + 4, 3**10 - 1):
            expected = small.shared[begin + filling] + small.parts[first + filling % 3**7] + small.parts[last + filling // 3**3]
            for bucket in range(4):
                both = (rounded(expected) + apart[bucket, begin + filling]).clamp(-31 / 32, 31 / 32)
                self.assertTrue(torch.allclose(rows[bucket, begin + filling], both))
        small_shape = self.shapes.weights - 3**4 - 1
        self.assertTrue(torch.allclose(rows[2, small_shape], rounded(small.shared[small_shape]) + apart[2, small_shape]))
        self.assertTrue(torch.equal(rows * 32, (rows * 32).round()))

    def test_adding_in_any_order_finds_the_same_gradients(self):
        torch.manual_seed(7)
        active = torch.randint(20, (50, 9), dtype=torch.int32)
        rows = torch.randn(20, 4, dtype=torch.float64, requires_grad=True)
        weight = torch.randn(50, 4, dtype=torch.float64)
        gradients = []
        for add_up in (Rows.apply, lambda active, rows: rows[active.long()].sum(dim=1)):
            (add_up(active, rows) * weight).sum().backward()
            gradients.append(rows.grad.clone())
            rows.grad = None
        self.assertTrue(torch.allclose(*gradients))

    def test_rows_that_no_board_selects_stay_zero(self):
        torch.manual_seed(8)
        small = Small(self.shapes)
        torch.nn.init.normal_(small.parts, std=0.1)
        board = random_boards(20, 50)
        torch.nn.init.normal_(small.apart, std=0.1)
        small.leave_out([board], least=1, least_apart=20)
        active = small._active(*board)[0]
        shared = small.divided_rows(small.shared, small.parts).any(dim=1)
        selected = (active % small.bucket_rows).unique().long()
        self.assertGreater(int(shared.sum()), len(selected) // 2)
        self.assertFalse(shared.index_fill(0, selected, False).any())
        # Buckets add to rows that many boards of theirs select.
        number, count = active.unique(return_counts=True)
        added = (small.apart * small.used_apart).any(dim=1)
        self.assertEqual(added.nonzero().squeeze(1).tolist(), number[count >= 20].tolist())

    def test_a_network_for_the_way_uses_few_columns_and_no_large_shape(self):
        torch.manual_seed(6)
        full, light = Small(self.shapes), Small(self.shapes, columns=4, squares=8)
        for net in (full, light):
            torch.nn.init.normal_(net.apart, std=0.1)
        rows = light.rows(light.shared, light.apart, light.parts)
        start = 0
        for shape in self.shapes.shapes:
            some = rows[start : start + 3 ** len(shape)]
            self.assertEqual(bool(some[:, :4].any()), len(shape) <= 8)
            self.assertFalse(some[:, 4:].any())
            start += 3 ** len(shape)
        sizes = [net.write(os.path.join(self.folder.name, "any"), net.quantised(list(net.parameters())))
                 for net in (full, light)]
        self.assertLess(sizes[1] * 20, sizes[0])


class Kept(unittest.TestCase):
    def test_the_teacher_that_is_kept_can_be_asked(self):
        teacher = network.Asked(os.path.join(HERE, "third", "teacher.half"), "cpu")
        own, opponent, truth = [], [], []
        with open(os.path.join(HERE, "..", "data", "endgame", "hard-20.obf"), encoding="ascii") as file:
            for line in list(file)[:60]:
                board, side, best = line.replace(";", " ").split()[:3]
                mine, theirs = ("X", "O") if side == "X" else ("O", "X")
                bits = [sum(1 << at for at, disc in enumerate(board) if disc == whose) for whose in (mine, theirs)]
                own.append(boards.signed(bits[0]))
                opponent.append(boards.signed(bits[1]))
                truth.append(float(best.split(":")[1]))
        error = teacher(torch.tensor(own), torch.tensor(opponent)) - torch.tensor(truth)
        self.assertLess(error.abs().mean().item(), 6)


class Labels(unittest.TestCase):
    def test_what_was_labelled_can_be_taken_again(self):
        first = Labelled(10, "cpu")
        first.add(torch.tensor([1, 4, 16]), torch.tensor([2, 8, 32]), torch.tensor([1.5, -64.0, 0.0078125]))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kept.pt")
            first.keep(path)
            second = Labelled(4, "cpu")
            second.add(torch.tensor([64]), torch.tensor([128]), torch.tensor([3.0]))
            second.take(path)
        self.assertEqual(second.own.tolist(), [64, 1, 4, 16])
        self.assertEqual(second.opponent.tolist(), [128, 2, 8, 32])
        self.assertEqual(second.score.tolist(), [384, 192, -8192, 1])


class Lessons(unittest.TestCase):
    def test_endings_come_from_solved_boards_alone(self):
        torch.manual_seed(8)
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, plies in (("some", (30, 50)), ("solved", (50, 52))):
                own, opponent = (torch.cat(sides) for sides in zip(*(random_boards(many, 100) for many in plies)))
                records = numpy.zeros(len(own), files.RECORD)
                records["own"], records["opponent"], records["how"] = own, opponent, files.EXACT
                records["empties"] = boards.count(~(own | opponent))
                records["score"] = 128 if name == "solved" else 0
                paths.append(os.path.join(folder, f"{name}.emd"))
                files.write(paths[-1], records)
            words = ["student.py", "--data", paths[0], "--solved", paths[1], "--test", paths[0], "--out", "w", "--batch", "40"]
            with unittest.mock.patch.object(sys, "argv", [*words, "--device", "cpu", "--solved-share", "0.25"]):
                options = student.arguments()
            labelled, aside, _ = student.positions(options, "cpu")
            solved = data.Store(options.solved, "cpu", lambda line: None)
        self.assertGreaterEqual(boards.count(~(labelled.own | labelled.opponent)).min().item(), 16)
        self.assertLess(len(labelled), 110)
        met = []

        def score(own, opponent):
            met.extend(boards.count(~(own | opponent)).tolist())
            return torch.zeros(len(own))

        # Ten of forty are worth one disc each.
        loss = student.Lessons(labelled, aside, solved, options).loss(score)
        self.assertEqual(sum(empties < 16 for empties in met), 10)
        self.assertAlmostEqual(loss.item(), 10 / 40 / 2, places=5)
        # Boards that the student takes for decided count less, whatever they are worth; on the whole nothing is lost.
        options.near = 24.0
        lessons = student.Lessons(labelled, aside, solved, options)
        weights = lessons.weights(torch.tensor([0.0, 24.0, -24.0, 60.0]))
        self.assertAlmostEqual(weights.mean().item(), 1.0, places=5)
        self.assertAlmostEqual((weights[1] / weights[0]).item(), 0.6, places=5)
        self.assertEqual(weights[1], weights[2])
        self.assertLess((weights[3] / weights[0]).item(), 0.23)


class Files(unittest.TestCase):
    def test_growing_files_are_read_as_they_grow(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "some.emd")
            records = numpy.zeros(3, files.RECORD)
            records["own"], records["opponent"], records["score"] = 1, 2, [128, -128, 0]
            files.write(path, records)
            with open(path, "rb") as file:
                whole = file.read()
            store = data.Store([os.path.join(folder, "*.emd")], "cpu", lambda line: None)
            self.assertEqual(store.discs(torch.arange(3)).tolist(), [1, -1, 0])
            with open(path, "ab") as file:
                file.write(whole[files.HEADER :] + whole[files.HEADER : -30])
            self.assertEqual((store.refresh(), len(store), store.refresh()), (3, 6, 0))

    def test_games_are_replayed_with_their_outcomes(self):
        # d3 searched as +2, c3 searched as -1 and not the best move, c4 searched as +4, then a board known to be -6.
        plies = [(19, 2, 8), (18, -1, 8 | files.RANDOM), (26, 4, 8), (44, -6, files.EXACT)]
        game = numpy.array([1 << 28 | 1 << 35, 1 << 27 | 1 << 36], "<u8").tobytes() + bytes([len(plies)])
        game += b"".join(bytes([square, score % 256, how]) for square, score, how in plies) + b"??"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "some.emg")
            with open(path, "wb") as file:
                file.write(files.GAMES + bytes([1, 0, 0, 0, 0, 0, 0, 0]) + 65 * game + game[:20])
            store = data.Store([path], "cpu", lambda line: None)
            test = data.Store([path], "cpu", lambda line: None, part="test")
            self.assertEqual((len(store), len(test)), (63 * 4, 2 * 4))
            self.assertEqual(test.empties.tolist(), [60, 60, 59, 59, 58, 58, 57, 57])
            # The search said +4 and the game went on to +6 for that side; earlier boards do not know.
            mixed = 4 + games.OUTCOME * 2
            expected = [2, 2, -1, -1, mixed, mixed, -6, -6]
            for found, discs in zip(test.discs(torch.arange(8)).tolist(), expected):
                self.assertAlmostEqual(found, discs, delta=0.01)
            self.assertEqual(store.refresh(), 0)
            with open(path, "ab") as file:
                file.write(game[20:])
            self.assertEqual(store.refresh(), 4)


if __name__ == "__main__":
    unittest.main()
