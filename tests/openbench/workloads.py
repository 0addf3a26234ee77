"""Creates the four kinds of workloads on an OpenBench server, through its forms, with the presets of openbench.json.

    workloads.py create http://127.0.0.1:8019 "rfp_margin, int, 67, 30, 150, 8, 0.002"
"""
import re
import sys

import requests

REPO = "https://github.com/castellan/castellan"
COMMON = {
    "book_name": "castellan.epd", "upload_pgns": "FALSE", "priority": "0", "throughput": "1000", "workload_size": "4",
    "syzygy_wdl": "DISABLED", "syzygy_adj": "DISABLED", "win_adj": "movecount=3 score=400",
    "draw_adj": "movenumber=40 movecount=8 score=10", "scale_method": "BASE", "scale_nps": "1000000", "info": "",
}


def side(who, branch, control):
    return {f"{who}_engine": "Castellan", f"{who}_repo": REPO, f"{who}_branch": branch, f"{who}_bench": "",
            f"{who}_network": "", f"{who}_options": "Threads=1 Hash=16", f"{who}_time_control": control}


def both(control, dev="dev"):
    return {**side("dev", dev, control), **side("base", "main", control)}


def workloads(inputs):
    sprt = {"test_mode": "SPRT", "test_bounds": "[60.00, 160.00]", "test_confidence": "[0.05, 0.05]", "test_max_games": ""}
    fixed = {"test_mode": "GAMES", "test_bounds": "N/A", "test_confidence": "N/A", "test_max_games": "12"}
    spsa = {"spsa_inputs": inputs, "spsa_reporting_type": "BULK", "spsa_distribution_type": "SINGLE", "spsa_alpha": "0.602",
            "spsa_gamma": "0.101", "spsa_A_ratio": "0.1", "spsa_iterations": "6", "spsa_pairs_per": "2"}
    datagen = {"datagen_max_games": "24", "datagen_custom_genfens": "", "datagen_play_reverses": "NO", "book_name": "NONE",
               "upload_pgns": "COMPACT", "win_adj": "None", "draw_adj": "None"}
    return [
        ("test", {**COMMON, **both("2.0+0.02"), **fixed, "priority": "4"}),
        ("test", {**COMMON, **both("N=1000"), **sprt, "priority": "3"}),
        ("tune", {**COMMON, **side("dev", "tune", "N=1000"), **spsa, "priority": "2"}),
        ("datagen", {**COMMON, **both("N=1000", "main"), **datagen, "priority": "1"}),
    ]


def token(session, url):
    return re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', session.get(url).text).group(1)


def main(server, inputs):
    session = requests.Session()
    session.post(f"{server}/login/", data={"username": "tester", "password": "a-good-password",
                                           "csrfmiddlewaretoken": token(session, f"{server}/login/")})
    for kind, form in workloads(inputs):
        url = f"{server}/{kind}/new/"
        answer = session.post(url, data={**form, "csrfmiddlewaretoken": token(session, url)})
        if not answer.url.rstrip("/").endswith("index") or "error-message" in answer.text and "Unable" in answer.text:
            print(f"not ok openbench: {kind} refused: {answer.status_code} {answer.url}")
            print(re.sub(r"<[^>]+>|\s+", " ", answer.text)[:1500])
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[2:]))
