import { expect, it } from "vitest";
import * as z from "zod";
import { providerFor } from "#providers/registry.ts";
import { providerNames } from "#schema/lists/provider-names.ts";
import { settingWords } from "./provider-words.ts";
import { targetFields } from "./target-fields.ts";

it.each(providerNames)(
  "says of the credential of %s that an identity replaces it, or nothing",
  (name) => {
    const provider = providerFor(name);
    if (provider === undefined) throw new Error(`There is no provider ${name}`);
    const schema = (of: z.ZodType) => z.toJSONSchema(of, { io: "input", unrepresentable: "any" });
    const fields = targetFields({
      name,
      available: true,
      credential: schema(provider.credential),
      config: schema(provider.config),
      resourceTypes: [],
      openTypes: false,
    });
    const hint = fields.find((field) => field.name === "credentialRef")?.hint;
    expect(hint).toContain("env://");
    expect(hint?.includes("trusts the tokens")).toBe(provider.federation !== undefined);
  },
);

it.each([
  ["roleArn", "Role ARN"],
  ["latencyMs", "Latency (ms)"],
  ["projectId", "Project ID"],
  ["url", "URL"],
  ["seconds", "Seconds"],
])("labels the setting %s as %s", (name, words) => {
  expect(settingWords(name)).toBe(words);
});
