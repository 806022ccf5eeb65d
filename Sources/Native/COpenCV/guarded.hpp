// Every entry of the façade runs through `guarded`: no C++ exception may reach Swift, where it would abort.
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
