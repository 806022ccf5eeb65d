// libqrencode: QR codes (ISO/IEC 18004).
// Ownership: QRcode_encodeData gives a code that QRcode_free takes; its data is one byte a module, 1 in the lowest bit is dark.
#include <qrencode.h>
