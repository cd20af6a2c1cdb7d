#!/usr/bin/env python3
"""Ask Emilia about positions over JSON lines. Needs nothing but Python's standard library.

    python3 examples/jsonl_client.py f5d6c3d3c4 --level 12 --lines 3
    python3 examples/jsonl_client.py f5d6c3d3c4 --all-turns --emilia target/release/emilia
"""

import argparse
import json
import queue
import subprocess
import threading


class Emilia:
    """A running `emilia jsonl`. Questions may be asked from several threads."""

    def __init__(self, command=("emilia", "jsonl")):
        self.process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.asked = 0
        self.lock = threading.Lock()
        self.inboxes = {}
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            message = json.loads(line)
            inbox = self.inboxes.get(message["id"])
            if inbox:
                inbox.put(message)

    def ask(self, **question):
        """Yields every message that answers a question, up to the last final one."""
        turns = len(question.get("turns", [None]))
        with self.lock:
            self.asked += 1
            name = f"q{self.asked}"
            inbox = self.inboxes[name] = queue.Queue()
            self.process.stdin.write(json.dumps({"id": name, **question}) + "\n")
            self.process.stdin.flush()
        while turns:
            message = inbox.get()
            if message["type"] == "error" and "turn" not in message:
                raise ValueError(message["message"])
            turns -= message["type"] != "report"
            yield message
        del self.inboxes[name]

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def show(message):
    """One line for each move of a message."""
    if message["type"] == "error":
        print(f"turn {message['turn']}: {message['message']}")
        return
    if message["status"] == "over":
        print(f"turn {message['turn']}: over, {message['result']:+} for {message['side']}")
    for judged in message["moves"]:
        sure = judged["confidence"]
        sure = sure if sure == "exact" else f"{sure} %"
        value = "?" if judged["value"] is None else f"{judged['value']:+.2f}"
        print(f"turn {message['turn']}: {judged['move']:>4} {value:>7} for {message['side']}, "
              f"depth {judged['depth']} ({sure}): {' '.join(judged['line'])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("moves", nargs="?", default="", help="moves such as f5d6c3")
    parser.add_argument("--level", type=int, default=10, help="strength from 1 to 30")
    parser.add_argument("--lines", type=int, default=1, help="how many of the best moves")
    parser.add_argument("--size", type=int, default=8, help="side of the board")
    parser.add_argument("--all-turns", action="store_true", help="judge every position, not only the last")
    parser.add_argument("--emilia", default="emilia", help="the program to start")
    arguments = parser.parse_args()
    question = {"moves": arguments.moves, "level": arguments.level, "lines": arguments.lines, "size": arguments.size}
    with Emilia([arguments.emilia, "jsonl"]) as emilia:
        if arguments.all_turns:
            # Passes count as turns, so the number of positions is known only to the program: ask until it objects.
            turn = 0
            while True:
                try:
                    for message in emilia.ask(**question, turns=[turn]):
                        show(message)
                except ValueError:
                    break
                turn += 1
        else:
            for message in emilia.ask(**question):
                show(message)


if __name__ == "__main__":
    main()
