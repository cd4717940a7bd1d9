#!/usr/bin/env python3
"""Verdicts on tokens in Apache Spark by docs/spark/claims_spark.py: every row has the right one, whatever dies on the way.

    swift build -c release --product claims
    python3 Tests/Streams/spark.py [--tokens 5000000] [--claims .build/release/claims] [--raw] [--install]

--install fetches PyPI's pyspark, pyarrow and pandas into .build-venv and goes on there; Spark needs a Java of the machine.
Nine of ten kinds of XML are in base64, as browsers post them; with --raw all are bare XML of many lines, which the tasks have
to encode first. The truth of each kind of token is the verdict of `claims verify` on the token alone. One row in a thousand is bad, in ten
ways. Runs on `local-cluster[2,1,1024]`. Prints what it saw, and exits with 1 on a surprise.
"""
import argparse
import base64
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
parser = argparse.ArgumentParser()
parser.add_argument('--tokens', type=int, default=5_000_000)
parser.add_argument('--claims', default='.build/release/claims')
parser.add_argument('--raw', action='store_true')
parser.add_argument('--install', action='store_true')
arguments = parser.parse_args()
if arguments.install:
    home = pathlib.Path('.build-venv')
    if not (home / 'bin/pip').exists():
        subprocess.run([sys.executable, '-m', 'venv', str(home)], check=True)
    subprocess.run([str(home / 'bin/pip'), '-q', 'install', 'pyspark', 'pyarrow', 'pandas'], check=True)
    words = [word for word in sys.argv if word != '--install']
    os.execv(str(home / 'bin/python'), ['python'] + words)

CLAIMS = str(pathlib.Path(arguments.claims).resolve())
TRUST = ['--trust', str(ROOT / 'TestVectors/trust.json'), '--at', '2030-01-01T12:00:00Z']
# Executors import it from here too.
os.environ['PYTHONPATH'] = str(ROOT / 'docs/spark') + os.pathsep + os.environ.get('PYTHONPATH', '')
os.environ['PYSPARK_PYTHON'] = sys.executable
sys.path.insert(0, str(ROOT / 'docs/spark'))
failures = 0


def check(what, is_so, found=''):
    global failures
    failures += not is_so
    print(('ok    ' if is_so else 'FAIL  ') + what + ('' if is_so else ': %s' % (str(found)[:800],)), flush=True)


def verdict(token):
    """The verdict on a token alone: the code, or None for a genuine one."""
    run = subprocess.run([CLAIMS, 'verify', *TRUST], input=token, capture_output=True)
    record = json.loads(run.stdout)
    return None if record['valid'] else record['error']['code']


def kinds():
    """Good tokens, and ten kinds of bad ones, each with its code."""
    good, bad = [], {}
    for line in open(ROOT / 'TestVectors/manifest.jsonl'):
        entry = json.loads(line)
        if 'file' not in entry:
            continue
        token = (ROOT / 'TestVectors' / entry['file']).read_bytes().rstrip(b'\n')
        if entry['format'] not in ('swt', 'jwt', 'saml11', 'saml20') or len(token) > 20_000 or b'\n' in token and entry['format'] == 'jwt':
            continue
        if token.startswith(b'<') and not arguments.raw and (len(good) + len(bad)) % 10:
            token = base64.b64encode(token)
        code = verdict(token)
        if code is None:
            good.append((token, None))
        elif code not in bad and len(bad) < 9:
            bad[code] = (token, code)
    bad['input.blank-line'] = (b'', 'input.blank-line')
    return good, list(bad.values())


good, bad = kinds()
print('      %d genuine tokens, bad ones: %s' % (len(good), ', '.join(sorted(code for _, code in bad))), flush=True)
from claims_spark import _line as line, verdicts  # noqa: E402
from pyspark.sql import SparkSession, functions  # noqa: E402
from pyspark.sql.types import BinaryType, IntegerType, StringType, StructField, StructType  # noqa: E402

spark = (SparkSession.builder.master('local-cluster[2,1,1024]').config('spark.ui.enabled', 'false')
         .config('spark.executorEnv.PYTHONPATH', os.environ['PYTHONPATH']).config('spark.task.maxFailures', '8')
         .config('spark.sql.adaptive.enabled', 'false').config('spark.sql.shuffle.partitions', '2').getOrCreate())
spark.sparkContext.setLogLevel('OFF')
table = spark.createDataFrame(
    [(number, bytearray(token), code) for number, (token, code) in enumerate(good + bad)],
    StructType([StructField('kind', IntegerType()), StructField('token', BinaryType()), StructField('expected', StringType())]))


def rows(count, partitions=16):
    number = functions.col('id')
    kind = functions.when(number % 1000 == 999, len(good) + (number / 1000).cast('int') % len(bad)).otherwise(number % len(good))
    frame = spark.range(count, numPartitions=partitions).withColumn('kind', kind.cast('int'))
    return frame.join(functions.broadcast(table), 'kind')


def counted(count, arguments_=TRUST):
    begun = time.perf_counter()
    judged = verdicts(rows(count), arguments_, CLAIMS)
    right = functions.col('code').eqNullSafe(functions.col('expected')) & (functions.col('valid') == functions.col('expected').isNull())
    groups = judged.groupBy('expected', 'code', right.alias('right')).count().collect()
    return {(g['expected'], g['code'], g['right']): g['count'] for g in groups}, time.perf_counter() - begun


def truth(count):
    expected = {}
    for number in range(999, count, 1000):
        code = bad[number // 1000 % len(bad)][1]
        expected[(code, code, True)] = expected.get((code, code, True), 0) + 1
    expected[(None, None, True)] = count - sum(expected.values())
    return expected


def identity(count):
    begun = time.perf_counter()
    frame = rows(count)
    frame.mapInArrow(lambda batches: batches, frame.schema).groupBy('expected').count().collect()
    return time.perf_counter() - begun


def killing(pattern, after):
    """Kills one process whose command line has the pattern, again and again until one is there."""
    def run():
        time.sleep(after)
        for _ in range(400):
            found = subprocess.run(['pgrep', '-f', pattern], capture_output=True, text=True).stdout.split()
            if found:
                os.kill(int(found[-1]), signal.SIGKILL)
                killed.append(found[-1])
                return
            time.sleep(0.05)
    killed = []
    thread = threading.Thread(target=run)
    thread.start()
    return thread, killed


count = arguments.tokens
counted(20_000)
identity(20_000)
groups, took = counted(count)
check('%d tokens: each row has its verdict' % count, groups == truth(count), groups)
alone = identity(count)
# The very lines that the tasks write.
lines = b''.join(line(good[number % len(good)][0]) for number in range(min(count, 100_000)))
begun = time.perf_counter()
subprocess.run([CLAIMS, 'verify', '--lines', '--jobs', '2', *TRUST], input=lines, stdout=subprocess.DEVNULL)
bare = (time.perf_counter() - begun) / min(count, 100_000) * count
print('      %.1f s; Spark with an identity function %.1f s, claims without Spark %.1f s: %.2f times the sum' % (
    took, alone, bare, took / (alone + bare)), flush=True)
few = max(200_000, count // 10)
thread, killed = killing('CoarseGrainedExecutorBackend', took * few / count / 3)
groups, _ = counted(few)
thread.join()
check('an executor killed in the middle: still each row', killed and groups == truth(few), (killed, groups))
thread, killed = killing('claims verify --lines', 1)
groups, _ = counted(few)
thread.join()
check('a verifier killed in the middle: still each row', killed and groups == truth(few), (killed, groups))
try:
    groups, _ = counted(1_000, ['--trust', '/nonexistent/trust.json'])
    check('a missing trust file fails the job', False, groups)
except Exception as error:
    check('a missing trust file fails the job, with the words of the verifier', 'it said:' in str(error) and '/nonexistent/trust.json' in str(error), error)
judged = verdicts(rows(1_000), TRUST, CLAIMS)
for what, call, word in [
        ('a column that is not there', lambda: verdicts(rows(10), TRUST, CLAIMS, column='tokens'), "no column 'tokens'"),
        ('a column of another type', lambda: verdicts(rows(10), TRUST, CLAIMS, column='kind'), 'int'),
        ('names that are taken', lambda: verdicts(judged, TRUST, CLAIMS), "'valid'"),
        ('one word of arguments', lambda: verdicts(rows(10), '--trust x', CLAIMS), 'list')]:
    try:
        call()
        check(what + ' is refused where it is written', False)
    except ValueError as error:
        check(what + ' is refused where it is written', word in str(error), error)
twice = verdicts(judged, TRUST, CLAIMS, prefix='second_')
same = twice.filter(functions.col('valid') == functions.col('second_valid')).filter(functions.col('code').eqNullSafe(functions.col('second_code'))).count()
check('a frame that was judged before is judged again', same == 1_000, same)
spark.stop()
sys.exit(failures > 0)
