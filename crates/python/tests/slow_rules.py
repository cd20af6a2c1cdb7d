"""Othello in the slowest and plainest way: what the package is compared with."""

from __future__ import annotations

from dataclasses import dataclass

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


@dataclass(frozen=True)
class SlowBoard:
    """Rows of ``"X"``, ``"O"`` and ``"-"``, and the disc of the side to move."""

    rows: tuple[str, ...]
    turn: str = "X"

    @staticmethod
    def start(size: int) -> SlowBoard:
        rows = [["-"] * size for _ in range(size)]
        high, low = size // 2, size // 2 - 1
        rows[low][low] = rows[high][high] = "O"
        rows[low][high] = rows[high][low] = "X"
        return SlowBoard(tuple(map("".join, rows)))

    @property
    def size(self) -> int:
        return len(self.rows)

    @property
    def other(self) -> str:
        return "O" if self.turn == "X" else "X"

    def text(self) -> str:
        return "".join(self.rows) + " " + self.turn

    def at(self, row: int, column: int) -> str | None:
        inside = 0 <= row < self.size and 0 <= column < self.size
        return self.rows[row][column] if inside else None

    def flips(self, row: int, column: int) -> set[tuple[int, int]]:
        if self.at(row, column) != "-":
            return set()
        flipped: set[tuple[int, int]] = set()
        for down, right in DIRECTIONS:
            line = []
            place = (row + down, column + right)
            while self.at(*place) == self.other:
                line.append(place)
                place = (place[0] + down, place[1] + right)
            if self.at(*place) == self.turn:
                flipped.update(line)
        return flipped

    def placements(self) -> list[tuple[int, int]]:
        squares = [(row, column) for row in range(self.size) for column in range(self.size)]
        return [square for square in squares if self.flips(*square)]

    def passed(self) -> SlowBoard:
        return SlowBoard(self.rows, self.other)

    def placed(self, row: int, column: int) -> SlowBoard:
        rows = [list(line) for line in self.rows]
        for r, c in self.flips(row, column) | {(row, column)}:
            rows[r][c] = self.turn
        return SlowBoard(tuple(map("".join, rows)), self.other)

    def is_over(self) -> bool:
        return not self.placements() and not self.passed().placements()

    def names(self) -> list[str]:
        """The legal moves by name."""
        squares = [f"{chr(97 + column)}{row + 1}" for row, column in self.placements()]
        return squares if squares or self.is_over() else ["pass"]

    def played(self, name: str) -> SlowBoard:
        if name == "pass":
            return self.passed()
        return self.placed(int(name[1:]) - 1, ord(name[0]) - 97)

    def count(self, disc: str) -> int:
        return sum(line.count(disc) for line in self.rows)
