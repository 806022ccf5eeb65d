#include "CSimdjson.h"

#include <new>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace simdjson;

struct cjson_reader {
    ondemand::parser parser;
    std::vector<std::string> names;
    std::unordered_map<std::string_view, int32_t> fields;
    std::vector<std::string> texts;
};

namespace {

const std::string_view nested = "nutriments";

bool strings(ondemand::array array, std::string &text) {
    for (auto element : array) {
        ondemand::value value;
        ondemand::json_type type;
        if (element.get(value) || value.type().get(type)) return false;
        if (type != ondemand::json_type::string) continue;
        std::string_view word;
        if (value.get_string().get(word)) return false;
        if (!text.empty()) text += ',';
        text += word;
    }
    return true;
}

bool number(ondemand::value value, std::string &text) {
    std::string_view token = value.raw_json_token();
    double ignored;
    if (value.get_double().get(ignored)) return false;
    text = token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
    return true;
}

/// Stores a value where its field is still empty.
bool keep(ondemand::value value, std::string &text) {
    ondemand::json_type type;
    if (value.type().get(type)) return false;
    if (!text.empty()) return true;
    switch (type) {
    case ondemand::json_type::string: {
        std::string_view word;
        if (value.get_string().get(word)) return false;
        text = word;
        return true;
    }
    case ondemand::json_type::number: return number(value, text);
    case ondemand::json_type::array: {
        ondemand::array array;
        return !value.get_array().get(array) && strings(array, text);
    }
    default: return true;
    }
}

bool read_object(cjson_reader &reader, ondemand::object object, bool is_outer) {
    for (auto member : object) {
        ondemand::field field;
        std::string_view name;
        if (std::move(member).get(field) || field.unescaped_key().get(name)) return false;
        auto found = reader.fields.find(name);
        if (found != reader.fields.end()) {
            if (!keep(field.value(), reader.texts[found->second])) return false;
        } else if (is_outer && name == nested) {
            ondemand::json_type type;
            if (field.value().type().get(type)) return false;
            ondemand::object inner;
            if (type != ondemand::json_type::object) continue;
            if (field.value().get_object().get(inner) || !read_object(reader, inner, false)) return false;
        }
    }
    return true;
}

bool is_at_end(ondemand::document &document) { return document.current_location().error() == OUT_OF_BOUNDS; }

/// Lines of an array end with a comma.
size_t without_comma(const char *bytes, size_t length) {
    size_t end = length;
    while (end > 0 && (bytes[end - 1] == ' ' || bytes[end - 1] == '\t' || bytes[end - 1] == '\r')) end--;
    return end > 0 && bytes[end - 1] == ',' ? end - 1 : end;
}

}  // namespace

size_t cjson_padding(void) { return SIMDJSON_PADDING; }

cjson_reader *cjson_reader_create(
    const char *const *keys, const int32_t *fields, size_t key_count, size_t field_count) {
    try {
        auto reader = new cjson_reader;
        // Reserved, because views of moved short strings would dangle.
        reader->names.reserve(key_count);
        for (size_t index = 0; index < key_count; index++) {
            reader->names.emplace_back(keys[index]);
            reader->fields[reader->names.back()] = fields[index];
        }
        reader->texts.resize(field_count);
        return reader;
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

void cjson_reader_destroy(cjson_reader *reader) { delete reader; }

bool cjson_read(cjson_reader *reader, const char *bytes, size_t length, cjson_text *texts) {
    try {
        for (auto &text : reader->texts) text.clear();
        length = without_comma(bytes, length);
        ondemand::document document;
        ondemand::object object;
        padded_string_view view(bytes, length, length + SIMDJSON_PADDING);
        if (reader->parser.iterate(view).get(document) || document.get_object().get(object)) return false;
        if (!read_object(*reader, object, true) || !is_at_end(document)) return false;
        for (size_t index = 0; index < reader->texts.size(); index++) {
            std::string &text = reader->texts[index];
            for (char &character : text) {
                // Line ends stay: a hyphen before one breaks a word.
                if (static_cast<unsigned char>(character) < 0x20 && character != '\n') character = ' ';
            }
            texts[index] = {text.empty() ? nullptr : text.data(), text.size()};
        }
        return true;
    } catch (const std::exception &) {
        return false;
    }
}
