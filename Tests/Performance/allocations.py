"""allocations.py CLI: allocations per token after warm-up, for the fixed jobs of tokens.py.

Needs a C compiler. A long run less a short one, so that start-up does not count."""
import os
import re
import subprocess
import sys
import tempfile

import tokens

HERE = os.path.dirname(os.path.abspath(__file__))
FEW, MANY = 2000, 12000


def main():
    command = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "allocations.so")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library,
                        os.path.join(HERE, "allocations.c")], check=True)
        for name, token, arguments in tokens.jobs(command):
            counts = []
            for number in (FEW, MANY):
                ran = subprocess.run(
                    tokens.verify(command, arguments), input=(token + b"\n") * number,
                    capture_output=True, env=dict(os.environ, LD_PRELOAD=library))
                assert ran.returncode == 0, ran.stdout[:300]
                counts.append(int(re.search(rb"allocations (\d+)", ran.stderr).group(1)))
            print(f"{name:12} {(counts[1] - counts[0]) / (MANY - FEW):8.1f} allocations a token")


if __name__ == "__main__":
    main()
