"""W2, a fleet with backoff, in SimPy 4: prints the same line of JSON as the program `peers`.

Usage: simpy_w2.py WORKERS EVENTS
"""

import json
import math
import random
import resource
import sys
import time

try:
    import simpy
except ImportError:
    sys.exit("SimPy is missing: python3 -m pip install 'simpy>=4,<5'")

MU = math.log(0.05)
SIGMA = 0.5
LONGEST_LATENCY = 2.0
CEILINGS = [min(30.0, 2.0**refusals) for refusals in range(11)]


def latency():
    """One-way latency in seconds."""
    return min(LONGEST_LATENCY, math.exp(random.gauss(MU, SIGMA)))


class Server:
    """A token bucket, refilled when asked."""

    def __init__(self, workers):
        self.rate = 0.2 * workers
        self.capacity = max(1.0, self.rate)
        self.tokens = self.capacity
        self.filled = 0.0
        self.served = 0
        self.refused = 0

    def take(self, now):
        """Whether an arrival is served."""
        gained = (now - self.filled) * self.rate
        self.tokens = min(self.capacity, self.tokens + gained)
        self.filled = now
        if self.tokens >= 1.0:
            self.tokens -= 1.0
            self.served += 1
            return True
        self.refused += 1
        return False


def worker(env, server):
    """Attempts forever: an event when the request arrives, one when the response is back."""
    yield env.timeout(random.random() + latency())
    refusals = 0
    while True:
        served = server.take(env.now)
        yield env.timeout(latency())
        if served:
            refusals = 0
            wait = random.expovariate(1.0)
        else:
            refusals = min(refusals + 1, 10)
            wait = random.random() * CEILINGS[refusals]
        yield env.timeout(wait + latency())


def main(workers, events):
    """Runs one cell and prints its line."""
    random.seed(1)
    env = simpy.Environment()
    server = Server(workers)
    for _ in range(workers):
        env.process(worker(env, server))
    # The start of a process is an event of the engine, not of the workload.
    for _ in range(workers):
        env.step()
    step = env.step
    start = time.process_time()
    for _ in range(events):
        step()
    cpu = time.process_time() - start
    line = {
        "engine": "simpy",
        "workload": "w2",
        "workers": workers,
        "events": events,
        "ns_per_event": round(cpu * 1e9 / events, 2),
        "served": server.served,
        "refused": server.refused,
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        "mean_wait": None,
    }
    print(json.dumps(line, separators=(",", ":")))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: simpy_w2.py WORKERS EVENTS")
    main(int(sys.argv[1]), int(sys.argv[2]))
