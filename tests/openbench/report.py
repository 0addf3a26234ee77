# Read by `manage.py shell` of the OpenBench server: what it says about the workloads in the end.
from OpenBench.models import LogEvent, Result, SPSAParameter, Test

GOALS = {"GAMES": 12, "SPRT": 2, "SPSA": 24, "DATAGEN": 24}
for test in Test.objects.order_by("id"):
    results = Result.objects.filter(test=test)
    crashes, losses = sum(r.crashes for r in results), sum(r.timeloss for r in results)
    moved = [f"{p.name} {p.start:g} -> {p.value:.3f}" for p in SPSAParameter.objects.filter(spsa_run__tune=test)]
    fine = test.finished and test.games >= GOALS[test.test_mode] and not crashes and not losses and not test.error
    print("%s openbench %s: %d games (%d won, %d lost, %d drawn), %d crashes, %d lost on time%s%s%s" % (
        "ok" if fine else "not ok", test.test_mode, test.games, test.wins, test.losses, test.draws, crashes, losses,
        ", passed" if test.passed else ", failed" if test.failed else "", ", LLR %.2f" % test.currentllr if test.currentllr else "",
        ", " + "; ".join(moved) if moved else ""))

for event in LogEvent.objects.exclude(machine_id=0)[:5]:
    print("error: " + event.summary)

