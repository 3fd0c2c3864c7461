"""django-oauth-toolkit as an OpenID provider on a loopback port, for the tests: nobody of this project wrote it.

usage: site.py DIRECTORY ACCESS-LIFETIME

Two people, alice and bob, whose password is their name and `-pw`; the public client `native` with PKCE, the client `kept`,
which has a secret and has to show it, and the public client `device` with the device grant, whose endpoint no metadata
names. Refresh tokens
are for one use; using one twice ends everything that hangs on it. Prints one JSON line, then serves until it is killed.
"""
import json
import os
import subprocess
import sys

import django
from django.conf import settings

DIRECTORY, LIFETIME = sys.argv[1], int(sys.argv[2])
PEOPLE = ("alice", "bob")
# Of characters that are something else in a form.
SECRET = "s3cret %+&=:~"
LOGIN_PAGE = """<form method="post">{% csrf_token %}{{ form.as_p }}
<input type="hidden" name="next" value="{{ next }}"><button>Sign in</button></form>"""


def signing_key():
    made = subprocess.run(["openssl", "genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
                          capture_output=True, text=True)
    if made.returncode != 0:
        made = subprocess.run(["openssl", "genrsa", "2048"], capture_output=True, text=True, check=True)
    return made.stdout


settings.configure(
    SECRET_KEY="only for tests", ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__, USE_TZ=True, LOGIN_URL="/login/",
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(DIRECTORY, "site.sqlite3"),
                           "OPTIONS": {"timeout": 30, "transaction_mode": "IMMEDIATE"}}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "oauth2_provider"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware", __name__ + ".stepping_up"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "OPTIONS": {"loaders": [
        ("django.template.loaders.locmem.Loader", {"registration/login.html": LOGIN_PAGE}),
        "django.template.loaders.app_directories.Loader"]}}],
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],  # quick; these passwords guard nothing
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True, "OIDC_RSA_PRIVATE_KEY": signing_key(), "PKCE_REQUIRED": True,
        "OAUTH2_VALIDATOR_CLASS": __name__ + ".Claims",
        "OIDC_RESPONSE_TYPES_SUPPORTED": ["code"],
        "SCOPES": {"openid": "who you are", "email": "your address", "profile": "your name"},
        "ACCESS_TOKEN_EXPIRE_SECONDS": LIFETIME, "REFRESH_TOKEN_EXPIRE_SECONDS": 3600,
        "ROTATE_REFRESH_TOKEN": True, "REFRESH_TOKEN_REUSE_PROTECTION": True, "REFRESH_TOKEN_GRACE_PERIOD_SECONDS": 0,
        "REQUEST_APPROVAL_PROMPT": "auto", "ALLOWED_REDIRECT_URI_SCHEMES": ["http"],
        "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True, "DEVICE_FLOW_INTERVAL": 1,
        "OIDC_RP_INITIATED_LOGOUT_ENABLED": True,
    })
django.setup()

from django.contrib.auth import get_user_model, views  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import JsonResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.views.decorators.csrf import csrf_exempt  # noqa: E402
from oauth2_provider.decorators import protected_resource  # noqa: E402
from oauth2_provider.models import get_access_token_model, get_application_model  # noqa: E402
from oauth2_provider.models import get_refresh_token_model  # noqa: E402
from oauth2_provider.oauth2_validators import OAuth2Validator  # noqa: E402
from oauth2_provider.settings import oauth2_settings  # noqa: E402
from oauth2_provider.views import RPInitiatedLogoutView  # noqa: E402


class Claims(OAuth2Validator):
    """Which claims an ID token has, for which scope."""

    oidc_claim_scope = {**OAuth2Validator.oidc_claim_scope, "email": "email", "name": "profile", "acr": "openid"}

    def get_additional_claims(self, request):
        claims = {"email": request.user.email, "name": request.user.first_name}
        return {**claims, "acr": STRENGTH[0]} if STRENGTH else claims


# How the last sign-in was made; empty: the issuer does not say.
STRENGTH = []
# Whether an authorization request's acr_values are done, as the issuer is told by the tests.
OBEYS = []


def stepping_up(get_response):
    """What this issuer lacks: acr_values of an authorization request (OpenID Connect Core 3.1.2.1)."""
    def middleware(request):
        asked = request.GET.get("acr_values")
        if asked and OBEYS:
            STRENGTH[:] = [asked.split()[0]]
        return get_response(request)
    return middleware


def strength(request):
    """Tells the issuer how people sign in, and whether it does what it is asked."""
    STRENGTH[:] = request.GET.getlist("acr")
    OBEYS[:] = request.GET.getlist("obeys")
    return JsonResponse({})


@protected_resource()
def resource(request):
    """What an access token is for."""
    return JsonResponse({"person": request.resource_owner.username})


def books(request):
    """What the issuer has on record, for the tests: tokens that live, and refresh tokens that were ever issued."""
    refresh = get_refresh_token_model().objects
    return JsonResponse({"access": get_access_token_model().objects.count(), "issued": refresh.count(),
                         "refresh": refresh.filter(revoked__isnull=True).count()})


def forget(request):
    """Ends every session and forgets every token, as an administrator of the issuer would."""
    get_access_token_model().objects.all().delete()
    get_refresh_token_model().objects.all().delete()
    return JsonResponse({})


urlpatterns = [
    path("login/", views.LoginView.as_view()), path("resource/", resource), path("books/", books),
    path("forget/", forget), path("strength/", strength),
    # As the standard wants it; as it comes it takes no form but its own page's.
    path("logout/", csrf_exempt(RPInitiatedLogoutView.as_view())),
    path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
]


def fill():
    call_command("migrate", verbosity=0, interactive=False)
    for name in PEOPLE:
        get_user_model().objects.create_user(name, name + "@example.org", name + "-pw", first_name=name.title())
    get_application_model().objects.create(
        client_id="native", name="Almoner", client_type="public", authorization_grant_type="authorization-code",
        algorithm="RS256", skip_authorization=True, redirect_uris="http://127.0.0.1/callback")
    get_application_model().objects.create(
        client_id="kept", name="Almoner with a secret", client_type="confidential", client_secret=SECRET,
        authorization_grant_type="authorization-code", algorithm="RS256", skip_authorization=True,
        redirect_uris="http://127.0.0.1/callback")
    get_application_model().objects.create(
        client_id="device", name="Almoner", client_type="public", algorithm="RS256", skip_authorization=True,
        authorization_grant_type="urn:ietf:params:oauth:grant-type:device_code")


def serve():
    server = ThreadedWSGIServer(("127.0.0.1", 0), WSGIRequestHandler)
    server.daemon_threads = True
    server.set_app(get_wsgi_application())
    origin = "http://127.0.0.1:%d" % server.server_port
    oauth2_settings.OAUTH_DEVICE_VERIFICATION_URI = origin + "/o/device/"
    print(json.dumps({"origin": origin, "issuer": origin + "/o"}), flush=True)
    server.serve_forever()


fill()
serve()
