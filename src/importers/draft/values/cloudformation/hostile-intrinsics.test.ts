import { expect, it } from "vitest";
import { cloudFormationParser } from "#importers/cloudformation/cloudformation.ts";
import { oneToOne } from "#importers/draft/types/mapped-type.ts";
import type { DraftedResource } from "#importers/draft/values/drafted-resource.ts";
import { scopesOf } from "#importers/evaluate/scopes.ts";
import { ImportLog } from "#importers/import-log.ts";
import { ImportWork } from "#importers/import-work.ts";
import { withoutSecrets } from "#importers/without-secrets.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { processorTime } from "#test/support/processor-time.ts";
import { ConditionsInForce } from "./conditions-in-force.ts";
import { mappingType } from "./mapping-type.ts";
import { readsSecret } from "./reads-secret.ts";

/** Processor time. Each of these took several times as much before. */
const MAX_SECONDS = 1;

/** The scope of a template. */
function scopeOf(template: object) {
  const text = JSON.stringify({ Parameters: parameters, Resources: {}, ...template });
  const files = [{ path: "a.json", text }];
  const { modules } = parsedBy(cloudFormationParser, files, new ImportLog());
  const [module] = withoutSecrets(modules);
  if (module === undefined) throw new Error("There is no module");
  return { module, root: scopesOf(module, new Map(), new ImportWork()).root };
}

const parameters = { P: { Type: "String" }, Word: { Type: "String", NoEcho: true } };
const map = (length: number, of: (at: number) => readonly [string, unknown]) =>
  Object.fromEntries(Array.from({ length }, (_, at) => of(at)));
const isX = (parameter: string) => ({ "Fn::Equals": [{ Ref: parameter }, "x"] });

it.each([
  ["that reads a secret", "Word", true],
  ["that reads none", "P", false],
])("a long chain of conditions %s is followed once", (_, parameter, expected) => {
  const { module, root } = scopeOf({
    Conditions: {
      C0: isX(parameter),
      ...map(6_000, (at) => [`C${at + 1}`, { "Fn::Or": [{ Condition: `C${at}` }, isX("P")] }]),
    },
  });
  const spentMs = processorTime();
  // The last condition reads all others.
  const answers = module.locals.toReversed().map(({ value }) => readsSecret(value, root));
  expect(new Set(answers)).toEqual(new Set([expected]));
  expect(answers).toHaveLength(6_001);
  expect(spentMs() / 1000).toBeLessThan(MAX_SECONDS);
});

it("the type of a long mapping is found once", () => {
  const look = { "Fn::FindInMap": ["M", { Ref: "P" }, "k"] };
  const { module, root } = scopeOf({
    Mappings: {
      M: map(6_000, (at) => [`m${at}`, { k: 1, l: "x", m: at === 5_999 ? "x" : true }]),
    },
    Resources: { T: { Type: "AWS::SNS::Topic", Properties: { DisplayName: look } } },
  });
  const value = module.resources[0]?.settings.members[0]?.value;
  if (value?.kind !== "call") throw new Error("It is no look-up");
  const spentMs = processorTime();
  const keyed = (key: string) =>
    mappingType(
      { ...value, args: [...value.args.slice(0, -1), { kind: "literal", value: key }] },
      root,
    );
  for (let time = 0; time < 10_000; time += 1) expect(keyed("k")).toBe("number");
  expect(["l", "m", "n"].map(keyed)).toEqual(["text", undefined, undefined]);
  expect(spentMs() / 1000).toBeLessThan(MAX_SECONDS);
});

it("the conditions of a resource are compared once", () => {
  const { module, root } = scopeOf({
    Conditions: {
      All: {
        "Fn::And": Object.keys(map(10, (at) => [`C${at}`, 0])).map((one) => ({ Condition: one })),
      },
      ...map(10, (at) => [`C${at}`, isX("P")]),
    },
    Resources: { T: { Type: "AWS::SNS::Topic", Condition: "All" } },
  });
  const [source] = module.resources;
  if (source === undefined) throw new Error("There is no resource");
  const made: DraftedResource = {
    name: "t",
    scope: root,
    source,
    mapped: oneToOne("aws:AWS::SNS::Topic"),
    facts: undefined,
    parts: [],
    beside: [],
  };
  const inForce = new ConditionsInForce();
  const spentMs = processorTime();
  for (let time = 0; time < 60_000; time += 1) expect(inForce.has(made)).toBe(false);
  expect(inForce.withinResource(made, () => inForce.has(made))).toBe(true);
  expect(spentMs() / 1000).toBeLessThan(MAX_SECONDS);
});
