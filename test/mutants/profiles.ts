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
  {
    id: "inherited-secret-in-clear",
    what: "A profile's secret is stored in clear text in an instance whose template does not call it secret",
    file: "src/areas/profiles/profile-variables.ts",
    from: "new Set([...taker.secretNames, ...sealedNames(taken)])",
    to: "new Set(taker.secretNames)",
    test: "test/areas/profiles.test.ts",
    noticedBy: "seals what is secret in the template or in the profile",
  },
  {
    id: "profile-of-another-tenant",
    what: "An operator gives an instance another tenant's profile",
    file: "src/areas/instances/update-instance.ts",
    from: 'if (typeof body.profileId === "string" && !usableProfile(profile, before.tenantId))',
    to: 'if (typeof body.profileId === "string" && profile === undefined)',
    test: "test/areas/profiles.test.ts",
    noticedBy: "cannot use another tenant's profile, nor an unknown one",
  },
];
