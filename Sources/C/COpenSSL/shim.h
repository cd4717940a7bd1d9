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

// All are macros around a variadic function, or that function.
static inline EVP_PKEY *cossl_ed25519_generate(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"); }
static inline EVP_PKEY *cossl_ed448_generate(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "ED448"); }
static inline EVP_PKEY *cossl_x25519_generate(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "X25519"); }
static inline EVP_PKEY *cossl_rsa_generate(unsigned int bits) { return EVP_RSA_gen(bits); }
static inline EVP_PKEY *cossl_ec_generate(const char *curve) { return EVP_EC_gen(curve); }

// OPENSSL_free is a macro with the caller's file and line.
static inline void cossl_free(void *pointer) { OPENSSL_free(pointer); }
// OPENSSL_memdup likewise.
static inline void *cossl_copy(const void *bytes, size_t count) { return OPENSSL_memdup(bytes, count); }

// A parameter retains the pointer to its name. Swift would pass a temporary copy; a literal here is
// static.
static inline OSSL_PARAM cossl_mac_digest(char *name) {
  return OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0);
}
static inline OSSL_PARAM cossl_kdf_digest(char *name) {
  return OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, name, 0);
}
static inline OSSL_PARAM cossl_kdf_secret(void *bytes, size_t count) {
  return OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SECRET, bytes, count);
}
static inline OSSL_PARAM cossl_kdf_info(void *bytes, size_t count) {
  return OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, bytes, count);
}
