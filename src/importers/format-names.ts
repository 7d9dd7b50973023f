/** The formats of infrastructure code that an import reads, as its answers name them. */
export const importFormatNames = [
  "terraform",
  "terraform-state",
  "terraform-plan",
  "cloudformation",
  "arm",
  "pulumi",
  "kubernetes",
  "compose",
] as const;

export type ImportFormatName = (typeof importFormatNames)[number];
