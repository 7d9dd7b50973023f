import type { Mutant } from "./mutant.ts";

export const profilesMutants: readonly Mutant[] = [
  {
    id: "profile-update-races",
    what: "Of two changes of a profile at once, one is lost",
    file: "src/areas/profiles/update-profile.ts",
    from: "    call.requireVersion(profiles, before),\n",
    to: "",
    test: "test/areas/profiles.test.ts",
    noticedBy: "loses none of many simultaneous changes",
  },
];
