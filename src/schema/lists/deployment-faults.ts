/** The fault of a failed deployment: the party that must act before it can succeed. */

/** `user`: template, variables, credential or region. `provider`: the cloud. `service`: this installation. */
export const faults = ["user", "provider", "service"] as const;

export type Fault = (typeof faults)[number];

/**
 * Every error code of the service. A code that a cloud chose is absent: the provider reports its fault with the
 * failure.
 */
export const faultOfCode = {
  // The template and its values
  absent_name: "user",
  ambiguous_alias: "user",
  claimed: "user",
  components_too_deep: "user",
  dependency_cycle: "user",
  duplicate_key: "user",
  get_in_use: "user",
  get_not_allowed: "user",
  get_not_found: "user",
  get_of_managed: "user",
  import_in_use: "user",
  import_mismatch: "user",
  import_not_found: "user",
  invalid_argument: "user",
  invalid_condition: "user",
  invalid_loop: "user",
  invalid_variables: "user",
  left_out: "user",
  missing_property: "user",
  missing_value: "user",
  name_in_use: "user",
  nesting_too_deep: "user",
  no_such_item: "user",
  no_such_member: "user",
  not_a_text: "user",
  not_known_yet: "user",
  omission_not_used: "user",
  only_at_create: "user",
  optional_not_unwrapped: "user",
  outputs_too_large: "user",
  path_not_found: "user",
  plan_exceeded: "user",
  plan_too_large: "user",
  read_only: "user",
  region_not_allowed: "user",
  resource_protected: "user",
  sealed_value: "user",
  state_too_large: "user",
  template_invalid: "user",
  too_many_resources: "user",
  too_much_work: "user",
  unclear_rename: "user",
  unknown_component: "user",
  unmet_alias: "user",
  unknown_function: "user",
  unknown_name: "user",
  unknown_reference: "user",
  unknown_type: "user",
  value_too_large: "user",
  wrong_count: "user",
  wrong_kind: "user",
  // The instance and its target changed, or the target is set up wrongly
  account_changed: "user",
  account_unproven: "user",
  credential_unavailable: "user",
  deleted_outside: "user",
  gone: "user",
  instance_gone: "user",
  invalid_config: "user",
  invalid_credential: "user",
  invalid_request: "user",
  invalid_url: "user",
  stale_plan: "user",
  target_gone: "user",
  // A request that the cloud cannot take
  already_exists: "user",
  invalid_grant: "user",
  invalid_id: "user",
  invalid_member: "user",
  invalid_path_value: "user",
  invalid_property: "user",
  invalid_name: "user",
  invalid_network: "user",
  invalid_properties: "user",
  invalid_target: "user",
  unauthorized_client: "user",
  missing_path_value: "user",
  not_listed: "user",
  not_updatable: "user",
  other_id: "user",
  reference_not_allowed: "user",
  reserved_value: "user",
  invalid_location: "user",
  invalid_place: "user",
  target_not_shared: "user",
  type_not_allowed: "user",
  unknown_account: "user",
  not_empty: "user",
  cluster_hidden: "user",
  cluster_not_found: "user",
  field_manager_conflict: "user",
  no_access_key: "user",
  no_organization: "user",
  invalid_organization: "user",
  project_paused: "user",
  // The cloud
  action_errored: "provider",
  cannot_tell: "provider",
  cluster_not_ready: "provider",
  clusters_hidden: "provider",
  inconsistent: "provider",
  invalid: "provider",
  invalid_answer: "provider",
  look_up_incomplete: "provider",
  network: "provider",
  not_deleted: "provider",
  object_unread: "provider",
  project_busy: "provider",
  redirected: "provider",
  resource_failed: "provider",
  timed_out: "provider",
  timeout: "provider",
  too_large: "provider",
  untrusted_address: "provider",
  vanished: "provider",
  // This installation
  abandoned: "service",
  cannot_continue: "service",
  internal: "service",
  unavailable: "service",
  unknown_provider: "service",
} as const satisfies Readonly<Record<string, Fault>>;

export type DeploymentErrorCode = keyof typeof faultOfCode;

/** The fault of an error with this code; a cloud's own code counts as the provider's. */
export function faultOf({ code, fault }: { code: string; fault?: Fault | undefined }): Fault {
  if (fault !== undefined) return fault;
  return Object.hasOwn(faultOfCode, code) ? faultOfCode[code as DeploymentErrorCode] : "provider";
}

/** Whether the table has the code. */
export function isClassified(code: string): boolean {
  return Object.hasOwn(faultOfCode, code);
}

/** Whether an operator has abandoned the deployment. D1 decides that, and its runner follows. */
export function isAbandoned({ error }: { error: { code: string; fault: Fault } | null }): boolean {
  // A cloud may use the same code.
  return error?.code === "abandoned" && error.fault === "service";
}
