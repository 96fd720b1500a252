#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lists, memory and files: much of the library, its constructors and its destructors among it. */
struct Entry {
    struct Entry* next;
    char name[8];
};

static void say_goodbye (void)
{
    puts ("goodbye");
}

int main (void)
{
    struct Entry* first = 0;
    struct Entry* entry;
    long sum = 0;
    unsigned i;
    FILE* file;

    atexit (say_goodbye);
    for (i = 0; i < 5; ++i) {
        entry = malloc (sizeof (struct Entry));
        if (entry == 0) {
            exit (EXIT_FAILURE);
        }
        sprintf (entry->name, "n%u", i);
        entry->next = first;
        first = entry;
        sum += i * 100000L;
    }
    file = fopen ("names", "w");
    if (file != 0) {
        for (entry = first; entry != 0; entry = entry->next) {
            fprintf (file, "%s %d %ld\n", entry->name, strlen (entry->name), sum / 3);
        }
        fclose (file);
    }
    return 0;
}
