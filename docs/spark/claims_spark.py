"""Verdicts on a column of tokens in Apache Spark, by `claims verify --lines` in each task.

    from claims_spark import verdicts
    judged = verdicts(tokens, ["--trust", "/etc/claims/trust.json", "--at", "2026-11-24T00:00:00Z"])

`tokens` has a column `token` (string or binary) and any others, which come back beside `valid`, `code`, `issuer`, `subject`
and `record`, the whole line of JSON. A task fails, and Spark repeats it, when the verifier ends early or a row has no verdict:
no row is lost in silence. Give every task the same --at, or repetitions may disagree.
"""
import binascii
import fcntl
import io
import os
import subprocess
import threading


def verdicts(frame, arguments, command="claims", column="token"):
    """The frame with the verdict on each of its tokens.

    arguments: of `claims verify`, such as --trust; command: the program, at the same path on every executor.
    """
    from pyspark.sql.types import BooleanType, StringType, StructField, StructType

    schema = StructType(
        frame.schema.fields
        + [StructField("valid", BooleanType(), False)]
        + [StructField(name, StringType()) for name in ("code", "issuer", "subject")]
        + [StructField("record", StringType(), False)])
    return frame.mapInArrow(_Judge([command, "verify", "--lines", "--jobs", "1", "--exit-on-reject", "never", "--line-numbers", *arguments], column), schema)


class _Judge:
    """Runs one verifier a partition. It writes and reads at once: a pipe that the task does not read would stop both."""

    def __init__(self, command, column):
        self.command, self.column = command, column

    def __call__(self, batches):
        process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        for pipe in (process.stdin, process.stdout):
            _widen(pipe)
        try:
            before = 0
            for batch in batches:
                count = batch.num_rows
                lines = b"".join(map(_line, batch.column(self.column).to_pylist()))
                failure = []

                def write():
                    try:
                        _write(process.stdin.fileno(), lines)
                    except Exception as error:
                        failure.append(error)

                writer = threading.Thread(target=write)
                writer.start()
                records = _read(process.stdout.fileno(), count)
                writer.join()
                if failure:
                    raise failure[0]
                yield _judged(batch, records, before)
                before += count
            process.stdin.close()
            if process.stdout.read() or process.wait() != 0:
                raise RuntimeError("the verifier ended with %d" % process.wait())
        finally:
            process.kill()
            process.wait()


_PIPE = 1 << 20


def _widen(pipe):
    """Fewer changes between the processes; where the system allows no more, 64 KiB do."""
    try:
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)
    except (AttributeError, OSError):
        pass


def _write(descriptor, octets):
    rest = memoryview(octets)
    while rest:
        rest = rest[os.write(descriptor, rest[:_PIPE]):]


def _read(descriptor, count):
    """The records of so many rows."""
    pieces, seen = [], 0
    while seen < count:
        piece = os.read(descriptor, _PIPE)
        if not piece:
            raise RuntimeError("the verifier ended after %d of %d rows" % (seen, count))
        pieces.append(piece)
        seen += piece.count(b"\n")
    octets = b"".join(pieces)
    if seen > count or count and not octets.endswith(b"\n"):
        raise RuntimeError("the verifier wrote more than the records of %d rows" % count)
    return octets


def _judged(batch, octets, before):
    """The batch with the columns of the verdicts; its first row is the verifier's line `before` + 1."""
    import pyarrow
    from pyarrow import compute, json as arrow_json

    names = batch.schema.names + ["valid", "code", "issuer", "subject", "record"]
    if not octets:
        empty = [pyarrow.array([], kind) for kind in [pyarrow.bool_()] + [pyarrow.string()] * 4]
        return pyarrow.RecordBatch.from_arrays(batch.columns + empty, names)
    text = pyarrow.string()
    schema = pyarrow.schema([
        ("line", pyarrow.int64()), ("valid", pyarrow.bool_()), ("error", pyarrow.struct([("code", text)])),
        ("issuer", text), ("subject", text)])
    # No reader of Arrow takes a record that is longer than a block.
    table = arrow_json.read_json(
        io.BytesIO(octets), arrow_json.ReadOptions(use_threads=False, block_size=len(octets) + 1),
        arrow_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")).combine_chunks()
    columns = {name: table.column(name).chunk(0) for name in schema.names}
    lines = pyarrow.array(range(before + 1, before + 1 + batch.num_rows), pyarrow.int64())
    if not columns["line"].equals(lines) or columns["valid"].null_count:
        raise RuntimeError("the verdicts are of other rows")
    records = compute.split_pattern(pyarrow.array([octets], pyarrow.large_binary()), b"\n").flatten()
    return pyarrow.RecordBatch.from_arrays(
        batch.columns + [
            columns["valid"], columns["error"].field("code"), columns["issuer"], columns["subject"],
            records.slice(0, batch.num_rows).cast(pyarrow.binary()).cast(text)],
        names)


def _line(token):
    """A token as it is, where it is one line that stands for itself; any other octets in base64."""
    octets = token.encode() if isinstance(token, str) else token or b""
    if octets[:1].isalnum() or octets[:1] in (b"<", b"%"):
        if b"\n" not in octets and b"\r" not in octets:
            return octets + b"\n"
    return b'{"token64":"%s"}\n' % binascii.b2a_base64(octets, newline=False)
