import type { Json } from "#platform/json.ts";
import type { PlanSummary } from "#schema/deployments.ts";

export type Action = "create" | "update" | "replace" | "delete" | "unchanged";

/** One changed property. Secrets are redacted; unknown values read `[known after apply]`. */
export interface PropertyChange {
  /** Dotted, e.g. `settings.size`, `rules[0].port`. */
  path: string;
  before: Json;
  after: Json;
  /** This change alone forces a replacement. */
  replaces: boolean;
}

/** The planned change of one resource. */
export interface ResourceChange {
  resource: string;
  type: string;
  /** `read`: the resource is read with `get` and not changed. It does not count in the summary. */
  action: Action | "read";
  /** The action applies only if a value that becomes known after apply differs. */
  tentative: boolean;
  /** The provider's id, when the object exists. */
  id?: string;
  changes: PropertyChange[];
  /** The object's name before this deployment, when the template gives it another one. */
  movedFrom?: string;
  /** What the provider keeps after the delete of the object, as a sentence. Absent: nothing is known to stay. */
  leaves?: string;
  /** Short reason: "no longer in the template", "cidr cannot be changed in place", "tainted". */
  reason?: string;
}

/** One verb on one object. `apply` creates, updates or creates the replacement. */
export interface Step {
  /**
   * `apply:<resource>` · `delete:<resource>` · `delete:<resource>:<object id>` for an object whose delete is pending ·
   * `read:<resource>`.
   */
  id: string;
  /** `read`: part of a drift check, changes nothing. */
  kind: "apply" | "delete" | "read";
  resource: string;
  type: string;
  /** For `apply`: the planned action; the final one is decided when all inputs are known. */
  action: Exclude<Action, "unchanged"> | "read";
  /** Ids of steps that must have succeeded first. */
  dependsOn: readonly string[];
  /** For `delete` and `read`: the object. Absent: the current object when the step starts. */
  objectId?: string;
  /** For `delete`: remove the object from the state and keep it at the provider (`retainOnDelete`). */
  retain?: true;
  /**
   * For `delete`: needed only if its replacement is. At its turn, plan again from the current state and delete only if
   * `stillDeletes` returns true.
   */
  tentative?: true;
  /**
   * For `delete`: begins only after every apply has succeeded, because its resource or one that uses it left the
   * template.
   */
  last?: true;
}

export interface Plan {
  operation: "deploy" | "destroy" | "drift_check";
  /** The serial of the state the plan was made from. */
  stateSerial: number;
  summary: PlanSummary;
  /** In template order, deletes last. */
  changes: ResourceChange[];
  /** In dependency order. */
  steps: Step[];
}
