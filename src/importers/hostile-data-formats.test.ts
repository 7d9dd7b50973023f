import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partOf } from "#test/support/depth.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { processorTime } from "#test/support/processor-time.ts";
import { composeParser } from "./compose/compose.ts";
import { detectCompose } from "./compose/detect-compose.ts";
import type { FormatParserOf } from "./import-format.ts";
import { ImportLog } from "./import-log.ts";
import { detectKubernetes } from "./kubernetes/detect-kubernetes.ts";
import { kubernetesParser } from "./kubernetes/kubernetes.ts";
import { detectPulumi } from "./pulumi/detect-pulumi.ts";
import { pulumiParser } from "./pulumi/pulumi.ts";
import { detectTerraformPlan, detectTerraformState } from "./reports/detect-terraform-state.ts";
import { terraformStateParser } from "./reports/terraform-state.ts";

const formats: readonly [name: string, path: string, parserOf: FormatParserOf][] = [
  ["Compose", "compose.yaml", composeParser],
  ["Pulumi", "Pulumi.yaml", pulumiParser],
  ["a stack of Pulumi", "Pulumi.dev.yaml", pulumiParser],
  ["Kubernetes", "a.yaml", kubernetesParser],
  ["Terraform's state", "a.tfstate", terraformStateParser],
];

const detectors = [
  detectCompose,
  detectPulumi,
  detectKubernetes,
  detectTerraformState,
  detectTerraformPlan,
];

/** Member names that parsers look for, and names that objects inherit. */
const names = fc.constantFrom(
  ..."__proto__ constructor toString << name type services volumes depends_on environment external".split(
    " ",
  ),
  ..."resources options properties get dependsOn provider config outputs variables runtime fn::join".split(
    " ",
  ),
  ..."apiVersion kind metadata namespace items spec roleRef secret data ownerReferences".split(" "),
  ..."version format_version values planned_values root_module child_modules resource_changes".split(
    " ",
  ),
  ..."change actions before instances attributes dependencies index_key configuration".split(" "),
);
const scalars = fc.oneof(
  fc.constantFrom(
    null,
    true,
    4,
    -1,
    1.5,
    "",
    "${a.b[0]}",
    "${A:-$B}",
    "$",
    "a:b:C",
    "pulumi:providers:x",
  ),
  fc.constantFrom("1.0", "List", "Secret", "yaml", "managed", "module.a[0].b.c", "__proto__"),
);
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    scalars,
    fc.array(tie("document"), { maxLength: 4 }),
    fc
      .array(fc.tuple(names, tie("document")), { maxLength: 5 })
      .map((members) => Object.fromEntries(members)),
  ),
}));

describe.each(formats)("%s", (_name, path, parserOf) => {
  it("has a verdict for a document of any form", async () => {
    await fc.assert(
      fc.asyncProperty(document, async (value) => {
        const log = new ImportLog();
        const { verdicts, modules } = parsedBy(
          parserOf,
          [{ path, text: JSON.stringify(value) }],
          log,
        );
        expect(verdicts).toHaveLength(1);
        for (const { resources } of modules) {
          const addresses = resources.map(({ address }) => address);
          expect(new Set(addresses).size).toBe(addresses.length);
        }
        // A file that was not parsed has a reason.
        const [verdict] = verdicts;
        if (verdict?.state !== "PARSED")
          expect(log.warnings().map(({ code }) => code)).toContain(verdict?.reason);
      }),
      { numRuns: 300 },
    );
  });
});

describe("the detection of a format", () => {
  it("takes time linear to the text", () => {
    const spentMs = processorTime();
    const parts = [
      " ",
      "\n",
      "\r\n",
      "{",
      "{{ ",
      "services:\n",
      "services:\n #\n",
      "\n  type: a:b:",
      "resources:\n type: ",
      '"kind": "apiVersion" ',
      "- ",
    ];
    for (const part of partOf(parts, 3))
      for (const before of ["", "{", "services:\n", "resources:\n", "apiVersion:\nkind:"]) {
        const text = before + part.repeat(1_000_000 / part.length);
        for (const path of ["a.yaml", "a.json", "templates/a.yaml"])
          for (const detect of detectors) detect({ path, text });
      }
    expect(spentMs()).toBeLessThan(10_000);
  });
});
