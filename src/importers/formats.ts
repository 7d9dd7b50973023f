import { detectArm } from "./arm/detect-arm.ts";
import { detectCloudFormation } from "./cloudformation/detect-cloudformation.ts";
import { detectCompose } from "./compose/detect-compose.ts";
import type { ImportFormatName } from "./format-names.ts";
import { detectTerraform } from "./hcl/detect-terraform.ts";
import type { ImportFormat } from "./import-format.ts";
import { detectKubernetes } from "./kubernetes/detect-kubernetes.ts";
import { detectPulumi } from "./pulumi/detect-pulumi.ts";
import { detectTerraformPlan, detectTerraformState } from "./reports/detect-terraform-state.ts";

const stateParser: ImportFormat["load"] = async () =>
  (await import("./reports/terraform-state.ts")).terraformStateParser;

/** In the order in which their `detect` is tried. The first import that needs a parser loads it. */
export const importFormats: readonly ImportFormat[] = [
  { name: "terraform-state", detect: detectTerraformState, load: stateParser },
  { name: "terraform-plan", detect: detectTerraformPlan, load: stateParser },
  {
    name: "terraform",
    detect: detectTerraform,
    load: async () => (await import("./hcl/terraform.ts")).terraformParser,
  },
  {
    name: "compose",
    detect: detectCompose,
    load: async () => (await import("./compose/compose.ts")).composeParser,
  },
  {
    name: "pulumi",
    detect: detectPulumi,
    load: async () => (await import("./pulumi/pulumi.ts")).pulumiParser,
  },
  {
    name: "cloudformation",
    detect: detectCloudFormation,
    load: async () => (await import("./cloudformation/cloudformation.ts")).cloudFormationParser,
  },
  {
    name: "arm",
    detect: detectArm,
    load: async () => (await import("./arm/arm.ts")).armParser,
  },
  {
    name: "kubernetes",
    detect: detectKubernetes,
    load: async () => (await import("./kubernetes/kubernetes.ts")).kubernetesParser,
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
