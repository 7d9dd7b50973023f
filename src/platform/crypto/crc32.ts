/** CRC-32 (IEEE 802.3, as in zip and PNG) of ASCII text, as an unsigned integer. */
export function crc32(text: string): number {
  let rest = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) {
    rest ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return (rest ^ 0xffffffff) >>> 0;
}
