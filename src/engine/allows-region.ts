const EVERY_REGION = "*";

/** True when the allowed regions of a target include this region or `*`. Names are case-sensitive. */
export function allowsRegion(allowedRegions: readonly string[], region: string): boolean {
  return allowedRegions.includes(region) || allowsEveryRegion(allowedRegions);
}

/** True when the target allows every region, including one that cannot be determined. */
export function allowsEveryRegion(allowedRegions: readonly string[]): boolean {
  return allowedRegions.includes(EVERY_REGION);
}
