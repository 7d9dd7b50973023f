/** Plans a run: compares the desired with the existing resources, and returns the steps or the run's end. */
import { importedObjects } from "#engine/plan/check-imports.ts";
import { driftPlan } from "#engine/plan/drift.ts";
import { saysWhatStays } from "#engine/plan/left-behind.ts";
import { planHash } from "#engine/plan/plan-hash.ts";
import {
  findImpliedRenames,
  makePlan,
  type ObjectToRead,
  protectedResources,
} from "#engine/plan/plan.ts";
import type { Plan } from "#engine/plan/steps.ts";
import { findObject } from "#engine/state/find-object.ts";
import type { InstanceState } from "#engine/state/state.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import { expose } from "#engine/value.ts";
import { breaksProtection } from "#kernel/access/safeguards.ts";
import type { RefusalOf } from "#orchestrator/claims/object-claims.ts";
import { CredentialUnreachable } from "#orchestrator/program/credential-unreachable.ts";
import { ProgramError } from "#orchestrator/program/program-error.ts";
import type { Program } from "#orchestrator/program/program.ts";
import type { Move } from "#orchestrator/projection/projection.ts";
import { Unread } from "#orchestrator/steps/unread.ts";
import { type Entry, note } from "#orchestrator/storage/journal.ts";
import type { ResourceState } from "#orchestrator/storage/resource-state.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { SealBroken } from "#platform/crypto/seal.ts";
import { canonicalJson, type Json, jsonBytes } from "#platform/json.ts";
import { describeError, log } from "#platform/log.ts";
import type { UnclassifiedError } from "#schema/deployments.ts";
import { type Ending, failure } from "./end-run.ts";
import type { OpenRun } from "./open-run.ts";
import { adoptedState, prepareRenaming } from "./rename-resources.ts";
import { type RunSafeguards, strictestSafeguards } from "./strictest-safeguards.ts";

/** A row of D1 or of the runner's storage holds 2 MB; the plan shares one with the template's source. */
const MAX_PLAN_BYTES = 1_000_000;

export type Planned =
  | { kind: "ends"; ending: Ending }
  /** An object that the template reads with `get` cannot be read yet. */
  | { kind: "retries"; message: string; afterMs: number }
  /** A drift check applies nothing, so D1 gets no plan. */
  | { kind: "reads"; plan: Plan }
  /** `planned` and `lines`: the plan's move in D1 and its log lines, for the next commit. */
  | {
      kind: "waits" | "applies";
      plan: Plan;
      planned: Move;
      lines: Entry[];
      /** Set if the template reads objects: a digest of the planned properties. */
      properties?: string;
    };

/** Plans the run. Safe to repeat. Throws `CredentialUnreachable` if the run has to wait for its credential. */
export async function planRun(open: OpenRun): Promise<Planned> {
  const { operation } = open.spec;
  let prepared: Awaited<ReturnType<typeof prepare>>;
  try {
    prepared = await prepare(open);
  } catch (error) {
    if (error instanceof CredentialUnreachable) throw error;
    return ends(planningFailure(open, error));
  }
  const { resources } = prepared;
  const refusalOf = await open.claims.match(resources.view);
  if (operation === "drift_check") return { kind: "reads", plan: driftPlan(resources.view) };
  const made = await planWithReads(open, prepared);
  if (made.kind !== "made") return made;
  const { plan, properties } = made;
  if (jsonBytes(plan) > MAX_PLAN_BYTES)
    return ends(
      failure({
        code: "plan_too_large",
        message:
          "The plan is larger than 1 MB. Split the template into several instances, or change fewer resources at once.",
      }),
    );
  const outcome = await outcomeOf(open, prepared, plan, refusalOf);
  return outcome.kind === "waits" && properties !== undefined
    ? { ...outcome, properties }
    : outcome;
}

type MadePlan =
  /** `properties`: set if the template reads objects, a digest of the planned properties. */
  | { kind: "made"; plan: Plan; properties?: string }
  | Extract<Planned, { kind: "ends" | "retries" }>;

/** Makes the plan from the template's reads. */
async function planWithReads(
  open: OpenRun,
  { program, resources, adopted }: Prepared,
): Promise<MadePlan> {
  const imported = importedObjects(program.template, adopted);
  const refusedClaim = await open.claims.refusals(imported);
  const isShared = program.context.ownAccount !== true;
  const refusedImport = await open.claims.importRefusals(isShared ? imported : []);
  const { movedFrom = {} } = open.spec;
  // Stale outputs must not prevent other changes.
  const isStale = (open.parts.store.facts.get("outputsStaleSince") ?? "") !== "";
  const readsAny = program.readsOf(undefined).length > 0;
  for (;;) {
    const unread: ObjectToRead[] = [];
    const properties: [string, Json][] = [];
    let plan: Plan;
    try {
      assumeRenames(open, program, findImpliedRenames(program.planInput(resources.view)));
      const input = isStale
        ? program.planInput(resources.view)
        : program.checkedPlanInput(resources.view);
      plan = makePlan({
        ...input,
        claimed: (object) => refusedClaim(object) ?? refusedImport(object),
        movedFrom,
        found: (object) => {
          const found = input.found?.(object);
          if (found === undefined) unread.push(object);
          return found;
        },
        resolve: (resource, outputsOf, stored) => {
          const values = input.resolve(resource, outputsOf, stored);
          if (readsAny) properties.push([resource, expose(values)]);
          return values;
        },
      });
    } catch (error) {
      return ends(planningFailure(open, error));
    }
    if (!readsAny) return { kind: "made", plan };
    if (unread.length === 0)
      return { kind: "made", plan, properties: await digestHex(canonicalJson(properties)) };
    try {
      await (await open.reads()).read(unread);
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
      const { message, retryAfterMs } = error;
      return retryAfterMs === undefined
        ? ends(planningFailure(open, error))
        : { kind: "retries", message, afterMs: retryAfterMs };
    }
  }
}

/** The run continues as if the template had the renames as aliases. They are stored with its next commit. */
function assumeRenames(
  { spec }: OpenRun,
  program: Program,
  renames: ReadonlyMap<string, string>,
): void {
  if (renames.size === 0) return;
  const found = Object.fromEntries([...renames].map(([from, to]) => [to, from]));
  spec.impliedRenames = { ...spec.impliedRenames, ...found };
  program.assumeAliases(found);
}

/** Used before anything is applied: the target's limits can no longer be determined. */
export const targetGone: UnclassifiedError = {
  code: "target_gone",
  message: "The target no longer exists.",
};

/**
 * Whether an approved plan would still have the same properties. Its reads may have changed since, and the target may
 * have been `narrowed`. Otherwise the reason why this cannot be told, or why the plan is no longer allowed.
 */
export async function staysAsPlanned(
  open: OpenRun,
  narrowed: boolean,
): Promise<boolean | Extract<Planned, { kind: "ends" | "retries" }>> {
  const { plannedProperties } = open.spec;
  if (plannedProperties === undefined && !narrowed) return true;
  let prepared: Prepared;
  try {
    prepared = await prepare(open);
  } catch (error) {
    if (error instanceof CredentialUnreachable) throw error;
    return ends(planningFailure(open, error));
  }
  const made = await planWithReads(open, prepared);
  return made.kind === "made" ? made.properties === plannedProperties : made;
}

/** `adopted`: the state with the template's names, which the state takes on once the run has a change to show. */
interface Prepared {
  program: Program;
  resources: ResourceState;
  adopted: InstanceState;
}

async function prepare(open: OpenRun): Promise<Prepared> {
  const resources = await open.parts.resources();
  const program = await open.program();
  if (program.credentialProblem !== undefined) throw program.credentialProblem;
  return { program, resources, adopted: adoptedState(open, program, resources.view) };
}

/** Decides how the run continues with its plan. */
async function outcomeOf(
  open: OpenRun,
  { program, resources }: Prepared,
  plan: Plan,
  refusalOf: RefusalOf,
): Promise<Planned> {
  const { operation } = open.spec;
  const { summary, stateSerial } = plan;
  const hash = await planHash(plan);
  const planned: Move = {
    deployment: { summary, planHash: hash, stateSerial },
    // An approval compares the plan's serial with the instance's.
    ...(operation === "plan" ? {} : { instance: { stateSerial } }),
    event: open.writer.event("planned", "PLANNING", "PLANNING", {
      summary: { ...summary },
      planHash: hash,
    }),
  };
  const lines = [
    note(`Planned: ${describeSummary(plan)}.`),
    ...saysWhatStays(plan.changes).map((says) => note(says, "warn")),
  ];
  const made = { plan, before: [planned], lines };
  const safeguards = await strictestSafeguards(open.parts.db, open.run);
  if (safeguards.limits === undefined) return ends(failure(targetGone));
  if (open.narrow(safeguards.limits)) return planRun(open);
  const refusal =
    claimProblem(refusalOf, adoptedState(open, program, resources.view), plan) ??
    instanceProtectionProblem(open, safeguards, plan) ??
    resourceProtectionProblem(program, resources, plan);
  if (refusal !== undefined && operation !== "plan") return ends({ ...failure(refusal), ...made });
  if (plan.steps.length === 0 && operation !== "destroy") {
    if (operation !== "plan") {
      const renaming = await prepareRenaming(open);
      // In a separate commit, because the end computes outputs from the renamed state.
      if (renaming !== undefined) await open.writer.commit(renaming.lines, renaming.store);
    }
    return ends({ state: "NO_CHANGES", message: "Nothing to change.", ...made });
  }
  if (operation === "plan")
    return ends({
      state: "SUCCEEDED",
      message: "The plan is complete; nothing was changed.",
      ...made,
    });
  return {
    kind: needsApproval(open, safeguards, plan) ? "waits" : "applies",
    plan,
    planned,
    lines,
  };
}

function ends(ending: Ending): Extract<Planned, { kind: "ends" }> {
  return { kind: "ends", ending };
}

/** Ends a run whose planning threw. Planning is pure, so a retry would throw again. */
function planningFailure({ run }: OpenRun, error: unknown): Ending {
  if (error instanceof Unread) {
    const { code, message, fault } = error;
    return failure({ code, message, ...(fault === undefined ? {} : { fault }) });
  }
  if (error instanceof ProgramError || error instanceof ResolveError) {
    const { code, message } = error;
    return failure({ code, message });
  }
  log("error", "A plan could not be made", {
    deploymentId: run.deploymentId,
    traceId: run.spec?.inputs.trace?.traceId,
    error: describeError(error),
  });
  return failure({
    code: "internal",
    message:
      error instanceof SealBroken
        ? "A secret of the instance cannot be decrypted: its sealing key is missing."
        : "The service could not compute the plan.",
  });
}

/**
 * Refuses a plan that touches an object of another instance, if two have it in their states after a claim was lost. The
 * first to run has the claim.
 */
function claimProblem(
  refusalOf: RefusalOf,
  state: InstanceState,
  { steps }: Plan,
): UnclassifiedError | undefined {
  for (const { retain, resource, objectId } of steps) {
    const object = findObject(state, resource, objectId);
    if (retain === true || object === undefined || object.state === "lost") continue;
    const message = refusalOf(object);
    if (message !== undefined)
      return {
        code: "claimed",
        message: `The plan changes or deletes ${object.name}. ${message}.`,
        resource: object.name,
      };
  }
  return undefined;
}

/** The reason why the instance's protection forbids this plan; undefined: it does not. */
export function instanceProtectionProblem(
  { spec }: OpenRun,
  { protectedFromDestroy }: RunSafeguards,
  { summary }: Plan,
): UnclassifiedError | undefined {
  if (!protectedFromDestroy || !breaksProtection(spec.operation, summary)) return undefined;
  return {
    code: "resource_protected",
    message:
      "The instance is protected, and the plan deletes or replaces resources. Remove the protection first.",
  };
}

/** The reason why a resource's `protect` forbids this plan; undefined: none does. */
function resourceProtectionProblem(
  { template }: Program,
  { view }: ResourceState,
  plan: Plan,
): UnclassifiedError | undefined {
  const names = protectedResources(plan, view, template);
  if (names.length === 0) return undefined;
  return {
    code: "resource_protected",
    message: `The plan deletes or replaces protected resources: ${names.join(", ")}. Remove \`protect\` in a separate deployment first.`,
  };
}

function needsApproval(
  { run }: OpenRun,
  { approvalMode }: RunSafeguards,
  { summary }: Plan,
): boolean {
  if (run.approved) return false;
  return (
    approvalMode === "always" ||
    (approvalMode === "destructive" && summary.delete + summary.replace > 0)
  );
}

function describeSummary({ summary, changes }: Plan): string {
  const parts = (["create", "update", "replace", "delete"] as const)
    .filter((action) => summary[action] > 0)
    .map((action) => `${summary[action]} to ${action}`);
  const read = changes.filter(({ action }) => action === "read").length;
  return [...parts, `${summary.unchanged} unchanged`, ...(read > 0 ? [`${read} read`] : [])].join(
    ", ",
  );
}
