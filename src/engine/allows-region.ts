const EVERY_REGION = "*";

/** Whether a target with these allowed regions may be used for this region. Names compare exactly. */
export function allowsRegion(allowedRegions: readonly string[], region: string): boolean {
  return allowedRegions.includes(region) || allowedRegions.includes(EVERY_REGION);
}
