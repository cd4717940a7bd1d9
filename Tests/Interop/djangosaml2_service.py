#!/usr/bin/env python3
"""A Django site whose people sign in through djangosaml2, with its defaults.

    djangosaml2_service.py PORT FOLDER

FOLDER has sp.key, sp.crt and idp.xml, the metadata of its provider. /saml2/login/ begins a sign-in, /me says who is signed in.
"""
import pathlib
import sys
import wsgiref.simple_server

import django
from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import include, path
from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT

port, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
base = 'http://127.0.0.1:%d' % port
settings.configure(
    SECRET_KEY='for-testing-only', ROOT_URLCONF=__name__, ALLOWED_HOSTS=['127.0.0.1'], USE_TZ=True, LOGIN_REDIRECT_URL='/me',
    INSTALLED_APPS=['django.contrib.auth', 'django.contrib.contenttypes', 'django.contrib.sessions', 'djangosaml2'],
    MIDDLEWARE=['django.contrib.sessions.middleware.SessionMiddleware', 'django.middleware.csrf.CsrfViewMiddleware',
                'django.contrib.auth.middleware.AuthenticationMiddleware', 'djangosaml2.middleware.SamlSessionMiddleware'],
    AUTHENTICATION_BACKENDS=['djangosaml2.backends.Saml2Backend'],
    TEMPLATES=[{'BACKEND': 'django.template.backends.django.DjangoTemplates', 'APP_DIRS': True}],
    DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': str(folder / 'django.sqlite')}},
    # Its default needs https; the driver's browser takes loopback for that, but Django does not.
    SESSION_COOKIE_SECURE=False, SAML_SESSION_COOKIE_SAMESITE='Lax', LOGGING={'version': 1, 'disable_existing_loggers': True},
    SAML_USE_NAME_ID_AS_USERNAME=True, SAML_CREATE_UNKNOWN_USER=True, SAML_ATTRIBUTE_MAPPING={'email': ('email',)},
    SAML_CONFIG={
        'entityid': base + '/saml2/metadata/', 'xmlsec_binary': '/usr/bin/xmlsec1', 'key_file': str(folder / 'sp.key'),
        'cert_file': str(folder / 'sp.crt'), 'metadata': {'local': [str(folder / 'idp.xml')]}, 'allow_unknown_attributes': True,
        'service': {'sp': {'endpoints': {'assertion_consumer_service': [(base + '/saml2/acs/', BINDING_HTTP_POST)],
                                         'single_logout_service': [(base + '/saml2/ls/', BINDING_HTTP_REDIRECT)]},
                           # Its default wants the Response signed, which is not what this provider signs.
                           'want_response_signed': False, 'want_assertions_signed': True, 'allow_unsolicited': False}}})


def me(request):
    person = request.user
    return HttpResponse('[%s]' % person.get_username() if person.is_authenticated else 'signed out',
                        status=200 if person.is_authenticated else 401)


django.setup()
urlpatterns = [path('saml2/', include('djangosaml2.urls')), path('me', me)]
call_command('migrate', verbosity=0, run_syncdb=True)


class Quiet(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, *_):
        pass


wsgiref.simple_server.make_server('127.0.0.1', port, get_wsgi_application(), handler_class=Quiet).serve_forever()
