#pragma once
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

// OPENSSL_free is a macro with the caller's file and line.
static inline void cossl_free(void *pointer) { OPENSSL_free(pointer); }
// OPENSSL_memdup likewise.
static inline void *cossl_copy(const void *bytes, size_t count) { return OPENSSL_memdup(bytes, count); }
