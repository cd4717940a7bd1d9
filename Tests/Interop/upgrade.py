#!/usr/bin/env python3
"""An upgrade from the gate and acs of an earlier commit to those of this tree: on the same files and SQLite databases, on the same Redis,
and with both versions at once, as in a rolling update. Nothing is lost, and nothing is accepted twice.

    swift build --enable-all-traits --product claims-gate --product acs
    Tests/Interop/upgrade.py [--new .build/debug] [--old FOLDER] [--commit d17f86d6] [--races 20]

--old names a folder with claims-gate and acs of the earlier commit; without it both are built once in .build-COMMIT, which git ignores.
Needs redis-server, openssl and PyPI's cryptography. What people begin and what they end is in upgrade_acts.py; each act begins at one
version and ends at another. Prints a line for each thing that was seen, and exits with 1 on a surprise.
"""
import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import programs  # noqa: E402
import upgrade_acts as acts  # noqa: E402
import upgrade_world as world  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument('--new', type=pathlib.Path, default=pathlib.Path('.build/debug'))
parser.add_argument('--old', type=pathlib.Path)
parser.add_argument('--commit', default='d17f86d6')
parser.add_argument('--races', type=int, default=20)
parser.add_argument('--only', default='', help='a part of the names of acts')
arguments = parser.parse_args()
tally, running = programs.Tally(), programs.Programs('upgrade')
check, start, stop = tally.check, running.start, running.stop


def built(commit):
    """The folder with the commands of a commit of the history, which are built once."""
    root = HERE.parent.parent
    place = root / ('.build-' + commit)
    products = place / 'tree/.build/debug'
    if not all((products / name).exists() for name in ('claims-gate', 'acs')):
        place.mkdir(exist_ok=True)
        if not (place / 'tree').exists():
            subprocess.run(['git', '-C', root, 'worktree', 'add', '--detach', '--force', place / 'tree', commit], check=True)
        for name in ('claims-gate', 'acs'):
            subprocess.run(['swift', 'build', '--enable-all-traits', '--product', name], cwd=place / 'tree', check=True)
    return products


FOLDERS = {'old': (arguments.old or built(arguments.commit)).resolve(), 'new': arguments.new.resolve()}


def run(version, folder, node=None):
    """Starts acs and gate of a version, by the files of a node: those of the version itself where none is named. The new version
    takes the old files as `check` says to amend them."""
    node = node or version
    file = 'old-amended' if (version, node) == ('new', 'old') else node
    acs = folder / ('acs-%s.json' % file)
    start('acs ' + node, [FOLDERS[version] / 'acs', 'run', acs], world.NODES[node]['acs'])
    if not (folder / 'idp.xml').exists():
        for name, path in (('idp.xml', '/v2/saml/metadata'), ('federation.xml', '/FederationMetadata/2007-06/FederationMetadata.xml')):
            (folder / name).write_text(world.Browser().ask(node, world.ACS + path).text)
        password = subprocess.run([FOLDERS[version] / 'acs', 'keys', acs, '--password'], capture_output=True, text=True, check=True)
        acts.admin_password = password.stdout.strip()
    start('gate ' + node, [FOLDERS[version] / 'claims-gate', 'run', folder / ('gate-%s.json' % file)], world.NODES[node]['gate'])


def end(node):
    check('%s: gate and acs end without an error' % node, (stop('gate ' + node), stop('acs ' + node)) == (0, 0))


def check_files(folder):
    for name, command in (('acs-old', 'acs'), ('acs-old-amended', 'acs'), ('gate-old-amended', 'claims-gate')):
        told = subprocess.run([FOLDERS['new'] / command, 'check', folder / (name + '.json')], capture_output=True, text=True)
        check('check of this tree takes the file ' + name, told.returncode == 0, told.stderr)
    told = subprocess.run([FOLDERS['new'] / 'claims-gate', 'check', folder / 'gate-old.json'], capture_output=True, text=True)
    check('check of this tree names the header of the old file without a provider, and what to write',
          told.returncode == 2 and 'gate.claim-provider' in told.stderr and '"provider"' in told.stderr, told.stderr)


def begin(node, backwards=False):
    """Each act at a node, up to where it waits; those that only the new version ends are left out where the new one begins them."""
    begun = []
    for what, function in acts.ACTS:
        if arguments.only in what and not (backwards and any(part in what for part in acts.ONLY_TO_NEW)):
            one = function(node)
            try:
                next(one)
                begun.append((what, one))
            except Exception:
                check(what + ', begun', False, traceback.format_exc()[-700:])
    return begun


def finish(begun, node, how):
    for what, one in begun:
        try:
            one.send(node)
            check('%s: %s' % (how, what), False, 'the act has no end')
        except StopIteration as ended:
            check('%s: %s' % (how, what), *ended.value)
        except Exception:
            check('%s: %s' % (how, what), False, traceback.format_exc()[-700:])


def races():
    pool = concurrent.futures.ThreadPoolExecutor(2)
    for what, function in acts.RACES:
        if arguments.only not in what:
            continue
        wins = []
        for number in range(arguments.races):
            step = next(function(('old', 'new')[number % 2]))
            wins.append(sum(pool.map(step, ('old', 'new') if number % 4 < 2 else ('new', 'old'))))
        check('both versions at once, %s %d times: one of them takes it each time' % (what, arguments.races), set(wins) == {1}, wins)


def wait_for_store():
    """Redis refuses what is older than itself, by whole seconds."""
    time.sleep(2)


try:
    acts.provider = world.Provider()

    folder = running.folder / 'sqlite'
    world.write_files(folder, {'acs': 'acs.db', 'gate': 'sqlite:gate.db'})
    run('old', folder)
    begun = begin('old')
    end('old')
    check_files(folder)
    run('new', folder, 'old')
    finish(begun, 'old', 'SQLite, old to new')
    end('old')

    redis = {'redis': 'redis://127.0.0.1:%d' % world.REDIS}
    folder = running.folder / 'redis'
    world.write_files(folder, {'acs': redis, 'gate': {**redis, 'namespace': 'gate'}})
    start('redis', ['redis-server', '--port', str(world.REDIS), '--bind', '127.0.0.1', '--dir', str(running.folder), '--save', '',
                    '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'], world.REDIS)
    wait_for_store()
    run('old', folder)
    check_files(folder)
    begun = begin('old')
    end('old')
    run('new', folder, 'old')
    finish(begun, 'old', 'Redis, old to new')
    end('old')

    run('old', folder)
    run('new', folder)
    for first, second in (('old', 'new'), ('new', 'old')):
        finish(begin(first, backwards=first == 'new'), second, 'both at once, %s to %s' % (first, second))
    races()
    for node in ('old', 'new'):
        check('%s: nothing in the log of gate and acs about a fault of ours' % node, not [
            line for name in ('gate ', 'acs ') for line in running.log(name + node).splitlines() if 'error' in line.lower() and 'store.' in line
            # d17f86d6 reports its own end so.
            and 'CancellationError' not in line])
        end(node)
finally:
    running.stop_all()
running.end(tally)
