import { expect, it } from "vitest";
import { checkTemplate } from "#engine/template/check.ts";
import { parseTemplate } from "#engine/template/parse.ts";
import { digitaloceanTypes } from "#providers/digitalocean/types.ts";

function warningsOf(domain: string, options: object = {}) {
  const { template } = parseTemplate(
    JSON.stringify({
      resources: {
        dom: { type: "digitalocean:Domain", properties: { name: "shop.example" } },
        www: {
          type: "digitalocean:Record",
          properties: { domain, type: "A", name: "www", data: "shop.example" },
          options,
        },
      },
    }),
  );
  if (template === undefined) throw new Error("the template cannot be read");
  return checkTemplate(template, {
    facts: (name) => digitaloceanTypes.facts(name),
    types: () => digitaloceanTypes.types(),
    openProviders: new Set(),
  }).map(({ code, hint }) => [code, hint]);
}

it("warns of a resource that names its container by a written-out value", () => {
  expect(warningsOf("shop.example")).toEqual([["literal_parent", "Write `${dom.name}`."]]);
});

it("does not warn if the plan can tell, or the container is not in the template", () => {
  expect(warningsOf("${dom.name}")).toEqual([]);
  expect(warningsOf("shop.example", { dependsOn: ["${dom}"] })).toEqual([]);
  expect(warningsOf("other.example")).toEqual([]);
});
