const EVERY_REGION = "*";

/** True when the allowed regions of a target include this region or `*`. Names are case-sensitive. */
export function allowsRegion(allowedRegions: readonly string[], region: string): boolean {
  return allowedRegions.includes(region) || allowedRegions.includes(EVERY_REGION);
}
