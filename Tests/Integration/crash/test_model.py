"""The model itself: what the daemon is compared with has to be worth it."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Model"))
import rotation_model as model  # noqa: E402


class Model(unittest.TestCase):
    def each(self):
        for policy in model.POLICIES:
            for crash, fates, outage in model.scenarios():
                yield (policy, crash, fates, outage), [
                    model.Run(policy, strategy, crash, fates, outage) for strategy in ("marker_probe", "courier")]

    def test_the_courier_is_nowhere_worse_than_marker_probe(self):
        for scenario, (probe, courier) in self.each():
            with self.subTest(scenario):
                self.assertGreaterEqual(courier.is_whole, probe.is_whole)
                self.assertLessEqual(courier.server.reuse, probe.server.reuse)
                self.assertLessEqual(courier.posts, probe.posts)

    def test_a_crash_of_the_daemon_alone_costs_the_courier_nothing(self):
        for policy in model.POLICIES:
            for crash, fates, outage in model.scenarios():
                if outage == model.OUTAGES[0] and fates == ("ok", "ok"):
                    run = model.Run(policy, "courier", crash, fates, outage)
                    self.assertEqual((run.is_whole, run.posts), (True, 1), (policy, crash))

    def test_the_rows_are_those_of_the_design(self):
        rows = model.table()
        self.assertEqual([rows["none", name]["ok"] for name in model.STRATEGIES], [144, 177, 75, 177, 155, 177, 231])
        self.assertEqual([rows["window", name]["ok"] for name in model.STRATEGIES], [426, 462, 431, 466, 431, 466, 514])
        self.assertEqual({rows[policy, "courier"]["avoidable"] for policy in model.POLICIES}, {0})
        model.show(rows)


if __name__ == "__main__":
    unittest.main(verbosity=2)
