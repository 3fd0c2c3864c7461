"""What a person reads at the end, in every language of the pages: words, direction, width, colours.

ALMONER_SCREENSHOTS names a directory for pictures of all of them, to be looked at; none are kept without it.
"""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib")]
from place import refuse_root  # noqa: E402
from scene import Scene  # noqa: E402

SCREENSHOTS = os.environ.get("ALMONER_SCREENSHOTS")
LANGUAGES = {
    "en": ("en-GB,en;q=0.9", "That’s it, you can go back", "You were not signed in"),
    "de": ("de-AT,de;q=0.9,en;q=0.5", "Fertig, Sie können zurück", "Sie wurden nicht angemeldet"),
    "fr": ("fr,en;q=0.8", "C’est fait, vous pouvez revenir", "Vous n’avez pas été connecté(e)"),
    "ru": ("ru-RU,ru;q=0.9,en;q=0.8", "Готово, можно возвращаться", "Вход не выполнен"),
    "ar": ("ar-EG,ar;q=0.9,en;q=0.8", "تمّ الأمر، يمكنك العودة", "لم يتم تسجيل دخولك"),
}
# Sizes that a page must serve: a narrow phone, and a desktop.
WIDTHS = (320, 1000)
# WCAG 2.2, 1.4.3: the least contrast of text.
CONTRAST = 4.5

MEASURE = """
const light = colour => {
  const [red, green, blue] = colour.match(/[\\d.]+/g).map(Number).map(part => part / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const behind = element => {
  for (let at = element; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (colour !== "rgba(0, 0, 0, 0)") return light(colour);
  }
  return 1;
};
const contrast = element => {
  const pair = [light(getComputedStyle(element).color), behind(element)];
  return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
};
const outside = [...document.querySelectorAll("main, main *:not(path):not(circle)")].filter(element => {
  const box = element.getBoundingClientRect();
  return box.left < -0.5 || box.right > innerWidth + 0.5;
});
return {
  language: document.documentElement.lang, direction: getComputedStyle(document.body).direction,
  wide: document.documentElement.scrollWidth, outside: outside.length, paper: behind(document.body),
  contrast: Math.min(...["h1", "p", "footer"].map(name => contrast(document.querySelector(name)))),
};
"""


class LastPage(Scene):
    def look(self, language, page):
        """Every check of the page that the tab shows, narrow and wide, by day and by night."""
        papers = {}
        for scheme in ("light", "dark"):
            self.chromium.devtools(
                "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            for width in WIDTHS:
                self.chromium.devtools("Emulation.setDeviceMetricsOverride", width=width, height=640,
                                       deviceScaleFactor=1, mobile=False)
                with self.subTest(language, page=page, scheme=scheme, width=width):
                    seen = self.chromium.run(MEASURE)
                    self.assertEqual(seen["language"], language)
                    self.assertEqual(seen["direction"], "rtl" if language == "ar" else "ltr")
                    self.assertEqual((seen["wide"], seen["outside"]), (width, 0))
                    self.assertGreaterEqual(seen["contrast"], CONTRAST)
                    papers[scheme] = seen["paper"]
                if SCREENSHOTS:
                    name = "%s-%s-%s-%d.png" % (page, language, scheme, width)
                    self.chromium.screenshot(os.path.join(SCREENSHOTS, name))
        self.chromium.devtools("Emulation.clearDeviceMetricsOverride")
        self.assertGreater(papers["light"], 0.7)
        self.assertLess(papers["dark"], 0.1)

    def visit(self, button, page, place_in_table):
        for language, row in LANGUAGES.items():
            self.chromium.speak(row[0])
            login = self.login("in-" + language)
            self.chromium.go(login.url)
            self.press(button)
            self.arrive(page)
            self.assertEqual(self.chromium.text("h1"), row[place_in_table])
            login.end()
            self.look(language, page)
            self.assertEqual(self.chromium.complaints(), [])
            self.place.almoner("logout", "--all")

    def test_the_page_of_a_sign_in(self):
        self.visit("ada", "done", 1)

    def test_the_page_of_a_cancelled_sign_in(self):
        self.visit("cancel", "denied", 2)

    def test_the_pages_of_what_does_not_belong_here(self):
        self.login().url  # noqa: B018
        headings = set()
        for language, row in LANGUAGES.items():
            self.chromium.speak(row[0])
            for page in ("refused", "again", "closed"):
                self.chromium.go(self.issuer.redirect + "/" + page)
                headings.add(self.chromium.text("h1"))
                self.look(language, page)
        self.assertEqual(len(headings), 3 * len(LANGUAGES))

    def test_a_language_that_no_page_speaks_gets_english(self):
        self.login().url  # noqa: B018
        self.chromium.speak("eo,la;q=0.9")
        self.chromium.go(self.issuer.redirect + "/closed")
        self.assertEqual(self.chromium.run(MEASURE)["language"], "en")


if __name__ == "__main__":
    refuse_root()
    unittest.main()
