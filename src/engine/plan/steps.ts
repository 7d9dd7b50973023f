import type { Json } from "#platform/json.ts";
import type { PlanSummary } from "#schema/deployments.ts";

export type Action = "create" | "update" | "replace" | "delete" | "unchanged";

/** One changed property. Values are redacted; a value known only after apply reads so. */
export interface PropertyChange {
  /** Dotted, e.g. `settings.size`, `rules[0].port`. */
  path: string;
  before: Json;
  after: Json;
  /** This change alone forces a replacement. */
  replaces: boolean;
}

/** What a plan says of one resource. */
export interface ResourceChange {
  resource: string;
  type: string;
  action: Action;
  /** The action holds only if a value that is known after apply turns out to differ. */
  tentative: boolean;
  /** The provider's id, when the object exists. */
  id?: string;
  changes: PropertyChange[];
  /** Why, in a few words: "not in the template any more", "immutable: cidr", "tainted". */
  reason?: string;
}

/** One call of one verb on one object. `apply` creates, updates or makes the replacement. */
export interface Step {
  /**
   * `apply:<resource>` · `delete:<resource>` · `delete:<resource>:<object id>` for an object whose delete is pending ·
   * `read:<resource>`.
   */
  id: string;
  /** `read`: of a drift check, which changes nothing. */
  kind: "apply" | "delete" | "read";
  resource: string;
  type: string;
  /** For `apply`: what the plan expects; decided for good when the inputs are known. */
  action: Exclude<Action, "unchanged"> | "read";
  /** Ids of steps that must have succeeded first. */
  dependsOn: readonly string[];
  /** For `delete` and `read`: which object. Absent: the object that is current when the step starts. */
  objectId?: string;
  /** For `delete`: forget the object, leave it at the provider (`retainOnDelete`). */
  retain?: true;
  /**
   * For `delete`: due only if the replacement it belongs to proves necessary. When its turn comes, plan
   * again from the state as it then is, and delete only if `stillDeletes` says so.
   */
  tentative?: true;
}

export interface Plan {
  operation: "deploy" | "destroy" | "drift_check";
  /** The serial of the state it was made of. */
  stateSerial: number;
  summary: PlanSummary;
  /** In template order, deletes last. */
  changes: ResourceChange[];
  /** In an order that respects `dependsOn`. */
  steps: Step[];
}
