#include "lab/lab.h"

/* With the depths that the document searched them to. */
static const LabPosition positions[] = {
    {"A1", "r1bk1bnr/pp2p1p1/2p3Bp/3p4/5P2/N1P2N1q/PP1P1PPP/R1BQK2R b KQ - 0 10", 4},
    {"A2", "r1bk1bnr/pp2p1p1/2p3Bp/3p4/5P1N/N1P5/PP1P1PqP/R1BQK2R b KQ - 1 11", 4},
    {"A3", "r1bk1bnr/pp2p1p1/2p3Bp/3p4/5P1N/N1P5/PP1PKP1P/R1BQ3q b - - 1 12", 4},
    {"B1", "8/Q7/8/2p2p2/1k1nq3/1P6/3K1P2/5B2 b - - 1 1", 6},
    {"B2", "8/Q7/8/2p2p2/1k1n4/1P2K3/2q2P2/5B2 b - - 3 2", 6},
    {"B3", "8/Q7/8/2p2p2/1k1n4/1P1K4/5P2/2q2B2 b - - 5 3", 6},
    {"C1", "4K3/8/8/8/8/R6R/8/4k3 w - - 0 1", 6},
    {"C2", "4K3/8/8/8/8/7R/R7/5k2 w - - 2 2", 6},
};

int lab_position_count(void)
{
    return sizeof positions / sizeof *positions;
}

LabPosition lab_position(int index)
{
    return positions[index];
}
