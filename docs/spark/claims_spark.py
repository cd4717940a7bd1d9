"""Verdicts on a column of tokens in Apache Spark, by `claims verify --lines` in each task.

    from claims_spark import verdicts
    judged = verdicts(tokens, ["--trust", "/etc/claims/trust.json", "--at", "2026-11-24T00:00:00Z"])

`tokens` has a column `token` (string or binary) and any others, which come back beside `valid`, `code`, `issuer`, `subject`
and `record`, the whole line of JSON. A task fails, and Spark repeats it, when the verifier ends early or a row has no verdict:
no row is lost in silence. Give every task the same --at, or repetitions may disagree.
"""
import binascii
import io
import itertools
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
    return frame.mapInArrow(_Judge([command, "verify", "--lines", "--jobs", "1", "--exit-on-reject", "never", *arguments], column), schema)


class _Judge:
    """Runs one verifier a partition. It writes and reads at once: a pipe that the task does not read would stop both."""

    def __init__(self, command, column):
        self.command, self.column = command, column

    def __call__(self, batches):
        process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            for batch in batches:
                tokens = batch.column(self.column).to_pylist()
                failure = []

                def write():
                    try:
                        process.stdin.write(b"".join(map(_line, range(len(tokens)), tokens)))
                        process.stdin.flush()
                    except Exception as error:
                        failure.append(error)

                writer = threading.Thread(target=write)
                writer.start()
                lines = list(itertools.islice(process.stdout, len(tokens)))
                writer.join()
                if failure:
                    raise failure[0]
                if len(lines) < len(tokens) or lines and not lines[-1].endswith(b"\n"):
                    raise RuntimeError("the verifier ended after %d of %d rows" % (len(lines), len(tokens)))
                yield _judged(batch, lines)
            process.stdin.close()
            if process.stdout.read() or process.wait() != 0:
                raise RuntimeError("the verifier ended with %d" % process.wait())
        finally:
            process.kill()
            process.wait()


def _judged(batch, lines):
    """The batch with the columns of the verdicts."""
    import pyarrow
    from pyarrow import json as arrow_json

    names = batch.schema.names + ["valid", "code", "issuer", "subject", "record"]
    if not lines:
        empty = [pyarrow.array([], kind) for kind in [pyarrow.bool_()] + [pyarrow.string()] * 4]
        return pyarrow.RecordBatch.from_arrays(batch.columns + empty, names)
    octets = b"".join(lines)
    text = pyarrow.string()
    schema = pyarrow.schema([
        ("id", pyarrow.int64()), ("valid", pyarrow.bool_()), ("error", pyarrow.struct([("code", text)])),
        ("issuer", text), ("subject", text)])
    # No reader of Arrow takes a record that is longer than a block.
    table = arrow_json.read_json(
        io.BytesIO(octets), arrow_json.ReadOptions(use_threads=False, block_size=len(octets) + 1),
        arrow_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")).combine_chunks()
    columns = {name: table.column(name).chunk(0) for name in schema.names}
    if columns["id"].to_pylist() != list(range(len(lines))) or columns["valid"].null_count:
        raise RuntimeError("the verdicts are of other rows")
    return pyarrow.RecordBatch.from_arrays(
        batch.columns + [
            columns["valid"], columns["error"].field("code"), columns["issuer"], columns["subject"],
            pyarrow.array([line[:-1] for line in lines], pyarrow.binary()).cast(text)],
        names)


def _line(number, token):
    """Any octets pass in base64, which is also written faster than text is escaped."""
    octets = token.encode() if isinstance(token, str) else token or b""
    return b'{"id":%d,"token64":"%s"}\n' % (number, binascii.b2a_base64(octets, newline=False))
