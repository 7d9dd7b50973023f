/** How ARM's types are described, and the members that many of them share. */
import type { Json } from "#platform/json.ts";
import type { Short } from "./shape.ts";

/** How a change is answered: at once, by the URL of an operation, by the URL of its result, by the object's state. */
export type Style = "at once" | "operation" | "location" | "state";

export interface DescribedType {
  version: string;
  body: Short;
  style: Style;
  /** What the cloud sets, by path. */
  set?: Readonly<Record<string, Json>>;
  /** Paths whose change is refused. */
  immutable?: readonly string[];
  /** `If-None-Match` is heeded. */
  conditional?: true;
  /** A name is taken for everyone. */
  global?: true;
  /** A deleted one keeps its name. */
  softDelete?: true;
  /** It cannot be deleted. */
  stays?: true;
  /** It is there as soon as its parent is. */
  given?: true;
  /** The answers of POSTs below it. */
  actions?: Readonly<Record<string, Json>>;
  /** The state of its own, in place of `properties.provisioningState`. */
  state?: { path: string; working: string; ready: string; failed: string };
}

export const shownAlways = { "id-": "s", name: "s", "type-": "s" } as const;
export const tracked = { ...shownAlways, location: "s", tags: { "*": "s" } } as const;
export const needsLocation = { ...shownAlways, "location!": "s", tags: { "*": "s" } } as const;
export const system = { "systemData-": "*" } as const;
export const tagged = { "etag-": "s" } as const;
export const identity = {
  "principalId-": "s",
  "tenantId-": "s",
  "type!": "s",
  userAssignedIdentities: { "*": { "principalId-": "s", "clientId-": "s" } },
} as const;
export const ref = { id: "s" } as const;
export const state = { "provisioningState-": "s" } as const;
export const made = { createdAt: "{now}", createdBy: "someone", createdByType: "Application" };
