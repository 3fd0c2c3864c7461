"""The socket as a stranger's client meets it: PyPI's `varlink`, and the example program that uses it.

ALMONER_VENV names the virtual environment that openid/install.sh makes.
"""
import json
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
from place import Place, refuse_root  # noqa: E402

PYTHON = os.path.join(os.environ.get("ALMONER_VENV", ""), "bin/python")
EXAMPLE = os.path.join(HERE, "../../../Sources/AlmonerClient/Examples/keep_fresh.py")


class Client(unittest.TestCase):
    lifetime = "300"

    def setUp(self):
        if not os.access(PYTHON, os.X_OK):
            sys.exit("ALMONER_VENV does not lead to a virtual environment; openid/install.sh makes one")
        self.place = Place()
        self.addCleanup(self.place.end)
        self.place.configure("[refresh]\nforce-interval=0s\n")
        self.issuer = self.place.start_issuer("--auto", "ada", "--access-lifetime", self.lifetime)
        self.place.start_daemon()
        self.place.sign_in()

    def start(self, *words):
        process = subprocess.Popen([PYTHON, "-u", *words], env=self.place.environment, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def ask(self, what):
        """Runs client.py, and returns what it got."""
        process = self.start(os.path.join(HERE, "client.py"), self.place.socket, what)
        return json.loads(process.communicate(timeout=60)[0])


class Stranger(Client):
    def test_it_gets_a_token(self):
        reply = self.ask("token")
        self.assertEqual((reply["account"], reply["tokenType"], reply["shorter"]), ("work", "Bearer", False))
        self.assertEqual(self.issuer.session(reply["accessToken"]).status, 200)

    def test_it_learns_who_serves(self):
        info = self.ask("info")
        self.assertEqual((info["product"], set(info["interfaces"])),
                         ("almonerd", {"org.varlink.service", "org.almoner.Almoner"}))

    def test_it_can_read_the_interface(self):
        description = self.ask("description")
        self.assertIn("method GetAccessToken(", description)
        with open(os.path.join(HERE, "../../../PROTOCOL.md")) as file:
            self.assertIn(description.strip(), file.read())

    def test_an_unknown_account_is_one_of_our_errors(self):
        error = self.ask("unknown-account")
        self.assertEqual(error["error"], "org.almoner.Almoner.UnknownAccount")
        self.assertIn("nobody", error["parameters"]["message"])

    def test_an_unknown_method_is_a_standard_error(self):
        self.assertEqual(self.ask("unknown-method"), {
            "error": "org.varlink.service.MethodNotFound", "parameters": {"method": "org.almoner.Almoner.Nothing"}})

    def test_an_unknown_interface_is_a_standard_error(self):
        self.assertEqual(self.ask("unknown-interface"), {
            "error": "org.varlink.service.InterfaceNotFound", "parameters": {"interface": "org.example.none"}})

    def test_a_parameter_of_another_type_is_a_standard_error(self):
        self.assertEqual(self.ask("wrong-type"), {
            "error": "org.varlink.service.InvalidParameter", "parameters": {"parameter": "minValid"}})

    def test_a_parameter_that_is_not_known_is_a_standard_error(self):
        self.assertEqual(self.ask("unknown-parameter"), {
            "error": "org.varlink.service.InvalidParameter", "parameters": {"parameter": "colour"}})

    def test_a_stream_without_more_is_a_standard_error(self):
        self.assertEqual(self.ask("no-more")["error"], "org.varlink.service.ExpectedMore")

    def test_it_sees_a_refresh(self):
        process = self.start(os.path.join(HERE, "client.py"), self.place.socket, "monitor")
        self.assertEqual(json.loads(process.stdout.readline())["event"], "watching")
        self.place.token("work", "--force")
        event = json.loads(process.stdout.readline())
        self.assertEqual((event["event"], event["account"], event["generation"]), ("refreshed", "work", 2))


class Example(Client):
    # Beyond its margin of 30 s by so little that the test need not wait for long.
    lifetime = "33"

    def test_it_keeps_a_token_fresh(self):
        example = self.start(EXAMPLE, "work")
        lines = [example.stdout.readline().strip() for _ in range(2)]
        self.assertEqual(lines[0], "event: watching")
        self.assertRegex(lines[1], r"^work: Bearer token of generation 1, good for \d+ s$")
        self.assertEqual(self.refreshed(example), 2)

    def test_it_goes_on_after_a_refresh_that_somebody_else_forced(self):
        example = self.start(EXAMPLE, "work")
        example.stdout.readline()
        example.stdout.readline()
        self.place.token("work", "--force")
        self.assertEqual(example.stdout.readline(), "event: refreshed\n")
        self.assertIn("generation 2", example.stdout.readline())

    def refreshed(self, example):
        """The generation that it got after the first one, whatever events it told of."""
        for line in example.stdout:
            found = line.partition("of generation ")[2].partition(",")[0]
            if found and found != "1":
                return int(found)
        return None


if __name__ == "__main__":
    refuse_root()
    unittest.main()
