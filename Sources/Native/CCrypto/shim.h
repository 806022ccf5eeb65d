// OpenSSL's libcrypto: SHA-256 with the processor's own instructions, HMAC, comparison in constant time.
// Ownership: EVP_MD_CTX_new gives a context that EVP_MD_CTX_free takes; digests are written into the caller's memory.
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
