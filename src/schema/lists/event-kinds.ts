/** The event kinds that a webhook can subscribe to, by resource. */
export const eventKinds = {
  deployment: [
    "queued",
    "started",
    "planned",
    "approval_required",
    "approved",
    "discarded",
    "applying",
    "succeeded",
    "no_changes",
    "failed",
    "canceling",
    "canceled",
    "superseded",
    "expired",
  ],
  instance: [
    "created",
    "updated",
    "outputs_changed",
    "drift_detected",
    "drift_resolved",
    "expiring",
    "destroyed",
    "deleted",
  ],
  target: ["created", "updated", "verified", "verification_failed", "deleted"],
  template: ["created", "version_created", "version_deprecated", "deleted"],
  listing: ["submitted", "published", "rejected", "unlisted", "updated", "installed"],
  import: ["created", "completed", "failed"],
  incident: ["created", "updated", "resolved"],
  status: ["changed"],
  tenant: ["created", "updated", "deleted"],
  member: ["added", "role_changed", "removed"],
  api_key: ["created", "rotated", "revoked"],
  license: ["expiring", "expired", "limit_reached"],
  webhook: ["test", "failing", "disabled", "secret_rotated"],
  message: ["dead_lettered"],
  feature_flag: ["updated", "deleted"],
  profile: ["updated", "deleted"],
} as const;

type Kinds = typeof eventKinds;
export type EventType = {
  [R in keyof Kinds]: `${R & string}.${Kinds[R][number]}`;
}[keyof Kinds];

/** Every event kind, in the order of the list above. */
export const eventTypes = Object.entries(eventKinds).flatMap(([resource, verbs]) =>
  verbs.map((verb) => `${resource}.${verb}` as EventType),
);
