#include "CExpat.h"

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const size_t cexpat_most_depth = 32, cexpat_most_tag = 1 << 20, cexpat_most_memory = 32 << 20;

struct cexpat_reader {
    XML_Parser parser;
    cexpat_wanted wanted;
    cexpat_found found;
    void *context;
    size_t depth;
    uint64_t fed;
    cexpat_fault fault;
    uint64_t line;
    char detail[160];
    /// Bytes that the parser holds.
    size_t used;
};

// MARK: Memory

// Expat passes no context to its allocator, so this names the count of the reader at work on this thread.
static _Thread_local size_t *used;

// A block knows its size, so that its memory can be counted back.
typedef union {
    size_t size;
    max_align_t alignment;
} block_head;

static void *take(size_t size) {
    if (size > cexpat_most_memory - *used) return NULL;
    block_head *head = malloc(sizeof(block_head) + size);
    if (!head) return NULL;
    head->size = size;
    *used += size;
    return head + 1;
}

static void *change(void *block, size_t size) {
    if (!block) return take(size);
    block_head *head = (block_head *)block - 1;
    const size_t before = head->size;
    if (size > before && size - before > cexpat_most_memory - *used) return NULL;
    head = realloc(head, sizeof(block_head) + size);
    if (!head) return NULL;
    head->size = size;
    *used += size - before;
    return head + 1;
}

static void give(void *block) {
    if (!block) return;
    block_head *head = (block_head *)block - 1;
    *used -= head->size;
    free(head);
}

// MARK: Faults

static void stop(cexpat_reader *reader, cexpat_fault fault, const char *detail) {
    if (reader->fault) return;
    reader->fault = fault;
    reader->line = XML_GetCurrentLineNumber(reader->parser);
    snprintf(reader->detail, sizeof reader->detail, "%s", detail);
    XML_StopParser(reader->parser, XML_FALSE);
}

/// Whether a byte that Expat refused is not ASCII. UTF-8 is the only encoding that a reader takes.
static bool is_at_wrong_byte(const cexpat_reader *reader) {
    int offset = 0, size = 0;
    const char *text = XML_GetInputContext(reader->parser, &offset, &size);
    return text && offset >= 0 && offset < size && (unsigned char)text[offset] >= 0x80;
}

static void refuse(cexpat_reader *reader, bool is_last) {
    const enum XML_Error error = XML_GetErrorCode(reader->parser);
    const char *const words = XML_ErrorString(error);
    switch (error) {
    case XML_ERROR_NO_MEMORY: return stop(reader, CEXPAT_MEMORY, "");
    case XML_ERROR_UNKNOWN_ENCODING:
    case XML_ERROR_INCORRECT_ENCODING: return stop(reader, CEXPAT_ENCODING, "");
    case XML_ERROR_INVALID_TOKEN:
        return stop(reader, is_at_wrong_byte(reader) ? CEXPAT_ENCODING : CEXPAT_MALFORMED, words);
    case XML_ERROR_NO_ELEMENTS:
    case XML_ERROR_UNCLOSED_TOKEN:
    case XML_ERROR_UNCLOSED_CDATA_SECTION:
    case XML_ERROR_PARTIAL_CHAR: return stop(reader, is_last ? CEXPAT_TRUNCATED : CEXPAT_MALFORMED, words);
    default: return stop(reader, CEXPAT_MALFORMED, words);
    }
}

// MARK: The document

static void declared(void *user, const char *version, const char *encoding, int standalone) {
    (void)version, (void)standalone;
    if (encoding && strcasecmp(encoding, "UTF-8") != 0) stop(user, CEXPAT_ENCODING, "");
}

static void typed(void *user, const char *name, const char *system, const char *public, int has_subset) {
    (void)name, (void)system, (void)public, (void)has_subset;
    stop(user, CEXPAT_DOCTYPE, "");
}

static void began(void *user, const char *name, const char **attributes) {
    cexpat_reader *reader = user;
    if (reader->fault) return;
    if (reader->depth == 0 && strcmp(name, reader->wanted.root) != 0) return stop(reader, CEXPAT_ROOT, name);
    if (reader->depth == cexpat_most_depth) return stop(reader, CEXPAT_DEEP, "");
    reader->depth += 1;
    if (strcmp(name, reader->wanted.element) != 0) return;
    for (const char **pair = attributes; *pair; pair += 2) {
        if (strcmp(pair[0], reader->wanted.attribute) != 0) continue;
        if (strcmp(pair[1], reader->wanted.value) == 0)
            reader->found(reader->context, attributes, XML_GetCurrentLineNumber(reader->parser));
        return;
    }
}

static void ended(void *user, const char *name) {
    (void)name;
    ((cexpat_reader *)user)->depth -= 1;
}

// MARK: Readers

cexpat_reader *cexpat_create(cexpat_wanted wanted, cexpat_found found, void *context) {
    cexpat_reader *reader = calloc(1, sizeof(cexpat_reader));
    if (!reader) return NULL;
    const XML_Memory_Handling_Suite memory = {take, change, give};
    used = &reader->used;
    reader->parser = XML_ParserCreate_MM("UTF-8", &memory, NULL);
    if (!reader->parser) {
        free(reader);
        return NULL;
    }
    reader->wanted = wanted;
    reader->found = found;
    reader->context = context;
    XML_SetUserData(reader->parser, reader);
    XML_SetElementHandler(reader->parser, began, ended);
    XML_SetXmlDeclHandler(reader->parser, declared);
    XML_SetStartDoctypeDeclHandler(reader->parser, typed);
    return reader;
}

void cexpat_destroy(cexpat_reader *reader) {
    if (!reader) return;
    used = &reader->used;
    XML_ParserFree(reader->parser);
    free(reader);
}

cexpat_fault cexpat_read(cexpat_reader *reader, const char *bytes, size_t length, bool is_last) {
    if (reader->fault) return reader->fault;
    used = &reader->used;
    char *buffer = XML_GetBuffer(reader->parser, (int)length);
    if (!buffer) {
        refuse(reader, is_last);
        return reader->fault;
    }
    for (size_t index = 0; index < length; index++) {
        const unsigned char byte = (unsigned char)bytes[index];
        const bool is_control = byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
        buffer[index] = is_control ? ' ' : (char)byte;
    }
    reader->fed += length;
    if (XML_ParseBuffer(reader->parser, (int)length, is_last) != XML_STATUS_OK) {
        refuse(reader, is_last);
        return reader->fault;
    }
    // What is not yet complete begins at the current byte.
    const XML_Index at = XML_GetCurrentByteIndex(reader->parser);
    if (!is_last && at >= 0 && reader->fed - (uint64_t)at > cexpat_most_tag) stop(reader, CEXPAT_LONG, "");
    return reader->fault;
}

uint64_t cexpat_line(const cexpat_reader *reader) { return reader->line; }

const char *cexpat_detail(const cexpat_reader *reader) { return reader->detail; }
