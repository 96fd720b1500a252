#include <conio.h>
#include <stdio.h>

/* Prints, with the console's routines and with those of files. */
int main (void)
{
    unsigned char i;

    clrscr ();
    for (i = 1; i <= 3; ++i) {
        printf ("%u times %u is %u\n", i, i, i * i);
    }
    cputs ("done\r\n");
    return 0;
}
