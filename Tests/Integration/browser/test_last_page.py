"""What a person reads at the end, in every language of the pages: words, direction, width, colours."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib")]
from look import ASKED, MEASURE, Look  # noqa: E402
from place import refuse_root  # noqa: E402
from scene import Scene  # noqa: E402

# The heading of a sign-in, and of one that was cancelled.
HEADINGS = {
    "en": ("That’s it, you can go back", "You were not signed in"),
    "de": ("Fertig, Sie können zurück", "Sie wurden nicht angemeldet"),
    "fr": ("C’est fait, vous pouvez revenir", "Vous n’avez pas été connecté(e)"),
    "ru": ("Готово, можно возвращаться", "Вход не выполнен"),
    "ar": ("تمّ الأمر، يمكنك العودة", "لم يتم تسجيل دخولك"),
}


class LastPage(Look, Scene):

    def visit(self, button, page, place_in_table):
        for language, headings in HEADINGS.items():
            self.chromium.speak(ASKED[language])
            login = self.login("in-" + language)
            self.chromium.go(login.url)
            self.press(button)
            self.arrive(page)
            self.assertEqual(self.chromium.text("h1"), headings[place_in_table])
            login.end()
            self.look(language, page)
            self.assertEqual(self.chromium.complaints(), [])
            self.place.almoner("logout", "--all")

    def test_the_page_of_a_sign_in(self):
        self.visit("ada", "done", 0)

    def test_the_page_of_a_cancelled_sign_in(self):
        self.visit("cancel", "denied", 1)

    def test_the_pages_of_what_does_not_belong_here(self):
        self.login().url  # noqa: B018
        headings = set()
        for language, asked in ASKED.items():
            self.chromium.speak(asked)
            for page in ("refused", "again", "closed"):
                self.chromium.go(self.issuer.redirect + "/" + page)
                headings.add(self.chromium.text("h1"))
                self.look(language, page)
        self.assertEqual(len(headings), 3 * len(ASKED))

    def test_a_language_that_no_page_speaks_gets_english(self):
        self.login().url  # noqa: B018
        self.chromium.speak("eo,la;q=0.9")
        self.chromium.go(self.issuer.redirect + "/closed")
        self.assertEqual(self.chromium.run(MEASURE)["language"], "en")


if __name__ == "__main__":
    refuse_root()
    unittest.main()
