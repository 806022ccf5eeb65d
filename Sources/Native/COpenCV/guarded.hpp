// Every entry point of the façade runs in `guarded`. A C++ exception would abort in Swift.
#pragma once
#include "include/cv_status.h"
#include <new>
#include <opencv2/core.hpp>

template <typename Body> static int guarded(Body body) noexcept {
    try {
        return body();
    } catch (const std::bad_alloc &) {
        return TCV_E_MEMORY;
    } catch (...) {
        return TCV_E_OPENCV;
    }
}
