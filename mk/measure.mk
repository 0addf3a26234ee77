# ---- Targets for measuring --------------------------------------------------------------------
# Measurements and long tests: minutes to hours, not part of `make test`.

.PHONY: strength-chart ancestors kills perft-full endings evolution opponent-games ratings adaptation bench-rules bench-analyse reasons puzzles own-book soak web-load

KILLS ?= 20
kills: all ## kill self-play, train and learn KILLS=20 times each, and resume
	KILLS=$(KILLS) CASTELLAN=$(abspath $(EXE)) tests/app/full-kills.sh

perft-full: all ## every perft line
	CASTELLAN=$(abspath $(EXE)) tests/perft/full.sh

ENDINGS ?= 2000
endings: ## ENDINGS=2000 games from random endings, checked against the tables
	@scripts/setup test
	@+$(SUBMAKE) MODE=test $(BUILD)/test/tests/unit/search/test_endings
	CASTELLAN_ENDINGS=$(ENDINGS) $(BUILD)/test/tests/unit/search/test_endings

evolution: all ## evolve the adaptive program again; the same figures every time
	@mkdir -p $(BUILD)/evolution
	@rm -f $(BUILD)/evolution/one $(BUILD)/evolution/two
	$(abspath $(EXE)) evolve --depth 1 --population 12 --games 12 --generations 100 --seed 2 --prove 400 \
	    --state $(BUILD)/evolution/one --svg $(BUILD)/evolution/evolution-1-ply.svg
	$(abspath $(EXE)) evolve --depth 2 --population 8 --games 8 --generations 80 --seed 1 --prove 400 \
	    --state $(BUILD)/evolution/two --svg $(BUILD)/evolution/evolution-2-plies.svg

ancestors: all ## what the documents of the classic programs report, measured again (GAMES=20)
	@scripts/ancestors $(abspath $(EXE))

opponent-games: all ## every opponent against others and against Castellan, as tables (NODES=, GAMES=)
	@JOBS=$(JOBS) scripts/opponent-games $(abspath $(EXE)) $(BUILD)/opponent-games

ratings: all ## measure levels, anchors and opponents; resumes where it was interrupted
	@JOBS=$(JOBS) scripts/ratings $(abspath $(EXE)) $(BUILD)/ratings

ADAPTATION_PLAYERS ?= 20
adaptation: ## the adaptive level against simulated players
	@scripts/setup test
	@+$(SUBMAKE) MODE=test $(BUILD)/test/tests/tools/adaptation
	$(BUILD)/test/tests/tools/adaptation $(ADAPTATION_PLAYERS)

bench-rules: all ## speed of move generation and of reading PGN
	@scripts/setup bench
	CASTELLAN=$(abspath $(EXE)) tests/perft/bench-rules.sh
	CASTELLAN=$(abspath $(EXE)) tests/app/bench-pgn.sh

ANALYSE_GAMES ?= 1000
ANALYSE_NODES ?= 10000
bench-analyse: all ## verdicts of analyse against Stockfish, and ANALYSE_GAMES=1000 games on all cores
	@scripts/setup bench
	@+$(SUBMAKE) MODE=test tools
	CASTELLAN=$(abspath $(EXE)) tests/app/bench-analyse.sh agreement tests/data/annotate.pgn $(ANALYSE_NODES)
	CASTELLAN=$(abspath $(EXE)) tests/app/bench-analyse.sh load $(ANALYSE_GAMES) $(ANALYSE_NODES)

REASONS_GAMES ?= $(BUILD)/level-games.pgn
REASONS_STEP  ?= 1
REASONS_NODES ?= 10000
REASONS_DRAWN ?= 100
REASONS_JUDGE ?= 200000
reasons: ## share of mistakes with a reason in each REASONS_STEP-th game of REASONS_GAMES=FILE (default: 100 games between levels), and REASONS_DRAWN=100 reasons checked with Stockfish
	@scripts/setup bench
	@+[ -f $(REASONS_GAMES) ] || { $(SUBMAKE) all && scripts/reasons games $(abspath $(EXE)) $(REASONS_GAMES); }
	@+$(SUBMAKE) MODE=release $(BUILD)/release/tests/tools/reasons
	@scripts/reasons count $(BUILD)/release/tests/tools/reasons $(REASONS_GAMES) $(REASONS_NODES) $(BUILD)/reasons.tsv $(REASONS_STEP)
	@scripts/reasons check $(BUILD)/reasons.tsv $(REASONS_DRAWN) $(REASONS_JUDGE)

PUZZLES_GAMES ?= tests/data/annotate.pgn
PUZZLES_JUDGE ?= 2000000
puzzles: all ## puzzles from PUZZLES_GAMES=FILE, each checked with Stockfish at PUZZLES_JUDGE=2000000 nodes
	@scripts/setup bench
	$(abspath $(EXE)) puzzles $(PUZZLES_GAMES) -o $(BUILD)/puzzles.epd
	@scripts/puzzles $(BUILD)/puzzles.epd $(PUZZLES_JUDGE)

own-book: all ## make the built-in book from the opening lines; needed after a new net
	$(abspath $(EXE)) book weigh data/openings.tsv -o data/book.bin --nodes 10000

web-load: all ## fifty boards at once against castellan web, and 10,000 idle clients
	@scripts/setup test
	@+$(SUBMAKE) MODE=test tools
	CASTELLAN=$(abspath $(EXE)) TOOLS=$(abspath $(BUILD)/test/tests/tools) tests/app/bench-web.sh

SECONDS ?= 3600
soak: all ## a soak test for SECONDS=3600: server, engine and self-play, some of it killed or sanitized
	@scripts/setup test
	@+$(SUBMAKE) MODE=asan all
	@+$(SUBMAKE) MODE=test tools
	CASTELLAN=$(abspath $(EXE)) SANITIZED=$(abspath $(BUILD)/asan/castellan) \
	    TOOLS=$(abspath $(BUILD)/test/tests/tools) tests/app/full-soak.sh $(SECONDS)

strength-chart: all ## draw Elo by generation of the net from docs/log/generations.txt
	$(abspath $(EXE)) net elo docs/log/generations.txt -o docs/log/net-elo.svg
