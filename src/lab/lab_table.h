/* The laboratory's results as text and as CSV. */
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

/* A count as people read it: "1,070,064". */
enum { LAB_COUNT_SIZE = 32 };
void lab_write_count(uint64_t n, char out[LAB_COUNT_SIZE]);

/* A table for people. Techniques that are not exact have a star; what it means stands below. */
void lab_table_text(const LabSheet *s, Text *out);

/* The columns' names, and a line for each row. */
void lab_table_csv_head(Text *out);
void lab_table_csv(const LabSheet *s, Text *out);

#endif
