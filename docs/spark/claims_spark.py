"""Verdicts on a column of tokens in Apache Spark, by `claims verify --lines` in each task.

    from claims_spark import verdicts
    judged = verdicts(tokens, ["--trust", "/etc/claims/trust.json", "--at", "2026-11-24T00:00:00Z"])

`tokens` has a column `token` (string or binary) and any others, which come back beside `valid`, `code`, `issuer`, `subject`
and `record`, the whole line of JSON. Where the frame has such a column already, as one that was judged before has, `prefix`
names the new ones: prefix="second_" gives `second_valid` and so on. A task fails, and Spark repeats it, when the verifier ends
early or a row has no verdict: no row is lost in silence, and the exception has the verifier's own words. Give every task the
same --at, or repetitions may disagree. A row without a token (NULL) has no verdict either: its new columns are NULL. An empty
token is one that is refused.

    from claims_spark import typed
    typed(judged).select("subject", "claims.role", "expires", "audiences")

adds what the record holds with types: `audiences array<string>`, `notBefore timestamp`, `expires timestamp`, `tokenID string`,
`claims map<string,array<string>>` and `error struct<...>`.

Executors import this file: spark-submit --py-files claims_spark.py, or sparkContext.addPyFile, or, with Spark Connect,
spark.addArtifact("claims_spark.py", pyfile=True). Drivers and executors need one Python: PYSPARK_PYTHON names it.
"""
import binascii
import fcntl
import io
import os
import subprocess
import threading


_COLUMNS = ("valid", "code", "issuer", "subject", "record")


def verdicts(frame, arguments, command="claims", column="token", prefix=""):
    """The frame with the verdict on each of its tokens.

    arguments: of `claims verify`, such as --trust; command: the program, at the same path on every executor; column: of the
    tokens; prefix: before the names of the columns that come. ValueError, here and not in the executors, for a column that is
    not there or of another type, and for names that the frame has already.
    """
    from pyspark.sql.types import BinaryType, BooleanType, StringType, StructField, StructType

    if isinstance(arguments, (str, bytes)):
        raise ValueError("arguments is a list of words, such as ['--trust', 'trust.json']")
    fields = [field for field in frame.schema.fields if field.name == column]
    if len(fields) != 1:
        raise ValueError("the frame has %s column %r; it has %s" % (
            "more than one" if fields else "no", column, ", ".join(map(repr, frame.columns))))
    if not isinstance(fields[0].dataType, (StringType, BinaryType)):
        raise ValueError("column %r is a %s; tokens are string or binary" % (column, fields[0].dataType.simpleString()))
    # Spark takes names that differ in case for one.
    known = {name.lower() for name in frame.columns}
    names = [prefix + name for name in _COLUMNS]
    taken = [name for name in names if name.lower() in known]
    if taken:
        raise ValueError("the frame has %s already; name the new columns otherwise, such as by prefix=\"second_\"" % ", ".join(map(repr, taken)))
    kinds = [BooleanType()] + [StringType()] * 4
    schema = StructType(frame.schema.fields + [StructField(name, kind) for name, kind in zip(names, kinds)])
    return frame.mapInArrow(
        _Judge([command, "verify", "--lines", "--jobs", "1", "--exit-on-reject", "never", "--line-numbers", *arguments], column, names), schema)


_TYPES = {
    "audiences": "array<string>", "notBefore": "timestamp", "expires": "timestamp", "tokenID": "string",
    "claims": "map<string,array<string>>",
    "error": "struct<code:string,message:string,node:string,expected:string,found:string,hint:string,unverified:boolean>",
}


def typed(judged, prefix="", record="record"):
    """The frame of `verdicts` with what its records hold as columns with types. A rejected token has an `error` alone.

    prefix: before the names of the columns that come; record: the column of the records. ValueError for names that the frame has
    already.
    """
    from pyspark.sql import functions

    known = {name.lower() for name in judged.columns}
    taken = [prefix + name for name in _TYPES if (prefix + name).lower() in known]
    if taken:
        raise ValueError("the frame has %s already; name the new columns otherwise, such as by prefix=\"token_\"" % ", ".join(map(repr, taken)))
    parsed = functions.from_json(functions.col(record), ", ".join("%s %s" % one for one in _TYPES.items()))
    return judged.select("*", *(parsed.getField(name).alias(prefix + name) for name in _TYPES))


class _Judge:
    """Runs one verifier a partition. It writes and reads at once: a pipe that the task does not read would stop both."""

    def __init__(self, command, column, names):
        self.command, self.column, self.names = command, column, names

    def __call__(self, batches):
        process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        words = _Words(process.stderr)
        try:
            yield from self.judged(process, batches)
        except (RuntimeError, OSError) as error:
            process.kill()
            said = words.last()
            raise RuntimeError("%s%s" % (error, "; it said: " + said if said else "")) from error
        finally:
            process.kill()
            process.wait()

    def judged(self, process, batches):
        for pipe in (process.stdin, process.stdout):
            _widen(pipe)
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
            yield _judged(batch, records, before, self.names, self.column)
            before += count
        process.stdin.close()
        if process.stdout.read() or process.wait() != 0:
            raise RuntimeError("the verifier ended with %d" % process.wait())


class _Words:
    """What the verifier says on standard error: passed on to the executor's, and the end of it kept for an exception."""

    def __init__(self, pipe):
        self.kept = b""
        self.reader = threading.Thread(target=self.read, args=(pipe,), daemon=True)
        self.reader.start()

    def read(self, pipe):
        while True:
            piece = os.read(pipe.fileno(), 65_536)
            if not piece:
                return
            self.kept = (self.kept + piece)[-2_000:]
            try:
                os.write(2, piece)
            except OSError:
                pass

    def last(self):
        self.reader.join(5)
        return " ".join(self.kept.decode("utf-8", "replace").split())


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


def _judged(batch, octets, before, added, column):
    """The batch with the columns of the verdicts; its first row is the verifier's line `before` + 1. A row without a token has
    a line as every other, which says nothing about it."""
    import pyarrow
    from pyarrow import compute, json as arrow_json

    names = batch.schema.names + added
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
    verdicts = [
        columns["valid"], columns["error"].field("code"), columns["issuer"], columns["subject"],
        records.slice(0, batch.num_rows).cast(pyarrow.binary()).cast(text)]
    absent = batch.column(column).is_null()
    if batch.column(column).null_count:
        verdicts = [compute.if_else(absent, pyarrow.scalar(None, one.type), one) for one in verdicts]
    return pyarrow.RecordBatch.from_arrays(batch.columns + verdicts, names)


def _line(token):
    """A token as it is, where it is one line that stands for itself; any other octets in base64."""
    octets = token.encode() if isinstance(token, str) else token or b""
    if octets[:1].isalnum() or octets[:1] in (b"<", b"%"):
        if b"\n" not in octets and b"\r" not in octets:
            return octets + b"\n"
    return b'{"token64":"%s"}\n' % binascii.b2a_base64(octets, newline=False)
