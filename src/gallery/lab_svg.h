/* The laboratory's results as a picture: a bar for the nodes of each technique. */
#ifndef GALLERY_LAB_SVG_H
#define GALLERY_LAB_SVG_H

#include "gallery/lab_table.h"

/* A whole SVG file: a panel for each position, nodes on a logarithmic scale that all panels share. */
void lab_svg(const LabSheet *sheets, int count, Text *out);

#endif
