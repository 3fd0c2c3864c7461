"""What can be measured of a page that a person reads: language, direction, width, colours; and pictures for the eye.

ALMONER_SCREENSHOTS names a directory for pictures of everything that is measured; none are kept without it.
"""
import os

SCREENSHOTS = os.environ.get("ALMONER_SCREENSHOTS")
# What a browser asks for whose person reads one of the languages of our pages.
ASKED = {
    "en": "en-GB,en;q=0.9", "de": "de-AT,de;q=0.9,en;q=0.5", "fr": "fr,en;q=0.8", "ru": "ru-RU,ru;q=0.9,en;q=0.8",
    "ar": "ar-EG,ar;q=0.9,en;q=0.8",
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
const card = document.querySelector("main"), edge = card.getBoundingClientRect(), air = getComputedStyle(card);
const [from, to] = [edge.left + parseFloat(air.paddingLeft), edge.right - parseFloat(air.paddingRight)];
const outside = [...document.querySelectorAll("main *:not(path):not(circle)")].filter(element => {
  const box = element.getBoundingClientRect();
  return box.width && (box.left < from - 0.5 || box.right > to + 0.5);
});
const shown = [...document.querySelectorAll("main *")].filter(element => element.getClientRects().length
  && (element.value || [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())));
return {
  language: document.documentElement.lang, direction: getComputedStyle(document.body).direction,
  overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth, outside: outside.length,
  paper: behind(document.body), contrast: Math.min(...shown.map(contrast)),
};
"""


class Look:
    """For a test case with a `chromium`."""

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
                    self.assertEqual((seen["overflow"], seen["outside"]), (0, 0))
                    self.assertGreaterEqual(seen["contrast"], CONTRAST)
                    papers[scheme] = seen["paper"]
                if SCREENSHOTS:
                    name = "%s-%s-%s-%d.png" % (page, language, scheme, width)
                    self.chromium.screenshot(os.path.join(SCREENSHOTS, name))
        self.chromium.devtools("Emulation.clearDeviceMetricsOverride")
        self.assertGreater(papers["light"], 0.7)
        self.assertLess(papers["dark"], 0.1)
