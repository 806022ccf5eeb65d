#include "include/cv_pieces.h"
