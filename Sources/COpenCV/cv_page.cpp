#include "include/cv_page.h"
