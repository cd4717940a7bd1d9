"""What commands.py and issuers.py have in common."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Claims:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def write(self, name, *words):
        done = subprocess.run([self.path, *words], cwd=self.folder, capture_output=True, check=False)
        if done.returncode:
            raise SystemExit(f"cannot make {name}: {done.stderr.decode()}")
        (self.folder / name).write_bytes(done.stdout)
        return done.stdout


def fenced(path, languages):
    """The text of the fenced blocks of these languages."""
    block, language = [], None
    for line in path.read_text().splitlines():
        if not line.startswith("```"):
            block.append(line)
        elif language is None:
            block, language = [], line[3:]
        else:
            if language in languages:
                yield "\n".join(block)
            language = None
