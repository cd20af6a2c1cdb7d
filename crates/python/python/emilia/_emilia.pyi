"""The native half of the package: everything here is public as ``emilia.…``."""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal, final

from emilia._types import MoveLike, Objective, SquareLike

__version__: str

class EngineError(RuntimeError):
    """A player cannot answer."""

class IllegalMoveError(ValueError):
    """A move that the rules forbid."""

class InvalidMoveError(ValueError):
    """A text that is no move."""

class RecordError(ValueError):
    """A game or position that cannot be read or written."""

@final
class Color:
    """A side: black moves first."""

    BLACK: ClassVar[Color]
    WHITE: ClassVar[Color]
    def __invert__(self) -> Color:
        """The other side."""

@final
class Square:
    """A square such as f5, on any board; squares are ordered row by row."""

    def __new__(cls, name: str) -> Square: ...
    @staticmethod
    def at(column: int, row: int) -> Square:
        """The square of this column and row, both counted from 0."""

    @staticmethod
    def from_index(index: int, size: int = 8) -> Square:
        """The square of this index, counted row by row from 0."""

    def index(self, size: int = 8) -> int:
        """Its index on a board of this size, counted row by row from 0."""

    @property
    def name(self) -> str:
        """A letter for the column and a number for the row."""

    @property
    def column(self) -> int:
        """The column, counted from 0 at the left."""

    @property
    def row(self) -> int:
        """The row, counted from 0 at the top."""

    def __lt__(self, value: Square, /) -> bool: ...
    def __le__(self, value: Square, /) -> bool: ...
    def __gt__(self, value: Square, /) -> bool: ...
    def __ge__(self, value: Square, /) -> bool: ...

@final
class Move:
    """A disc on a square, or a pass; a pass counts as false."""

    PASS: ClassVar[Move]
    def __new__(cls, name: str) -> Move: ...
    @property
    def square(self) -> Square | None:
        """Where the disc goes; nothing for a pass."""

    @property
    def is_pass(self) -> bool:
        """Whether it is a pass."""

    def __bool__(self) -> bool: ...
    def __lt__(self, value: Move, /) -> bool: ...
    def __le__(self, value: Move, /) -> bool: ...
    def __gt__(self, value: Move, /) -> bool: ...
    def __ge__(self, value: Move, /) -> bool: ...

@final
class LegalMoves:
    """The legal moves of a position, row by row; a forced pass is one, and when the game is over there is none."""

    def __len__(self) -> int: ...
    def __getitem__(self, key: int, /) -> Move: ...
    def __contains__(self, key: object, /) -> bool: ...
    def __iter__(self) -> Iterator[Move]: ...
    def count(self) -> int:
        """How many there are."""

@final
class Board:
    """A position and the moves that led to it, which can be taken back.

    ``size`` is an even number from 4 to 26. ``start`` is ``"standard"`` or ``"mirrored"``, the two ways to put the first
    four discs. ``objective`` is ``"most"`` or ``"fewest"``: which side wins.
    """

    def __new__(
        cls,
        size: int = 8,
        *,
        start: Literal["standard", "mirrored"] = "standard",
        objective: Objective = "most",
    ) -> Board: ...
    @staticmethod
    def from_text(text: str, *, objective: Objective | None = None) -> Board:
        """The position in a text: a board row by row, its short form, or the moves of a game."""

    @property
    def size(self) -> int:
        """Squares along a side."""

    @property
    def turn(self) -> Color:
        """The side to move."""

    @property
    def objective(self) -> Objective:
        """Whether the side with most or with fewest discs wins."""

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves, row by row."""

    def is_legal(self, mv: MoveLike) -> bool:
        """Whether a move is legal."""

    def push(self, mv: MoveLike) -> Move:
        """Plays a move and returns it. An illegal one raises ``IllegalMoveError`` and changes nothing."""

    def pop(self) -> Move:
        """Takes the last move back and returns it; ``IndexError`` if there is none."""

    def peek(self) -> Move:
        """The last move; ``IndexError`` if there is none."""

    @property
    def move_stack(self) -> list[Move]:
        """The moves played on this board, passes included."""

    def ply(self) -> int:
        """How many moves were played on this board, passes included."""

    def root(self) -> Board:
        """The position where this board began."""

    def flips(self, mv: MoveLike) -> list[Square]:
        """The discs that a move would flip."""

    def disc_at(self, square: SquareLike) -> Color | None:
        """The disc on a square."""

    def count(self, color: Color) -> int:
        """How many discs a side has."""

    @property
    def empties(self) -> int:
        """How many squares are empty."""

    def must_pass(self) -> bool:
        """Whether the side to move can only pass."""

    def is_game_over(self) -> bool:
        """Whether neither side can place a disc."""

    def result(self) -> Literal["1-0", "0-1", "1/2-1/2", "*"]:
        """``"1-0"`` if Black has won, ``"0-1"`` if White has, ``"1/2-1/2"`` for a draw, ``"*"`` while the game goes on."""

    @property
    def winner(self) -> Color | None:
        """Who has won; nobody while the game goes on, or after a draw."""

    def score(self) -> int:
        """Black's discs less White's; once the game is over, empty squares go to the side with more."""

    def transform(self, symmetry: int) -> Board:
        """The board turned or mirrored, without the moves that led there; 0 to 7, where 0 leaves it as it is."""

    def canonical(self) -> Board:
        """One of the eight boards that differ only by symmetry, always the same."""

    def copy(self, *, stack: bool = True) -> Board:
        """The same position, with the moves that led there unless ``stack`` is false."""

    def __copy__(self) -> Board: ...
    def __deepcopy__(self, memo: Any) -> Board: ...
    def to_text(self) -> str:
        """The squares row by row as X (black), O (white) and -, and the side to move."""

    def fen(self) -> str:
        """The short form of the board, as chess programs write theirs."""

    def transcript(self) -> str:
        """The moves in one word, such as f5d6c3."""

    def svg(self, *, cell: int = 40, legal: bool = False) -> str:
        """The board as an SVG picture, ``cell`` pixels a square; ``legal`` marks the legal moves."""

    __hash__: ClassVar[None]  # type: ignore[assignment]
