"""A person with headless Chromium at the gate: signs in by each protocol, and photographs every page on the way."""
from selenium import webdriver
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait


class Person:
    def __init__(self, folder):
        options = Options()
        options.binary_location = '/usr/bin/chromium'
        for word in ('--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--window-size=900,700'):
            options.add_argument(word)
        options.set_capability('goog:loggingPrefs', {'browser': 'ALL'})
        self.driver = webdriver.Chrome(options, Service('/usr/bin/chromedriver'))
        self.folder = folder
        self.number = 0

    def photograph(self, name):
        self.number += 1
        self.driver.save_screenshot(str(self.folder / ('%02d-%s.png' % (self.number, name))))

    def open(self, address, name=None):
        self.driver.get(address)
        if name:
            self.photograph(name)

    def wait(self, is_there):
        try:
            # A page that is just being replaced has no elements.
            WebDriverWait(self.driver, 20, ignored_exceptions=[WebDriverException]).until(lambda _: is_there())
        except TimeoutException:
            self.photograph('in-vain')
            raise SystemExit('waited in vain at %s: %s' % (self.driver.current_url, self.text()[:300])) from None

    def text(self):
        return self.driver.find_element(By.TAG_NAME, 'body').text

    def type(self, **values):
        for name, value in values.items():
            element = self.driver.find_element(By.NAME, name)
            if element.tag_name == 'select':
                element.find_element(By.CSS_SELECTOR, 'option[value="%s"]' % value).click()
            else:
                element.send_keys(value)

    def press(self, selector='button, input[type=submit]'):
        self.driver.find_element(By.CSS_SELECTOR, selector).click()

    def follow(self, text):
        self.driver.find_element(By.PARTIAL_LINK_TEXT, text).click()

    def dark(self, is_dark=True):
        self.driver.execute_cdp_cmd('Emulation.setEmulatedMedia', {
            'features': [{'name': 'prefers-color-scheme', 'value': 'dark' if is_dark else 'light'}]})

    def complaints(self):
        """What the console says of scripts and styles that the policy of a page of the gate refused."""
        return [entry['message'] for entry in self.driver.get_log('browser')
                if 'Content Security Policy' in entry['message'] and '.gate' in entry['message']]

    def forget(self):
        self.driver.execute_cdp_cmd('Network.clearBrowserCookies', {})

    def leave(self):
        self.driver.quit()
