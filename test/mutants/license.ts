import type { Mutant } from "./mutant.ts";

export const licenseMutants: readonly Mutant[] = [
  {
    id: "license-of-another-type",
    what: "Any token of the issuer is a license",
    file: "src/areas/license/verify-license.ts",
    from: "if (verified.protectedHeader.typ?.toLowerCase() !== LICENSE_TYPE)",
    to: "if (false)",
    test: "src/areas/license/verify-license.test.ts",
    noticedBy: "is invalid if it is",
  },
  {
    id: "license-of-another-product",
    what: "A license for another product is accepted",
    file: "src/areas/license/verify-license.ts",
    from: "return audience.includes(LICENSE_AUDIENCE);",
    to: "return audience.length > 0;",
    test: "src/areas/license/verify-license.test.ts",
    noticedBy: "is invalid if it is",
  },
  {
    id: "license-without-grace",
    what: "An expired license has no days of grace",
    file: "src/areas/license/license.ts",
    from: "if (now >= graceEndsAtMs) return",
    to: "if (now >= expiresAtMs) return",
    test: "src/areas/license/license.test.ts",
    noticedBy: "with a license, ",
  },
  {
    id: "license-grace-for-ever",
    what: "An expired license refuses nothing",
    file: "src/areas/license/require-license.ts",
    from: 'if (status !== "EXPIRED" || !licensed.has(operation)) return;',
    to: "if (status !== null || !licensed.has(operation)) return;",
    test: "src/areas/license/license.test.ts",
    noticedBy: "include ",
  },
];
