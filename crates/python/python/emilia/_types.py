"""Names for what the functions of the package take."""

from typing import Literal, TypeAlias

from emilia._emilia import Move, Square

MoveLike: TypeAlias = Move | Square | str
"""What can be given for a move: a move, a square, or a text such as ``"f5"`` or ``"pass"``."""

SquareLike: TypeAlias = Square | str
"""What can be given for a square."""

Objective: TypeAlias = Literal["most", "fewest"]
"""Whether the side with most or with fewest discs wins."""
