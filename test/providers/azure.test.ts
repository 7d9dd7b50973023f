import { describe, expect, it } from "vitest";
import { isJsonMap } from "#platform/json.ts";
import { azureProvider } from "#providers/azure/azure-provider.ts";
import { azureTypes } from "#providers/azure/types.ts";
import { partOf } from "#test/support/depth.ts";
import { azureProblems } from "./azure/all-lives.ts";
import { ArmCloud } from "./azure/arm-cloud.ts";
import { azureDescription } from "./azure/description.ts";
import { addParents, samples } from "./azure/samples.ts";
import { type Shape, shapeOf } from "./azure/shape.ts";
import { expectTopLevelChecked } from "./type-mutations.ts";

const provider = azureProvider();

describe("the types of Azure", () => {
  it("are those that have a sample and a description", () => {
    const types = azureTypes.types().map((type) => type.replace("azure:", ""));
    expect(types.toSorted()).toEqual(Object.keys(samples).toSorted());
    expect(types.toSorted()).toEqual(Object.keys(azureDescription).toSorted());
    expect(types.length).toBeGreaterThanOrEqual(60);
  });

  it("have no member that a request may send and nothing checks", () => {
    for (const [name, { body }] of Object.entries(azureDescription))
      expect.soft(uncheckedIn(shapeOf(body)), name).toEqual([]);
  });

  it("live through create, read, change, replace and delete as described", async () => {
    const problems = await azureProblems({}, partOf(Object.keys(samples), 3));
    for (const [name, found] of problems) expect.soft(found, name).toEqual([]);
  });
});

/** The places in a body that may hold anything. */
function uncheckedIn(shape: Shape, at = ""): string[] {
  switch (shape.is) {
    case "any":
      return [at];
    case "list":
    case "map":
      return uncheckedIn(shape.items(), `${at}[]`);
    case "either":
      return shape.shapes.flatMap((one) => uncheckedIn(one(), at));
    case "object":
      return Object.entries(shape.members()).flatMap(([name, member]) =>
        member.readOnly ? [] : uncheckedIn(member.shape(), `${at}.${name}`),
      );
    case "text":
    case "integer":
    case "number":
    case "flag":
    case "choice":
      return [];
  }
}

/** The types that an ordinary run takes. */
const taken = partOf(Object.keys(samples), 3, 1);

describe("a mistake", () => {
  it.for(taken)("in the top level of %s is found by the check", (name) => {
    const type = `azure:${name}`;
    const { properties } = samples[name] ?? { properties: {} };
    expectTopLevelChecked(azureTypes, type, properties, ["azure"]);
  });

  it.for(taken)("inside the properties of %s never reaches Azure", async (name) => {
    const { properties } = samples[name] ?? { properties: {} };
    const inside = isJsonMap(properties["properties"]) ? properties["properties"] : {};
    for (const member of Object.keys(inside)) {
      const cloud = new ArmCloud();
      addParents(cloud);
      const before = cloud.ledger.length;
      const { [member]: value = null, ...rest } = inside;
      const wrong = { ...properties, properties: { ...rest, [`${member}x`]: value } };
      const call = { type: `azure:${name}`, name: "chosen-1", properties: wrong, token: "t-1" };
      const outcome = await provider.create(cloud.context(), call);
      expect(outcome, member).toMatchObject({
        kind: "failed",
        code: "InvalidRequestContent",
        retryable: false,
        unknownOutcome: false,
      });
      expect(cloud.ledger).toHaveLength(before);
    }
  });
});
