/* The laboratory's results as text, as CSV and as a picture. */
#ifndef LAB_LAB_TABLE_H
#define LAB_LAB_TABLE_H

#include "lab/lab.h"

/* One position, and what each technique made of it. */
typedef struct LabSheet {
    Position position;
    char name[LAB_NAME_SIZE];
    LabTechnique techniques[LAB_MAX_TECHNIQUES];
    LabResult results[LAB_MAX_TECHNIQUES];
    int count;
} LabSheet;

/* The share of minimax's nodes that a row saved, in percent: negative when it visited more. False
 * where there is nothing to compare: no minimax, or one of the two was not finished. */
bool lab_saving(const LabSheet *s, int row, double *percent);

/* A table for people. Techniques that are not exact have a star; what it means stands below. */
void lab_table_text(const LabSheet *s, Text *out);

/* The columns' names, and a line for each row. */
void lab_table_csv_head(Text *out);
void lab_table_csv(const LabSheet *s, Text *out);

/* A whole SVG file: a panel for each position with a bar for the nodes of each technique, on a
 * logarithmic scale that all panels share. */
void lab_table_svg(const LabSheet *sheets, int count, Text *out);

#endif
