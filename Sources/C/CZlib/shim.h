#pragma once
#include <zlib.h>

// inflateInit2 is a macro that passes the size of z_stream. Raw DEFLATE (RFC 1951) has no header.
static inline int cz_inflate_init_raw(z_stream *stream) { return inflateInit2(stream, -15); }

// The same for deflateInit2. 8 is the usual memory level.
static inline int cz_deflate_init_raw(z_stream *stream) {
  return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}
