import type { Mutant } from "./mutant.ts";

export const platformMutants: readonly Mutant[] = [
  {
    id: "sealed-value-opens-elsewhere",
    what: "A sealed value does not depend on its row",
    file: "src/platform/crypto/seal.ts",
    from: "JSON.stringify([place.table, place.tenantId, place.row, place.column])",
    to: "JSON.stringify([place.table, place.tenantId, place.column])",
    test: "src/platform/crypto/seal.test.ts",
    noticedBy: "does not open in another place",
  },
  {
    id: "sealed-value-opens-in-another-column",
    what: "A sealed value does not depend on its column",
    file: "src/platform/crypto/seal.ts",
    from: "place.row, place.column])",
    to: "place.row])",
    test: "src/platform/crypto/seal.test.ts",
    noticedBy: "does not open in another place",
  },
  {
    id: "sealing-key-by-order",
    what: "A sealed value is opened with the newest key, whichever sealed it",
    file: "src/platform/crypto/seal.ts",
    from: "keys.find((candidate) => candidate.id === id)",
    to: "keys[0]",
    test: "src/platform/crypto/seal.test.ts",
    noticedBy: "opens after a key rotation while the ring contains its key",
  },
  {
    id: "nonce-repeated",
    what: "Sealed values share a nonce",
    file: "src/platform/crypto/seal.ts",
    from: "const iv = crypto.getRandomValues(new Uint8Array(12));",
    to: "const iv = new Uint8Array(12);",
    test: "src/platform/crypto/seal.test.ts",
    noticedBy: "has a version, the key id, a unique nonce and an opaque ciphertext",
  },
  {
    id: "derived-key-without-purpose",
    what: "The keys derived for all purposes are equal",
    file: "src/platform/crypto/seal.ts",
    from: "`derive:${purpose}`",
    to: '"derive:"',
    test: "src/platform/crypto/seal.test.ts",
    noticedBy: "is stable per purpose, differs between purposes and from the ring's key",
  },
];
