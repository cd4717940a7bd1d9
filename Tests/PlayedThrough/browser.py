"""A browser for scripts: cookies, redirects and forms, by the standard library alone."""
import html.parser
import http.client
import http.cookiejar
import urllib.error
import urllib.parse
import urllib.request


class Forms(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.forms, self.links = [], []
        self.written = None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == 'form':
            self.forms.append({'action': attrs.get('action', ''), 'method': attrs.get('method', 'get').lower(),
                               'fields': []})
        elif tag == 'a' and 'href' in attrs:
            self.links.append(attrs['href'])
        elif tag in ('input', 'button', 'select') and self.forms and attrs.get('name'):
            if attrs.get('type') in ('checkbox', 'radio') and 'checked' not in attrs:
                return
            self.forms[-1]['fields'].append((attrs['name'], attrs.get('value', '')))
        elif tag == 'textarea' and self.forms and attrs.get('name'):
            self.written = (attrs['name'], [])

    def handle_data(self, data):
        if self.written:
            self.written[1].append(data)

    def handle_endtag(self, tag):
        if tag == 'textarea' and self.written:
            self.forms[-1]['fields'].append((self.written[0], ''.join(self.written[1])))
            self.written = None


class Page:
    def __init__(self, url, status, headers, body):
        self.url, self.status, self.headers = url, status, headers
        self.text = body.decode('utf-8', 'replace')
        parser = Forms()
        parser.feed(self.text)
        self.forms, self.links = parser.forms, parser.links


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *a):
        return None


class Browser:
    def __init__(self):
        self.jar = http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(strict_ns_domain=0))
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.jar), NoRedirect)
        self.trail = []

    def ask(self, url, data=None, headers=None):
        """One exchange, no redirect followed."""
        request = urllib.request.Request(url, data=data, headers={
            'Accept': 'text/html', 'User-Agent': 'script', **(headers or {})})
        try:
            response = self.opener.open(request, timeout=30)
        except urllib.error.HTTPError as error:
            response = error
        page = Page(url, response.status, response.headers, response.read())
        self.trail.append((('POST ' if data is not None else 'GET ') + url.split('?')[0], page.status))
        return page

    def open(self, url, data=None, headers=None):
        """An exchange and the redirects after it."""
        page = self.ask(url, data, headers)
        for _ in range(20):
            if page.status not in (301, 302, 303, 307) or 'Location' not in page.headers:
                return page
            page = self.ask(urllib.parse.urljoin(page.url, page.headers['Location']), None, headers)
        raise AssertionError('too many redirects: %s' % self.trail[-6:])

    def submit(self, page, values=None, form=0, headers=None):
        """Sends a form of a page with these values."""
        form = page.forms[form]
        fields = [(n, (values or {}).get(n, v)) for n, v in form['fields']]
        fields += [(n, v) for n, v in (values or {}).items() if n not in dict(form['fields'])]
        url = urllib.parse.urljoin(page.url, form['action'] or page.url)
        data = urllib.parse.urlencode(fields)
        if form['method'] == 'get':
            return self.open(url.split('?')[0] + '?' + data, headers=headers)
        return self.open(url, data.encode(), headers=headers)
