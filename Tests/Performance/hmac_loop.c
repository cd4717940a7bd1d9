// hmac_loop KEY: the bare cost of Simple Web Tokens. One token a line on standard input; each MAC is computed and
// compared, nothing else is decoded and nothing is printed but how many were right.
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments) {
  if (count != 2) return 2;
  unsigned char key[96];
  const char *text = arguments[1];
  int length = EVP_DecodeBlock(key, (const unsigned char *)text, (int)strlen(text));
  for (size_t end = strlen(text); end > 0 && text[end - 1] == '='; end--) length--;

  EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
  EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
  OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, "SHA256", 0),
                             OSSL_PARAM_construct_end()};
  if (length <= 0 || EVP_MAC_init(context, key, (size_t)length, parameters) != 1) return 2;

  char *line = NULL;
  size_t room = 0;
  ssize_t read;
  long all = 0, right = 0;
  static const char name[] = "&HMACSHA256=";
  while ((read = getline(&line, &room, stdin)) > 0) {
    if (line[read - 1] == '\n') line[read - 1] = 0;
    all++;
    char *end = strstr(line, name);
    if (end == NULL) continue;
    unsigned char found[32], given[64], base64[64];
    size_t written = 0, digits = 0;
    EVP_MAC_init(context, NULL, 0, NULL);
    EVP_MAC_update(context, (unsigned char *)line, (size_t)(end - line));
    EVP_MAC_final(context, found, &written, sizeof found);
    for (const char *place = end + sizeof name - 1; *place != 0 && digits < 60; place++) {
      unsigned value = (unsigned char)*place;
      if (value == '%' && sscanf(place + 1, "%2x", &value) == 1) place += 2;
      base64[digits++] = (unsigned char)value;
    }
    if (EVP_DecodeBlock(given, base64, (int)digits) >= 32 && CRYPTO_memcmp(found, given, 32) == 0) right++;
  }
  printf("%ld\n", right);
  return right == all ? 0 : 1;
}
