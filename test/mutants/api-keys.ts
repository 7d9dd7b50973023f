import type { Mutant } from "./mutant.ts";

export const apiKeysMutants: readonly Mutant[] = [
  {
    id: "scopes-widened-on-update",
    what: "A key can be given scopes that the caller lacks",
    file: "src/areas/api-keys/update-api-key.ts",
    from: "requireScopes(call.actor, body.scopes ?? []);",
    to: "",
    test: "test/areas/api-keys.test.ts",
    noticedBy: "requires every scope that the key has and would get",
  },
  {
    id: "scopes-widened-on-create",
    what: "A key can be created with scopes that the caller lacks",
    file: "src/areas/api-keys/create-api-key.ts",
    from: "requireScopes(call.actor, body.scopes);",
    to: "",
    test: "test/areas/authenticate.test.ts",
    noticedBy: "lets nobody grant more rights than they have",
  },
  {
    id: "key-without-creator",
    what: "A key does not depend on who created it",
    file: "src/areas/api-keys/create-api-key.ts",
    from: "creatorUserId: creatorOf(call.actor, tenantId),",
    to: "creatorUserId: null,",
    test: "test/attacks/session.test.ts",
    noticedBy: "end with the next request of a removed member, and of the keys that they created",
  },
  {
    id: "role-of-key-not-asked",
    what: "An admin changes an owner's key",
    file: "src/areas/api-keys/key-rights.ts",
    from: "if (own === undefined || !isAtLeast(own, role))",
    to: "if (own === undefined)",
    test: "test/attacks/membership.test.ts",
    noticedBy: "is not revoked by an admin, nor by a key with fewer scopes",
  },
  {
    id: "leaked-key-keeps-invitations",
    what: "Invitations outlive the key that made them, rotated as leaked",
    file: "src/areas/api-keys/rotate-api-key.ts",
    from: "...(overlaps ? [] : [endInvitations(call, before)]),",
    to: "",
    test: "test/attacks/membership.test.ts",
    noticedBy: "does not let its holder in once",
  },
];
