"""Tests of the network that guesses the moves of people, which needs PyTorch: python3 -m unittest discover training"""

import copy
import os
import sys
import tempfile
import unittest
import zlib

import numpy

try:
    import torch
except ImportError as error:
    raise unittest.SkipTest("PyTorch is not installed") from error

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import boards
import people
import policy
import ratings
import wthor

SHIPPED = os.path.join(HERE, "..", "data", "wthor")


def some_moves(count=30):
    games = wthor.Games(SHIPPED)
    nobody = ratings.Ratings(numpy.array([1]), numpy.array([1980]), numpy.array([1500]))
    return people.Moves(games, numpy.arange(count), nobody, numpy.zeros(70_000, bool), "cpu")


def some_network():
    torch.manual_seed(1)
    network = policy.Policy(2, 32)
    for values in network.parameters():
        if values.abs().sum() == 0:
            torch.nn.init.normal_(values, std=0.05)
    return network


class Moves(unittest.TestCase):
    def test_every_move_is_legal_on_its_board_and_follows_those_before(self):
        moves = some_moves()
        placed = torch.ones_like(moves.own) << moves.square.long()
        self.assertTrue(((boards.moves(moves.own, moves.opponent) & placed) != 0).all())
        self.assertGreater(len(moves), 30 * 55)
        occupied = boards.squares(moves.own | moves.opponent).bool()
        known = moves.recent != policy.NOWHERE
        self.assertTrue(occupied.gather(1, moves.recent.long().clamp(max=63))[known].all())
        self.assertEqual(moves.recent[moves.number == 3][0].tolist()[2], policy.NOWHERE)

    def test_turned_positions_keep_their_moves(self):
        moves = some_moves(5)
        to, back = people.turnings("cpu")
        at = torch.arange(len(moves))
        own, opponent, recent, rating, program, square = moves[at]
        chances = boards.squares(boards.moves(own, opponent)).float()
        for which in range(8):
            turn = torch.full_like(own, which)
            result = people.turned(own, opponent, recent, square, chances, turn, to, back)
            legal = boards.squares(boards.moves(result[0], result[1])).float()
            self.assertTrue(torch.equal(legal, result[4]))
            self.assertTrue((legal.gather(1, result[3][:, None]) == 1).all())


class Network(unittest.TestCase):
    def setUp(self):
        self.moves = some_moves()
        self.batch = self.moves[torch.arange(0, len(self.moves), 10)]

    def test_whole_numbers_say_what_the_network_says(self):
        network = some_network()
        own, opponent, recent, rating, program, _ = self.batch
        whole = policy.Whole(copy.deepcopy(network))(own, opponent, recent, rating) / policy.STREAM
        with torch.no_grad():
            exact = network(own, opponent, recent, rating, program, whole=True)
        self.assertLess((whole - exact).abs().mean().item(), 0.2 * exact.std().item())

    def test_a_file_is_whole_and_has_every_weight(self):
        whole = policy.Whole(some_network())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "human.bin")
            size = whole.write(path)
            with open(path, "rb") as file:
                content = file.read()
        self.assertEqual(len(content), size)
        self.assertEqual(content[:12], b"EMILIA-H\x01\0\0\0")
        self.assertEqual(int.from_bytes(content[16:20], "little"), zlib.crc32(content[20:]))
        rows = 2 * 32 * (61 + policy.RATINGS + 1)
        layers = 32 * policy.PLANES * 9 + 4 * 32 * 32 * 9 + 2 * 32 * 32 + 32 * 9
        scales = 12 * 32 + 2 * (12 + 4 + 12) * 32 + 12
        self.assertEqual(size, 20 + 8 + rows + layers + scales)

    def test_moves_are_learnt_and_ratings_tell_players_apart(self):
        torch.manual_seed(2)
        network = policy.Policy(1, 32)
        own, opponent, recent, rating, program, square = self.moves[torch.arange(0, len(self.moves), 16)]
        # The strong play the first legal move, the weak the last.
        legal = boards.squares(boards.moves(own, opponent))
        strong = torch.arange(len(own)) % 2 == 0
        rating = torch.where(strong, 2300, 1300)
        order = torch.arange(64)
        first = torch.where(legal == 1, order, 99).argmin(dim=1)
        last = torch.where(legal == 1, order, -1).argmax(dim=1)
        square = torch.where(strong, first, last)
        optimiser = torch.optim.Adam(network.parameters(), 0.01)
        for _ in range(60):
            logits = policy.legal_only(network(own, opponent, recent, rating, program, whole=True), own, opponent)
            loss = torch.nn.functional.cross_entropy(logits, square)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        result = people.ask(network, (own, opponent, recent, rating, program), "cpu", True)
        self.assertGreater((result.argmax(dim=1) == square).float().mean().item(), 0.6)
        self.assertEqual(result[legal == 0].max().item(), 0)


if __name__ == "__main__":
    unittest.main()
