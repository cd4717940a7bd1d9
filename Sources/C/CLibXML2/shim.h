#pragma once
#include <stdarg.h>
// Debian builds libxml2 with ICU; its headers would pull <unicode/...> into this module, where it
// collides with the ICU inside Foundation. The macro hides trailing fields that are not read here.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/c14n.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>

// xmlFree is a mutable global function pointer, which Swift 6 rejects.
static inline void cxml_free(void *pointer) { xmlFree(pointer); }

static inline void cxml_discard(void *context, const char *format, ...) {
  (void)context;
  (void)format;
}
static inline void cxml_discard_structured(void *context, xmlErrorPtr error) {
  (void)context;
  (void)error;
}

// Without these, libxml2 prints to standard error: generic errors for the calling thread and for
// every thread that starts later.
static inline void cxml_silence(void) {
  xmlThrDefSetGenericErrorFunc(NULL, cxml_discard);
  xmlSetGenericErrorFunc(NULL, cxml_discard);
}

// The handlers of one parser context: the events that a tree builder uses. `unwanted` receives events
// that are errors (a DOCTYPE, an entity reference).
typedef void (*cxml_unwanted)(void *context, int is_doctype);

static inline void cxml_clear_handlers(xmlParserCtxtPtr parser) {
  xmlSAXHandlerPtr sax = parser->sax;
  *sax = (xmlSAXHandler){0};
  sax->initialized = XML_SAX2_MAGIC;
  sax->serror = (xmlStructuredErrorFunc)cxml_discard_structured;
}

// Makes a context ready for another document.
static inline void cxml_reset(xmlParserCtxtPtr parser, int options) {
  xmlCtxtReset(parser);
  xmlCtxtUseOptions(parser, options | XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_IGNORE_ENC);
}

// Parses `count` bytes, followed by a NUL, as UTF-8, whatever encoding they declare, in a context that was reset.
// Nothing is copied; the parser drops its reference to the bytes before this returns.
static inline void cxml_parse(xmlParserCtxtPtr parser, const unsigned char *bytes, size_t count) {
  xmlParserInputPtr input = xmlNewInputStream(parser);
  if (input == NULL) return;
  // A byte order mark is no part of the document. Whether libxml2 skips one here depends on its version.
  const unsigned char *start = bytes;
  if (count >= 3 && start[0] == 0xEF && start[1] == 0xBB && start[2] == 0xBF) start += 3;
  input->base = start;
  input->cur = start;
  input->end = bytes + count;
  if (inputPush(parser, input) < 0) {
    xmlFreeInputStream(input);
    return;
  }
  xmlParseDocument(parser);
  while ((input = inputPop(parser)) != NULL) xmlFreeInputStream(input);
  // No handler builds a tree, so there is none; freeing is a precaution.
  if (parser->myDoc != NULL) xmlFreeDoc(parser->myDoc);
  parser->myDoc = NULL;
}
