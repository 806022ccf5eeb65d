#include "cv_pieces_outline.hpp"
#include "cv_pieces_image.hpp"
#include "guarded.hpp"
#include <opencv2/imgproc.hpp>

namespace {
cv::Vec3d at(const cv::Mat &image, const cv::Point2d &p) {
    const int x = std::clamp(int(p.x), 0, image.cols - 2), y = std::clamp(int(p.y), 0, image.rows - 2);
    const double u = std::clamp(p.x - x, 0.0, 1.0), v = std::clamp(p.y - y, 0.0, 1.0);
    const cv::Vec3d a = image.at<cv::Vec3b>(y, x), b = image.at<cv::Vec3b>(y, x + 1), c = image.at<cv::Vec3b>(y + 1, x),
                    d = image.at<cv::Vec3b>(y + 1, x + 1);
    return (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v;
}

/// Moves a side outward from inside a region's rim to the greatest change of colour. `step` receives the change in
/// the weaker half of the side.
bool moveOutward(const cv::Mat &work, cv::Point2d &a, cv::Point2d &b, double least, double most, double &step) {
    const cv::Point2d along = b - a;
    const double length = cv::norm(along);
    const cv::Point2d out = cv::Point2d(along.y, -along.x) * (1 / length);
    cv::Point2d moved[2];
    step = 1e9;
    for (int half = 0; half < 2; half++) {
        const double from = half ? 0.54 : 0.1, to = half ? 0.9 : 0.46;
        const int samples = std::clamp(int(length * 0.36), 6, 24);
        std::vector<cv::Vec3d> mean;
        for (double off = least - 2; off <= most + 2; off += 0.5) {
            cv::Vec3d sum(0, 0, 0);
            for (int i = 0; i < samples; i++) sum += at(work, a + along * (from + (to - from) * (i + 0.5) / samples) + out * off);
            mean.push_back(sum * (1.0 / samples));
        }
        double best = 0, place = 0;
        for (size_t i = 3; i + 3 < mean.size(); i++) {
            const double here = cv::norm(mean[i + 3] + mean[i + 2] - mean[i - 2] - mean[i - 3]) / 2;
            if (here > best) best = here, place = least - 2 + 0.5 * double(i);
        }
        step = std::min(step, best);
        moved[half] = a + along * ((from + to) / 2) + out * place;
    }
    const cv::Point2d way = moved[1] - moved[0];
    a = moved[0] - way * (0.28 / 0.44), b = moved[1] + way * (0.28 / 0.44);
    return step > 0;
}

/// Four sides around a region without steep gradients, moved outward to its rim.
bool enclosedQuad(const tcv_pieces &prepared, const std::vector<cv::Point> &outline, tcv_piece_shape &shape) {
    std::vector<cv::Point> hull;
    cv::convexHull(outline, hull);
    const double area = cv::contourArea(outline);
    if (area < 0.8 * cv::contourArea(hull)) return false;
    std::vector<cv::Point2d> corners = coarseCorners(hull);
    if (corners.size() != 4 || !straighten(outline, corners) || !clockwiseConvex(corners)) return false;
    double squares = 0;
    int near = 0;
    for (const cv::Point &p : outline) {
        double distance, along;
        nearestSide(p, corners, distance, along);
        squares += std::min(distance, 4.0) * std::min(distance, 4.0), near += distance < 1.5;
    }
    shape = {};
    shape.support = double(near) / double(outline.size());
    if (shape.support < 0.75) return false;
    cv::Vec4f lines[4];
    shape.contrast = 255;
    for (size_t i = 0; i < 4; i++) {
        cv::Point2d a = corners[i], b = corners[(i + 1) % 4];
        double step = 0;
        if (!moveOutward(prepared.work, a, b, -1.5, 2.5, step)) return false;
        shape.contrast = std::min(shape.contrast, step);
        lines[i] = cv::Vec4f(float(b.x - a.x), float(b.y - a.y), float(a.x), float(a.y));
        const float length = std::hypot(lines[i][0], lines[i][1]);
        lines[i][0] /= length, lines[i][1] /= length;
    }
    for (size_t i = 0; i < 4; i++)
        if (!cross(lines[(i + 3) % 4], lines[i], corners[i])) return false;
    if (!clockwiseConvex(corners)) return false;
    shape.corners = 4, shape.label = -1, shape.fill = shape.support;
    shape.residual = std::sqrt(squares / double(outline.size())) * prepared.scale;
    for (size_t i = 0; i < 4; i++) {
        shape.xy[2 * i] = (corners[i].x + 0.5) * prepared.scale - 0.5;
        shape.xy[2 * i + 1] = (corners[i].y + 0.5) * prepared.scale - 0.5;
    }
    return true;
}
} // namespace

int tcv_pieces_enclosed(const tcv_pieces *prepared, tcv_piece_shape *shapes, int capacity, int *count) {
    return guarded([&] {
        if (!prepared || !shapes || !count || capacity < 1 || prepared->isRectified) return int(TCV_E_ARGUMENT);
        *count = 0;
        const cv::Size size = prepared->work.size();
        const int smallest = 10;         // the direction of a shorter side cannot be measured
        if (size.width < 4 * smallest || size.height < 4 * smallest) return int(TCV_OK);
        // The channel with the steepest gradient counts, because a tile may have the table's brightness and another
        // hue.
        cv::Mat dx, dy, edges;
        cv::Sobel(prepared->work, dx, CV_16S, 1, 0), cv::Sobel(prepared->work, dy, CV_16S, 0, 1);
        const cv::Mat brush = cv::getStructuringElement(cv::MORPH_CROSS, cv::Size(3, 3));
        std::vector<cv::Rect> known;
        // Sobel's units, eight to a step of one; noise of 3.5 gives 15.
        for (const double level : {30.0, 90.0}) {
            cv::Canny(dx, dy, edges, 0.5 * level, level, true);
            cv::dilate(edges, edges, brush);     // closes gaps of edges at corners
            std::vector<std::vector<cv::Point>> outlines;
            std::vector<cv::Vec4i> nested;
            cv::findContours(edges, outlines, nested, cv::RETR_CCOMP, cv::CHAIN_APPROX_NONE);
            for (size_t i = 0; i < outlines.size() && *count < capacity; i++) {
                if (nested[i][3] < 0) continue;  // an edge's own outline; a hole in it is a region
                const cv::Rect box = cv::boundingRect(outlines[i]);
                if (box.width < smallest || box.height < smallest || box.area() > size.area() / 3) continue;
                if (box.x < 2 || box.y < 2 || box.br().x > size.width - 2 || box.br().y > size.height - 2) continue;
                const bool isKnown = std::any_of(known.begin(), known.end(), [&](const cv::Rect &other) {
                    return std::abs(other.x - box.x) + std::abs(other.y - box.y) + std::abs(other.br().x - box.br().x) + std::abs(other.br().y - box.br().y) < 5;
                });
                if (isKnown || !enclosedQuad(*prepared, outlines[i], shapes[*count])) continue;
                known.push_back(box);
                (*count)++;
            }
        }
        return int(TCV_OK);
    });
}
