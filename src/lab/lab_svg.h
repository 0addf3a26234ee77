/* The laboratory's results as a picture: a bar for the nodes of each technique. */
#ifndef LAB_LAB_SVG_H
#define LAB_LAB_SVG_H

#include "lab/lab_table.h"

/* A whole SVG file: a panel for each position, nodes on a logarithmic scale that
 * all panels share. */
void lab_svg(const LabSheet *sheets, int count, Text *out);

#endif
