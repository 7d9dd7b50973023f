import { detectArm } from "./arm/detect-arm.ts";
import { detectCloudFormation } from "./cloudformation/detect-cloudformation.ts";
import { detectCompose } from "./compose/detect-compose.ts";
import type { ImportFormatName } from "./format-names.ts";
import { detectTerraform } from "./hcl/detect-terraform.ts";
import type { ImportFormat } from "./import-format.ts";
import { detectKubernetes } from "./kubernetes/detect-kubernetes.ts";
import { detectPulumi } from "./pulumi/detect-pulumi.ts";
import { detectTerraformPlan, detectTerraformState } from "./reports/detect-terraform-state.ts";

const parseState: ImportFormat["load"] = async () =>
  (await import("./reports/terraform-state.ts")).parseTerraformState;

/** In the order in which their `detect` is tried. The first import that needs a parser loads it. */
export const importFormats: readonly ImportFormat[] = [
  { name: "terraform-state", detect: detectTerraformState, load: parseState },
  { name: "terraform-plan", detect: detectTerraformPlan, load: parseState },
  {
    name: "terraform",
    detect: detectTerraform,
    load: async () => (await import("./hcl/terraform.ts")).parseTerraform,
  },
  {
    name: "compose",
    detect: detectCompose,
    load: async () => (await import("./compose/compose.ts")).parseCompose,
  },
  {
    name: "pulumi",
    detect: detectPulumi,
    load: async () => (await import("./pulumi/pulumi.ts")).parsePulumi,
  },
  {
    name: "cloudformation",
    detect: detectCloudFormation,
    load: async () => (await import("./cloudformation/cloudformation.ts")).parseCloudFormation,
  },
  {
    name: "arm",
    detect: detectArm,
    load: async () => (await import("./arm/arm.ts")).parseArm,
  },
  {
    name: "kubernetes",
    detect: detectKubernetes,
    load: async () => (await import("./kubernetes/kubernetes.ts")).parseKubernetes,
  },
];

/** Other names that callers may use for a format. */
const otherNames: ReadonlyMap<string, ImportFormatName> = new Map([
  ["hcl", "terraform"],
  ["tf", "terraform"],
  ["opentofu", "terraform"],
  ["tfstate", "terraform-state"],
  ["cfn", "cloudformation"],
  ["azure", "arm"],
  ["k8s", "kubernetes"],
  ["docker-compose", "compose"],
]);

/** The format of this name; undefined for an unknown name. */
export function formatNamed(name: string): ImportFormat | undefined {
  const wanted = name.toLowerCase();
  const own = otherNames.get(wanted) ?? wanted;
  return importFormats.find((format) => format.name === own);
}
