"""Verdicts on a column of tokens in Apache Spark, by `claims verify --lines` in each task.

    from claims_spark import verdicts
    judged = verdicts(tokens, ["--trust", "/etc/claims/trust.json", "--at", "2026-11-24T00:00:00Z"])

`tokens` has a column `token` (string or binary) and any others, which come back beside `valid`, `code`, `issuer`, `subject`
and `record`, the whole line of JSON. A task fails, and Spark repeats it, when the verifier ends early or a row has no verdict:
no row is lost in silence. Give every task the same --at, or repetitions may disagree.
"""
import base64
import json
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
        import pyarrow

        process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            for batch in batches:
                tokens = batch.column(self.column).to_pylist()
                failure = []

                def write():
                    try:
                        process.stdin.write(b"".join(_line(number, token) for number, token in enumerate(tokens)))
                        process.stdin.flush()
                    except Exception as error:
                        failure.append(error)

                writer = threading.Thread(target=write)
                writer.start()
                records = []
                for number in range(len(tokens)):
                    line = process.stdout.readline()
                    if not line.endswith(b"\n"):
                        raise RuntimeError("the verifier ended after %d of %d rows" % (number, len(tokens)))
                    record = json.loads(line)
                    if record.get("id") != number:
                        raise RuntimeError("row %d has the verdict of %r" % (number, record.get("id")))
                    records.append((record, line))
                writer.join()
                if failure:
                    raise failure[0]
                columns = [
                    pyarrow.array([record["valid"] for record, _ in records], pyarrow.bool_()),
                    *(pyarrow.array([get(record) for record, _ in records], pyarrow.string()) for get in (
                        lambda record: (record.get("error") or {}).get("code"), lambda record: record.get("issuer"),
                        lambda record: record.get("subject"))),
                    pyarrow.array([line[:-1].decode() for _, line in records], pyarrow.string()),
                ]
                names = ["valid", "code", "issuer", "subject", "record"]
                yield pyarrow.RecordBatch.from_arrays(batch.columns + columns, batch.schema.names + names)
            process.stdin.close()
            if process.stdout.read() or process.wait() != 0:
                raise RuntimeError("the verifier ended with %d" % process.wait())
        finally:
            process.kill()
            process.wait()


def _line(number, token):
    if token is None:
        token = ""
    if isinstance(token, str):
        return json.dumps({"id": number, "token": token}).encode() + b"\n"
    return json.dumps({"id": number, "token64": base64.b64encode(token).decode()}).encode() + b"\n"
