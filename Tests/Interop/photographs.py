"""A browser that photographs a page in two sizes, light and dark and as it is printed, and has axe-core look for obstacles to
people with disabilities."""
import base64
import collections
import importlib.util
import pathlib
import re
import sys
import time

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

SIZES = {'wide': (1280, 900), 'narrow': (390, 844)}
LOOKS = [(size, theme) for size in SIZES for theme in ('light', 'dark')]


def axe_core(path=None):
    """The text of axe-core."""
    if path is None:
        package = importlib.util.find_spec('axe_playwright_python')
        if package is None:
            sys.exit('no axe-core: pip install --no-deps axe-playwright-python, or --axe FILE')
        path = pathlib.Path(package.submodule_search_locations[0]) / 'axe.min.js'
    return pathlib.Path(path).read_text(encoding='utf-8')


class Camera:
    """Chromium, with what it saw: `faults` by page, and how many looks axe-core passed."""

    def __init__(self, folder, axe):
        self.folder, self.axe = pathlib.Path(folder).resolve(), axe
        self.folder.mkdir(parents=True, exist_ok=True)
        self.faults, self.passed, self.pages = collections.Counter(), [], []
        options = Options()
        options.binary_location = '/usr/bin/chromium'
        for word in ('--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--hide-scrollbars'):
            options.add_argument(word)
        options.set_capability('goog:loggingPrefs', {'browser': 'ALL', 'performance': 'ALL'})
        self.driver = webdriver.Chrome(options=options, service=Service('/usr/bin/chromedriver'))

    def leave(self):
        self.driver.quit()

    def fault(self, name, text):
        self.faults[name] += 1
        print('FAULT: %s: %s' % (name, text), flush=True)

    def dress(self, size, theme):
        width, height = SIZES[size]
        self.driver.execute_cdp_cmd('Emulation.setDeviceMetricsOverride', {
            'width': width, 'height': height, 'deviceScaleFactor': 1, 'mobile': size == 'narrow'})
        self.driver.execute_cdp_cmd('Emulation.setEmulatedMedia', {
            'media': '', 'features': [{'name': 'prefers-color-scheme', 'value': theme}]})

    def look(self, name, most=12_000):
        """Photographs the page that is open, in every look, and judges each."""
        self.pages.append(name)
        for size, theme in LOOKS:
            self.dress(size, theme)
            title = '%s, %s, %s' % (name, size, theme)
            if self.driver.execute_script('return document.documentElement.scrollWidth') > SIZES[size][0]:
                self.fault(title, 'is wider than its window')
            self.save('%s-%s-%s.png' % (name, size, theme), size, most)
            self.judge(title)
        self.dress('wide', 'light')
        self.driver.execute_cdp_cmd('Emulation.setEmulatedMedia', {'media': 'print', 'features': []})
        self.save(name + '-print.png', 'wide', most)
        self.dress('wide', 'light')
        for entry in self.driver.get_log('browser'):
            # Advice to developers has [DOM]; the status of a refusal is what it should be.
            if not any(word in entry['message'] for word in ('favicon', 'status of 4', '[DOM]')):
                self.fault(name, entry['message'])

    def save(self, file, size, most):
        """The whole page, and at least the window."""
        width, height = SIZES[size]
        whole = self.driver.execute_script('return document.documentElement.scrollHeight')
        got = self.driver.execute_cdp_cmd('Page.captureScreenshot', {'captureBeyondViewport': True, 'clip': {
            'x': 0, 'y': 0, 'width': width, 'height': max(height, min(whole, most)), 'scale': 1}})
        (self.folder / file).write_bytes(base64.b64decode(got['data']))

    def judge(self, title):
        self.driver.execute_script(self.axe)
        answer = self.driver.execute_async_script('const done = arguments[0]; axe.run().then(done)')
        self.passed.append(len(answer['passes']))
        for violation in answer['violations']:
            where = '; '.join(node['html'][:120] for node in violation['nodes'][:3])
            self.fault(title, 'axe %s: %s: %s: %s' % (violation['impact'], violation['id'], violation['help'], where))

    # MARK: As a person

    def open(self, address, name=None):
        self.driver.get(address)
        if name:
            self.look(name)

    def text(self):
        return self.driver.find_element('css selector', 'body').text

    def until(self, text):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                if text in self.text():
                    return
            except (StaleElementReferenceException, WebDriverException):
                pass
            time.sleep(0.05)
        raise SystemExit('waited in vain for %r at %s: %s' % (text, self.driver.current_url, self.text()[:500]))

    def press(self, text, then=None):
        for element in self.driver.find_elements('css selector', 'a, button, summary'):
            if text in element.text:
                element.click()
                if then:
                    self.until(then)
                return
        raise SystemExit('no %r at %s: %s' % (text, self.driver.current_url, self.text()[:500]))

    def type(self, **values):
        for name, value in values.items():
            element = self.driver.find_element('name', name)
            if element.tag_name == 'select':
                element.find_element('css selector', 'option[value="%s"]' % value).click()
            else:
                element.clear()
                element.send_keys(value)

    def forget(self):
        self.driver.execute_cdp_cmd('Network.clearBrowserCookies', {})

    def without_scripts(self, act, name):
        """The page that `act` leads to, which would post itself at once: its text is photographed as a file."""
        self.driver.execute_cdp_cmd('Emulation.setScriptExecutionDisabled', {'value': True})
        act()
        time.sleep(1)
        root = self.driver.execute_cdp_cmd('DOM.getDocument', {})['root']
        text = self.driver.execute_cdp_cmd('DOM.getOuterHTML', {'nodeId': root['nodeId']})['outerHTML']
        self.driver.execute_cdp_cmd('Emulation.setScriptExecutionDisabled', {'value': False})
        path = self.folder / (name + '.html')
        path.write_text(re.sub('<script>.*?</script>', '', text, flags=re.DOTALL))
        self.open(path.as_uri(), name)

    def report(self):
        looks = len(self.passed)
        print('%d pages, %d looks, %d to %d rules of axe-core passed on each, %d faults' % (
            len(self.pages), looks, min(self.passed, default=0), max(self.passed, default=0), sum(self.faults.values())))
        return 1 if self.faults else 0


def sheets(folder, names, columns=4):
    """Contact sheets, a page a column: wide light and dark, narrow light and dark, print, each cut at the bottom. Needs Pillow."""
    from PIL import Image
    made = []
    for start in range(0, len(names), columns):
        rows = [['wide-light'], ['wide-dark'], ['narrow-light', 'narrow-dark'], ['print']]
        columns_of_rows = [[[_cell(Image, folder, name, look) for look in row] for row in rows] for name in names[start:start + columns]]
        heights = [max(image.height for column in columns_of_rows for image in column[row]) for row in range(len(rows))]
        sheet = Image.new('RGB', (490 * len(columns_of_rows), sum(heights) + 10 * len(rows)), (160, 160, 200))
        for x, column in enumerate(columns_of_rows):
            for row, images in enumerate(column):
                for place, image in enumerate(images):
                    sheet.paste(image, (x * 490 + place * 245, sum(heights[:row]) + 10 * row))
        made.append(pathlib.Path(folder) / ('sheet-%02d.png' % (start // columns + 1)))
        sheet.save(made[-1])
    return made


def _cell(Image, folder, name, look):
    """A photograph for a sheet: the middle of a wide one, where all of a page of one column is."""
    image = Image.open(pathlib.Path(folder) / ('%s-%s.png' % (name, look))).convert('RGB')
    if image.width > 400:
        image = image.crop((130, 0, 1150, min(image.height, 1400)))
    width = 480 if image.width > 400 else 235
    image = image.resize((width, image.height * width // image.width), Image.LANCZOS)
    return image.crop((0, 0, width, min(image.height, {'print': 300}.get(look, 520))))
