import type { Mutant } from "./mutant.ts";

const OBJECTS = "test/attacks/oci-objects.test.ts";
const RULES = "src/providers/oci/security-rules.ts";

/** What Oracle Cloud hides, and whose its rules are. */
export const ociAnswersMutants: readonly Mutant[] = [
  {
    id: "oci-rules-of-a-person-taken-over",
    what: "Rules that a person has made in a group are taken over by a create",
    file: RULES,
    from: "if (shown.length > 0) {",
    to: "if (shown.length > 25) {",
    test: "test/attacks/oci-provider.test.ts",
    noticedBy: "are not taken over by a create that wants the same",
  },
  {
    id: "oci-older-rules-count-as-ours",
    what: "Rules from before the create was sent count as those of its earlier attempt",
    file: RULES,
    from: 'judgedByTime(timeOf(rule["timeCreated"]), sentMs, skewMs) === "ours",',
    to: 'judgedByTime(timeOf(rule["timeCreated"]), sentMs, skewMs) !== "maybe",',
    test: "test/attacks/oci-provider.test.ts",
    noticedBy: "are not taken over by the look-up after a lost answer",
  },
  {
    id: "oci-begun-rules-forgotten",
    what: "Rules that were added before a further addition was refused are not known",
    file: RULES,
    from: "return { ...failed, id, mendable: true };",
    to: "return failed;",
    test: OBJECTS,
    noticedBy: "stay known if a further addition is refused",
  },
  {
    id: "hidden-object-sought-at-the-target",
    what: "An object is gone if the list of where the target makes objects now lacks it",
    file: "src/providers/rest/read-object.ts",
    from: "return places.length === 0 ? failed : goneOr(",
    to: "return places.length < 0 ? failed : goneOr(",
    test: OBJECTS,
    noticedBy: "after the target's compartment has changed is no deleted object",
  },
  {
    id: "moved-object-sought-where-it-was-made",
    what: "An object that was moved is gone if the list of where it was made lacks it",
    file: "src/providers/rest/read-object.ts",
    from: "const places = [properties, ...earlier].flatMap(",
    to: "const places = [properties].flatMap(",
    test: OBJECTS,
    noticedBy: "for an object that a person has moved",
  },
  {
    id: "read-without-what-was-shown",
    what: "Calls do not say what the object showed last",
    file: "src/orchestrator/steps/call-provider.ts",
    from: "if (stored === undefined) return {};\n  return { seen:",
    to: "if (stored !== null) return {};\n  return { seen:",
    test: "src/orchestrator/steps/call-provider.test.ts",
    noticedBy: "says what the object showed last",
  },
  {
    id: "stored-credential-gets-tokens",
    what: "A token is signed for a target with any stored credential",
    file: "src/orchestrator/program/target-identity.ts",
    from: "return credential !== null && federation?.completedBy?.(credential) === true;",
    to: "return credential !== null && federation?.completedBy !== undefined;",
    test: "src/orchestrator/program/target-identity.test.ts",
    noticedBy: "is requested beside a stored credential",
  },
  {
    id: "misspelt-member-of-a-bucket",
    what: "Misspelt names that are nested in a bucket are not found by the check",
    file: "src/providers/gcp/service-rows.ts",
    from: "shape: bucketShape(),",
    to: "",
    test: "test/providers/gcp.test.ts",
    noticedBy: "that is nested in a bucket",
  },
];
