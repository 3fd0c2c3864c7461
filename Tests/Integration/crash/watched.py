"""A scene whose daemon and couriers run under inject.c: calls of theirs can be made to fail, and their clock to jump."""
from injection import Injection
from scene import Scene


class Watched(Scene):
    def __init__(self, *arguments):
        self.injection = None
        super().__init__(*arguments)

    def start(self, crash=None, **more):
        self.injection = self.injection or Injection(self.place.root)
        super().start(crash, **self.injection.environment, **more)
