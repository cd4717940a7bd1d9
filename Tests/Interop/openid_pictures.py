"""A person with Chromium at the gate and LemonLDAP::NG, and a picture of every page of the gate on the way, wide and narrow, light and dark."""
import json
import re

import foreign_providers
import programs
import proxies
import screens

GATE, PROXY, APPLICATION = 18261, 18267, 18268
ORIGIN = 'http://127.0.0.1:%d' % PROXY
WIDTHS = (1280, 390)


class Photographer:
    """Pictures of the page that is shown, one for each width and scheme."""

    def __init__(self, person, tally):
        self.person, self.tally = person, tally

    def take(self, name, wanted):
        """The page says `wanted`, breaks no policy, and needs no scrolling to the side."""
        driver = self.person.driver
        self.tally.check('the page %s says %r' % (name, wanted), wanted in self.person.text(), self.person.text()[:400])
        for is_dark in (False, True):
            self.person.dark(is_dark)
            for width in WIDTHS:
                driver.execute_cdp_cmd('Emulation.setDeviceMetricsOverride', {
                    'width': width, 'height': 900, 'deviceScaleFactor': 1, 'mobile': width < 600})
                over = driver.execute_script('return document.documentElement.scrollWidth - window.innerWidth')
                self.tally.check('%s, %d px, %s: nothing is cut at the side' % (name, width, 'dark' if is_dark else 'light'), over <= 0, over)
                self.person.photograph('%s-%d-%s' % (name, width, 'dark' if is_dark else 'light'))
        self.person.dark(False)
        driver.execute_cdp_cmd('Emulation.clearDeviceMetricsOverride', {})


def write_gate(folder, providers):
    (folder / 'gate.json').write_text(json.dumps({
        'public': ORIGIN, 'listen': '127.0.0.1:%d' % GATE, 'proxy': {'kind': 'caddy', 'peers': ['127.0.0.1']}, 'people': 'by provider',
        'providers': [{'id': provider.name, 'name': name, 'openID': {
            'issuer': provider.issuer, 'clientID': foreign_providers.CLIENT, 'clientSecret': 'file:secret', 'emails': ['badwolf.org'], **more}}
            for provider, name, more in providers],
        'headers': {'X-Remote-User': 'subject', 'X-Remote-Email': 'email'},
        'rules': [{'path': '/admin/', 'provider': 'any', 'claim': 'role', 'oneOf': ['admin']},
                  {'path': '/vault/', 'provider': 'any', 'contexts': ['loa-3']}]}))


def take(gate, running, tally, pictures):
    folder = running.folder
    pictures.mkdir(parents=True, exist_ok=True)
    lemon, strict = (kind(running, port, ORIGIN + '/.gate/', 'pictures') for kind, port in (
        (foreign_providers.LemonLDAP, 18266), (foreign_providers.Strict, 18263)))
    lemon.id, strict.id = lemon.name, strict.name
    lemon.start()
    strict.start(authentication='post')
    # The second provider has another secret at the token endpoint than the gate sends: its sign-in ends on a page of refusal.
    write_gate(folder, [(lemon, 'Campus', {}), (strict, 'Partner company', {})])
    programs.application(APPLICATION, lambda path, headers: '<p>%s for %s, %s' % (path, headers.get('X-Remote-User'), headers.get('X-Remote-Email')))
    running.start('gate', [gate, 'run', str(folder / 'gate.json')], GATE)
    command, environment = proxies.command('caddy', folder, PROXY, GATE, APPLICATION)
    running.start('caddy', command, PROXY, env=environment)
    person = screens.Person(pictures)
    photographer = Photographer(person, tally)
    try:
        walk(person, photographer, tally)
        complaints = person.complaints()
        tally.check('no page broke its policy', not complaints, complaints)
    finally:
        person.leave()
        for name in ('caddy', 'gate', lemon.name, strict.name):
            running.stop(name)


def at_lemon(person):
    person.wait(lambda: person.driver.find_elements('name', 'password'))
    person.type(user='dwho', password='dwho')
    person.press('button[type=submit]')


def walk(person, photographer, tally):
    person.open(ORIGIN + '/page?q=1')
    person.wait(lambda: 'Campus' in person.text())
    photographer.take('choice', 'Campus')
    person.follow('Campus') if person.driver.find_elements('partial link text', 'Campus') else person.press('button[value=lemonldap]')
    at_lemon(person)
    person.wait(lambda: 'for lemonldap:dwho' in person.text())
    tally.check('signed in by LemonLDAP::NG, back at the page: %s' % person.text(), '/page?q=1 for lemonldap:dwho, dwho@badwolf.org' in person.text())
    person.open(ORIGIN + '/.gate/')
    photographer.take('account', 'dwho')
    person.open(ORIGIN + '/admin/x')
    photographer.take('forbidden', 'gate.forbidden')
    person.open(ORIGIN + '/vault/x')
    person.wait(lambda: 'in-vain' in person.text() or person.driver.find_elements('name', 'password'))
    if person.driver.find_elements('name', 'password'):
        at_lemon(person)
        person.wait(lambda: 'in-vain' in person.text())
    photographer.take('step-up-in-vain', 'gate.step-up-in-vain')
    person.open(ORIGIN + '/.gate/sign-out')
    photographer.take('sign-out', 'Sign out')
    person.press('main button, form button')
    person.wait(lambda: 'signed out' in person.text().lower())
    photographer.take('signed-out', 'signed out')
    # Three sign-ins within ten seconds, without a session, are a loop to the gate.
    person.forget()
    person.open(ORIGIN + '/.gate/sign-in?return=%2Fpage&provider=strict')
    person.wait(lambda: re.search(r'(signin|transport)\.', person.text()))
    photographer.take('refused', 'signin.refused')
    person.open(ORIGIN + '/.gate/nothing')
    photographer.take('not-found', '')
