"""The native half of the package: everything here is public as ``emilia.…``."""

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Literal, final

import numpy as np
import numpy.typing as npt
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

    def words(self) -> tuple[int, int]:
        """Own discs and the opponent's as two words, for ``emilia.batch``; boards of at most 8×8 have them."""

    @staticmethod
    def from_words(
        own: int, opponent: int, *, turn: Color = ..., size: int = 8, objective: Objective = "most"
    ) -> Board:
        """The position of two words, as ``words`` gives them."""

    def fen(self) -> str:
        """The short form of the board, as chess programs write theirs."""

    def transcript(self) -> str:
        """The moves in one word, such as f5d6c3."""

    def svg(self, *, cell: int = 40, legal: bool = False) -> str:
        """The board as an SVG picture, ``cell`` pixels a square; ``legal`` marks the legal moves."""

    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Report:
    """What a player has found, while it thinks or at the end."""

    @property
    def moves(self) -> list[MoveReport]:
        """The moves it has an opinion on, best first; none if the game is over."""

    @property
    def best(self) -> Move | None:
        """The best move."""

    @property
    def value(self) -> float | None:
        """What the best move is worth to the side to move: discs, unless the player counts otherwise."""

    @property
    def line(self) -> list[Move]:
        """What is expected to be played, the best move first."""

    @property
    def exact(self) -> bool:
        """Whether the value is proven to the end of the game."""

    @property
    def depth(self) -> int:
        """Plies looked ahead completely."""

    @property
    def greatest_depth(self) -> int:
        """Plies to the farthest position looked at."""

    @property
    def nodes(self) -> int:
        """Positions looked at."""

    @property
    def time(self) -> float:
        """Seconds since it began."""

    @property
    def source(self) -> Literal["search", "book", "textbook", "program"]:
        """Who found it."""

    @property
    def stopped(self) -> bool:
        """Whether it ended before it was done: a limit was reached, or somebody said stop."""

@final
class MoveReport:
    """A move and what is thought of it."""

    @property
    def move(self) -> Move:
        """The move."""

    @property
    def value(self) -> float | None:
        """What it is worth to the side that makes it; players that do not judge say nothing."""

    @property
    def unit(self) -> Literal["discs", "points", "games"] | None:
        """What the value counts: discs at the end, points of a textbook evaluator, or the mean result of random games."""

    @property
    def bound(self) -> Literal["exact", "lower", "upper"]:
        """Whether the value is the truth at its depth, or at least or at most that."""

    @property
    def depth(self) -> int:
        """Plies looked ahead."""

    @property
    def selectivity(self) -> int | None:
        """How sure the search is of what it left out, in percent."""

    @property
    def exact(self) -> bool:
        """Whether the value is proven to the end of the game."""

    @property
    def line(self) -> list[Move]:
        """What is expected to be played, this move first."""

@final
class Analysis:
    """An analysis that goes on while its reports are read one by one; the last report is the answer.

    It ends when it is stopped, when a ``with`` block is left, or when nothing refers to it any more.
    """

    def __iter__(self) -> Analysis: ...
    def __next__(self) -> Report: ...
    def stop(self) -> None:
        """Ends the analysis; what it has found can still be read."""

    def result(self) -> Report:
        """Waits for the answer."""

    def __enter__(self) -> Analysis: ...
    def __exit__(self, *_exception: object) -> None: ...

@final
class Engine:
    """Someone who chooses moves and judges positions.

    ``name`` is a player as everywhere in Emilia, such as ``"alphabeta:depth=6"`` (``players()`` lists them); the other
    arguments are settings of it. For ``"emilia"`` say one of ``level`` (1 to 30) or limits for a move: ``time`` in seconds,
    ``depth`` in plies, ``nodes`` in positions. ``hash`` is in megabytes, ``weights`` a file.

    While it thinks other threads of Python run, and Ctrl-C ends it. One question at a time is put to an engine.
    """

    def __new__(
        cls,
        name: str = "emilia",
        *,
        level: int | None = None,
        time: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        threads: int | None = None,
        hash: int | None = None,
        weights: str | PathLike[str] | None = None,
    ) -> Engine: ...
    @property
    def name(self) -> str:
        """Who it is."""

    def play(
        self,
        board: Board,
        *,
        level: int | None = None,
        time: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
    ) -> Move:
        """The move it chooses. It is not played yet: ``board.push(engine.play(board))``."""

    def analyse(
        self,
        board: Board,
        multipv: int = 1,
        *,
        level: int | None = None,
        time: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
    ) -> Analysis:
        """What it thinks of the best moves, step by step.

        Without any limit, here or of the engine, it goes on until the position is solved or the analysis is stopped.
        """

    def forget(self) -> None:
        """Forgets what it remembers of earlier games."""

def solve(
    board: Board,
    *,
    threads: int = 1,
    hash: int = 64,
    aim: Literal["score", "outcome"] = "score",
    multipv: int = 1,
) -> Report:
    """Solves a position to the end of the game: by how many discs it is won, or only who wins."""

def players() -> list[tuple[str, str]]:
    """The names of players, and what they are, in a line each."""

@final
class Weights:
    """The weights of a file, by which 8×8 boards are judged instead of those that come with the package."""

    def __new__(cls, path: str | PathLike[str]) -> Weights: ...

def evaluate(board: Board, evaluator: str = "network", *, weights: Weights | None = None) -> float:
    """What a position is worth to the side to move, without looking ahead.

    ``"network"`` judges 8×8 boards and counts discs; the textbook evaluators (``"disc"``, ``"paper"``, ``"kukreja"`` and
    so on) judge every board in points of their own.
    """

@final
class Game:
    """A game as people keep it: where it began, its moves, its tags. In a notebook it is shown with a slider."""

    def __new__(cls, board: Board, tags: dict[str, str] | None = None) -> Game: ...
    @property
    def tags(self) -> dict[str, str]:
        """What is known about it: ``"Black"``, ``"White"``, ``"Event"``, ``"Date"`` and so on."""

    @property
    def size(self) -> int:
        """Squares along a side of the board."""

    @property
    def objective(self) -> Objective:
        """Whether the side with most or with fewest discs wins."""

    @property
    def moves(self) -> list[Move]:
        """The moves of the main line, passes included."""

    @property
    def comments(self) -> list[str]:
        """What was written about each move."""

    @property
    def evaluations(self) -> list[float | None]:
        """What each move was judged to be worth, in discs for the side that made it."""

    def start(self) -> Board:
        """The position where the game began."""

    def end(self) -> Board:
        """The position after the last move, from where the moves can be taken back."""

    def boards(self) -> list[Board]:
        """The position after each move; the first is the one before any."""

    @property
    def winner(self) -> Color | None:
        """Who has won, as far as the game says."""

    @property
    def margin(self) -> float | None:
        """Black's margin in discs, if the game says."""

    def to_text(self, format: str = "pgn") -> str:
        """The game as a file of this format would hold it."""

    def __len__(self) -> int: ...

@final
class Games:
    """The games of a file, one by one."""

    @property
    def format(self) -> str:
        """The format that was recognised."""

    @property
    def problems(self) -> list[str]:
        """What could not be read, if that was allowed."""

    def __iter__(self) -> Games: ...
    def __next__(self) -> Game: ...

def read_games(path: str | PathLike[str], *, strict: bool = True) -> Games:
    """The games of a file in any format that Emilia knows; positions are games without moves.

    A game that cannot be read raises ``RecordError``, or with ``strict=False`` is left out and named in ``problems``.
    Names of players and tournaments are taken from the files that lie beside one of the WTHOR database.
    """

def parse_games(text: str, *, strict: bool = True) -> Games:
    """The games in a text of any format."""

def write_games(path: str | PathLike[str], games: Iterable[Game], format: str | None = None) -> None:
    """Writes games into a file, in the format that its name ends in unless another is said."""

def words_moves(boards: npt.NDArray[Any], size: int = 8, out: npt.NDArray[Any] | None = None) -> npt.NDArray[np.uint64]: ...
def words_flips(boards: npt.NDArray[Any], squares: npt.NDArray[Any], size: int = 8) -> npt.NDArray[np.uint64]: ...
def words_play(
    boards: npt.NDArray[Any], squares: npt.NDArray[Any], size: int = 8, out: npt.NDArray[Any] | None = None
) -> npt.NDArray[np.uint64]: ...
def words_over(boards: npt.NDArray[Any], size: int = 8) -> npt.NDArray[np.bool_]: ...
def words_scores(boards: npt.NDArray[Any], size: int = 8) -> npt.NDArray[np.int8]: ...
def words_transform(boards: npt.NDArray[Any], symmetry: int, size: int = 8) -> npt.NDArray[np.uint64]: ...
def words_canonical(boards: npt.NDArray[Any], size: int = 8) -> npt.NDArray[np.uint64]: ...
def words_evaluate(boards: npt.NDArray[Any], weights: Weights | None = None) -> npt.NDArray[np.float32]: ...
def words_features(boards: npt.NDArray[Any]) -> npt.NDArray[np.uint16]: ...
def words_solve(
    boards: npt.NDArray[Any], size: int = 8, threads: int = 1, outcome: bool = False
) -> npt.NDArray[np.int8]: ...
def words_random_games(
    count: int, seed: int = 0, size: int = 8
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int8]]: ...
def words_of_planes(boards: npt.NDArray[Any]) -> npt.NDArray[np.uint64]: ...
def planes_of_words(boards: npt.NDArray[Any], size: int = 8) -> npt.NDArray[np.int8]: ...
def masks_of_words(sets: npt.NDArray[np.uint64], size: int = 8) -> npt.NDArray[np.int8]: ...
def planes_moves(boards: npt.NDArray[Any]) -> npt.NDArray[np.uint8]: ...
def planes_flips(boards: npt.NDArray[Any], squares: npt.NDArray[Any]) -> npt.NDArray[np.uint8]: ...
def planes_play(boards: npt.NDArray[Any], squares: npt.NDArray[Any]) -> npt.NDArray[np.uint8]: ...
def planes_over(boards: npt.NDArray[Any]) -> npt.NDArray[np.bool_]: ...
def planes_scores(boards: npt.NDArray[Any]) -> npt.NDArray[np.int16]: ...
def planes_transform(boards: npt.NDArray[Any], symmetry: int) -> npt.NDArray[np.uint8]: ...
def planes_canonical(boards: npt.NDArray[Any]) -> npt.NDArray[np.uint8]: ...

@final
class VectorGames:
    """Games against random opponents, many in step: what ``emilia.envs`` makes an environment of."""

    def __new__(
        cls,
        count: int,
        size: int = 8,
        start: str = "standard",
        objective: str = "most",
        reward: str = "wdl",
        side: str = "black",
    ) -> VectorGames: ...
    def reset(self, seed: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        """Begins all games anew: the boards as planes, and the legal moves."""

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8], npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """Plays a move in every game and lets the opponents answer: planes, legal moves, rewards, and which are over."""

    def words(self) -> npt.NDArray[np.uint64]:
        """The boards in words, as the learner sees them."""

class WorkFailedError(RuntimeError):
    """Shared work that cannot go on as it is."""

@final
class WorkFolder:
    """A folder with work that was planned, cut into units that any number of machines may do."""

    def __new__(cls, path: str | PathLike[str]) -> WorkFolder: ...
    @staticmethod
    def plan(path: str | PathLike[str], task: str) -> WorkFolder:
        """Plans a task, which is given in JSON, in a folder; if the same is planned there already, it goes on."""

    @property
    def path(self) -> Path:
        """Where it is."""

    def __len__(self) -> int:
        """How many units there are."""

    def title(self, unit: int) -> str:
        """What a unit is about."""

    def states(self) -> list[Literal["done", "open", "not needed"]]:
        """How every unit stands."""

    def open_units(self) -> list[int]:
        """The units that are to be done."""

    def run(self, unit: int) -> Literal["done", "done before", "not needed", "stopped"]:
        """Does a unit, unless it is done or not needed."""

    def package(self) -> tuple[str, dict[str, bytes]]:
        """The plan and the files it needs: what `WorkUnits` takes on another machine."""

    def keep(self, unit: int, files: list[tuple[str, bytes]], note: str) -> None:
        """Keeps what a unit has given on another machine."""

    def merge(self) -> str:
        """Makes the result of what the units have given, and says in JSON what it is."""

@final
class WorkUnits:
    """Planned work apart from its folder, as it is done on other machines."""

    def __new__(cls, plan: str, inputs: dict[str, bytes]) -> WorkUnits: ...
    def __len__(self) -> int:
        """How many units there are."""

    def run(self, unit: int) -> tuple[list[tuple[str, bytes]], str]:
        """Does a unit: its files, by their names in the folder, and a note for its receipt."""
