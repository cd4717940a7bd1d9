"""Runs of claims-attack against services on loopback, for attack.py and attack_services.py."""
import collections
import json
import subprocess
import time

from attack_explained import reason


def counts(words, *order):
    """How often each of the words in `order` is among them."""
    found = collections.Counter(words)
    return ', '.join(str(found[word]) for word in order)


class AttackRuns:
    """Files of the driver below the folder of `running`, all with the same keys, and what it says."""

    def __init__(self, tools, tally, running, port, twice=False):
        self.port, self.issuer = port, 'http://127.0.0.1:%d' % port
        self.tools, self.tally, self.running, self.folder, self.twice = tools, tally, running, running.folder, twice
        self.table = {}

    def file(self, name, protocol, begin, probe, contains, **more):
        path = self.folder / (name + '.json')
        path.write_text(json.dumps({
            'protocol': protocol, 'listen': '127.0.0.1:%d' % self.port, 'public': self.issuer, 'start': begin,
            'probe': {'url': probe, 'contains': contains},
            'person': {'subject': 'alice', 'claims': {'email': 'PERSON@example.org'}}, 'attacker': {'subject': 'mallory'},
            # Services on a busy machine have time to answer.
            'timeout': 60, 'keys': 'attack.keys', **more}))
        return path

    def provider(self, path, *options):
        """What a service is told of the provider."""
        return subprocess.run([self.tools / 'claims-attack', 'provider', '--print', *options, path], capture_output=True,
                              check=True).stdout

    def run(self, name, path, *options):
        """The results of one run by identifier, those that were accepted, and its counts and end."""
        began = time.monotonic()
        done = subprocess.run([self.tools / 'claims-attack', 'run', path, '--html', self.folder / (name + '.html'),
                               '--sarif', self.folder / (name + '.sarif'), *options], capture_output=True, text=True)
        (self.folder / (name + '.jsonl')).write_text(done.stdout)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        results = {line['id']: line for line in lines if 'id' in line}
        totals = lines[-1] if lines and 'variants' in lines[-1] else {}
        accepted = sorted(name for name, line in results.items() if line['verdict'] == 'accepted')
        print('%-28s %4s variants %4d accepted %4s inapplicable %4s unplayed  exit %s  %.0f s' % (
            name, totals.get('variants', '-'), len(accepted), totals.get('inapplicable', '-'), totals.get('unplayed', '-'),
            done.returncode, time.monotonic() - began), flush=True)
        return results, accepted, totals, done

    def play(self, name, path, *options):
        results, accepted, totals, done = self.run(name, path, *options)
        self.table[name] = [name, len(results), len(accepted),
                            counts((results[one]['severity'] for one in accepted), 'error', 'warning', 'note')]
        self.tally.check('%s: every variant was played, and its refusal proven' % name,
                         totals.get('variants', 0) > 90 and totals.get('unplayed') == 0 == totals.get('unproven'),
                         done.stderr + str([line for line in results.values() if line['verdict'] in ('unplayed', 'unproven')][:3]))
        if self.twice:
            def verdicts(results):
                return {(one, line['verdict'], line.get('signedIn'), line.get('steady')) for one, line in results.items()}

            first, second = verdicts(results), verdicts(self.run(name, path, *options)[0])
            self.tally.check('%s: the same %d results twice' % (name, len(first)), first == second, sorted(first ^ second))
        return results, accepted, done

    def clean(self, name, path):
        """A service that refuses everything."""
        results, accepted, done = self.play(name, path)
        self.tally.check('%s: refuses every variant' % name, done.returncode == 0 and not accepted,
                         [(one, results[one]['severity'], results[one]['signedIn']) for one in accepted])

    def known(self, name, path, explained):
        """A foreign service, which accepts what is explained and nothing else. `explained` has reasons by identifiers or
        families."""
        results, accepted, _ = self.play(name, path)
        reasons = {one: reason(results[one], explained) for one in accepted}
        for one, found in reasons.items():
            kind, text = found or ('NOT', 'EXPLAINED')
            print('      %-44s %-8s %-24s %-7s %s' % (one, results[one]['severity'], results[one]['signedIn'], kind, text))
        surprises = [(one, results[one]['signedIn']) for one, found in reasons.items() if not found]
        self.tally.check('%s: each acceptance is explained' % name, not surprises, surprises)
        self.table[name].append(counts((found[0] for found in reasons.values() if found), 'known', 'new', 'strict'))

    def print_table(self):
        for row in ('service', 'variants', 'accepted', 'error, warning, note', 'known, new, strict'), *self.table.values():
            print('%-28s %8s %8s  %-22s %s' % (*row, '')[:5])
