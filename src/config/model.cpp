#include "config/model.h"
