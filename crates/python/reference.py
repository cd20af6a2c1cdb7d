"""Writes docs/python-api.md from the stubs and the sources of the package: ``python crates/python/reference.py``."""

from __future__ import annotations

import ast
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = HERE / "python" / "emilia"
PAGE = HERE.parent.parent / "docs" / "python-api.md"

MODULES = {
    "emilia": "_emilia.pyi",
    "emilia.batch": "batch.py",
    "emilia.envs": "envs/__init__.py",
    "emilia.envs.rewards": "envs/rewards.py",
    "emilia.envs.single": "envs/single.py",
    "emilia.envs.two": "envs/two.py",
    "emilia.envs.vector": "envs/vector.py",
    "emilia.datasets": "datasets.py",
    "emilia.cluster": "cluster.py",
    "emilia.bench": "bench.py",
}
# Halves of functions that ``emilia.batch`` calls, and what environments are made of.
INNER = ("words_", "planes_", "masks_", "VectorGames")


def signature(function: ast.FunctionDef) -> str:
    """The arguments and the result, as they are written."""
    arguments = ast.unparse(function.args)
    for receiver in ("self, ", "cls, ", "self", "cls"):
        if arguments.startswith(receiver):
            arguments = arguments[len(receiver) :]
            break
    arguments = arguments.removeprefix("/, ")
    result = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"({arguments}){result}"


def is_property(function: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "property" for mark in function.decorator_list)


def paragraph(node: ast.AST) -> str:
    """What is said about it, in one paragraph, as Markdown has it."""
    text = ast.get_docstring(node) if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) else None
    return (text or "").replace("``", "`")


def described(function: ast.FunctionDef, owner: str) -> list[str]:
    said = " ".join(paragraph(function).split())
    name = f"{owner}{function.name}"
    shown = f"{name}: {ast.unparse(function.returns)}" if is_property(function) and function.returns else name + signature(function)
    return [f"- `{' '.join(shown.split())}`" + (f"  \n  {said}" if said else "")]


def page() -> str:
    """The whole reference."""
    lines = ["# The Python package, name by name", "", "Made by `python crates/python/reference.py` from the stubs; a test keeps it so.", ""]
    for module, file in MODULES.items():
        tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
        lines += [f"## {module}", ""]
        if module != "emilia":
            lines += [paragraph(tree), ""]
        functions = []
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith(("_", *INNER)):
                lines += class_lines(node)
            elif isinstance(node, ast.FunctionDef) and not node.name.startswith(("_", *INNER)):
                functions += described(node, "")
        lines += [*functions, ""] if functions else []
    return "\n".join(lines).rstrip() + "\n"


def class_lines(node: ast.ClassDef) -> list[str]:
    """A class: what it is, how it is made, what it has."""
    lines = [f"### {node.name}", "", paragraph(node), ""]
    members = []
    for member in node.body:
        if isinstance(member, ast.FunctionDef):
            if member.name in ("__new__", "__init__"):
                made = signature(member).split(" -> ")[0]
                lines += [f"`{' '.join((node.name + made).split())}`", ""]
            elif not member.name.startswith("_"):
                members += described(member, f"{node.name}.")
        elif isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name) and member.target.id.isupper():
            members.append(f"- `{node.name}.{member.target.id}`")
    return [*lines, *members, ""] if members else lines


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
