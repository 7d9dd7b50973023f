/**
 * The words for each kind of event. Every kind has a row: a kind without one does not compile. An event may be older
 * than this code, so missing members are left out, and nothing here throws.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { type Fault, faults } from "#schema/lists/deployment-faults.ts";
import {
  type DeploymentOperation,
  deploymentOperations,
  type DeploymentState,
  deploymentStates,
} from "#schema/lists/deployment-states.ts";
import {
  headline,
  operationWord,
  requester,
  summaryWords,
  whoActs,
} from "#schema/lists/deployment-words.ts";
import type { EventType } from "#schema/lists/event-kinds.ts";
import type { EventFacts } from "./event-facts.ts";

export interface Words {
  /** One sentence. */
  headline: string;
  /** Further facts, a sentence or two each. */
  lines?: readonly (string | undefined)[];
}

interface Told {
  data: JsonMap;
  facts: EventFacts;
}

type Row = (told: Told) => Words;

const LISTED = 10;

/** `MAJOR_OUTAGE`: `major outage`. */
const spoken = (word: string): string => word.toLowerCase().replaceAll("_", " ");

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== ""
    ? value
    : typeof value === "number"
      ? String(value)
      : undefined;
}

function map(value: Json | undefined): JsonMap {
  return isJsonMap(value) ? value : {};
}

function oneOf<T extends string>(list: readonly T[], value: Json | undefined): T | undefined {
  return list.find((one) => one === value);
}

/** `label: a, b, c`; undefined: there are none. */
function listed(label: string, value: Json | undefined): string | undefined {
  const all = Array.isArray(value) ? value.flatMap((one) => text(one) ?? []) : [];
  if (all.length === 0) return undefined;
  const more = all.length > LISTED ? ` and ${all.length - LISTED} more` : "";
  return `${label}: ${all.slice(0, LISTED).join(", ")}${more}.`;
}

/** `2026-01-02 03:04 UTC` */
export function timeWords(value: Json | undefined): string | undefined {
  const time = text(value);
  return time !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(time)
    ? `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`
    : undefined;
}

/** `Instance shop`; `An instance` where no name is known. */
function named(noun: string, name: string | null | undefined): string {
  if (name !== null && name !== undefined && name !== "") return `${noun} ${name}`;
  return `${/^[AEIO]/.test(noun) ? "An" : "A"} ${lowerFirst(noun)}`;
}

/** `<noun> <name> <verb>.` */
function simple(noun: string, verb: string): Row {
  return ({ facts }) => ({ headline: `${named(noun, facts.name)} ${verb}.` });
}

function changed(noun: string): Row {
  return ({ data, facts }) => ({
    headline: `${named(noun, facts.name)} was changed.`,
    lines: [listed("Changed", data["changed"])],
  });
}

/** `verb`: words that the state alone does not give. */
function deployment(verb?: string): Row {
  return ({ data, facts }) => {
    const operation = oneOf<DeploymentOperation>(deploymentOperations, data["operation"]);
    const state = oneOf<DeploymentState>(deploymentStates, data["state"]);
    const of = facts.name ?? "a deleted instance";
    const error = map(data["error"]);
    const outputsError = map(data["outputsError"]);
    const fault = oneOf<Fault>(faults, error["fault"]);
    const plan = summaryWords({ summary: facts.summary });
    return {
      headline:
        operation === undefined || state === undefined
          ? `A deployment of ${of} has changed.`
          : verb === undefined
            ? headline({ operation, state, blockedBy: null }, of)
            : `${operationWord(operation)} of ${of} ${verb}.`,
      lines: [
        problem(error, "resource"),
        fault && whoActs[fault],
        problem(outputsError, "output"),
        text(data["comment"]),
        plan && `Plan: ${plan}.`,
        facts.requested === null ? undefined : `Requested by ${requester(facts.requested)}.`,
      ],
    };
  };
}

/** `net: The network exists already. (conflict)` */
function problem(error: JsonMap, where: "resource" | "output"): string | undefined {
  const message = text(error["message"]);
  if (message === undefined) return undefined;
  const at = text(error[where]);
  const code = text(error["code"]);
  return `${at === undefined ? "" : `${at}: `}${message}${code === undefined ? "" : ` (${code})`}`;
}

function template(verb: string): Row {
  return ({ data, facts }) => ({
    headline: `Version ${text(data["version"]) ?? ""} of ${lowerFirst(named("Template", facts.name))} was ${verb}.`,
  });
}

/** `API key` stays as it is. */
function lowerFirst(words: string): string {
  return /^[A-Z]{2}/.test(words) ? words : words.slice(0, 1).toLowerCase() + words.slice(1);
}

function importEnded(verb: string): Row {
  return ({ data }) => {
    const { total, failed, skipped } = map(data["progress"]);
    const files = text(total);
    return {
      headline: `An import ${verb}.`,
      lines: [
        files &&
          `Files: ${files}; failed: ${text(failed) ?? "0"}; skipped: ${text(skipped) ?? "0"}.`,
      ],
    };
  };
}

function incident(verb: string): Row {
  return ({ data, facts }) => {
    const impact = text(data["impact"]);
    const status = text(data["status"]);
    return {
      headline: `${named("Incident", facts.name)} was ${verb}.`,
      lines: [impact && `Impact: ${spoken(impact)}.`, status && `Status: ${spoken(status)}.`],
    };
  };
}

function member(verb: string): Row {
  return ({ data, facts }) => {
    const role = text(data["role"]);
    const before = text(data["previousRole"]);
    return {
      headline: `${facts.name ?? "Somebody"} ${verb}.`,
      lines: [role && `Role: ${role}${before === undefined ? "" : `; it was ${before}`}.`],
    };
  };
}

function apiKey(verb: string): Row {
  return ({ data, facts }) => {
    const prefix = text(data["prefix"]);
    return {
      headline: `${named("API key", facts.name)} was ${verb}.`,
      lines: [prefix && `It begins with ${prefix}.`],
    };
  };
}

function license(verb: string): Row {
  return ({ data }) => {
    const until = timeWords(data["expiresAt"]);
    const grace = timeWords(data["graceEndsAt"]);
    return {
      headline: `The license ${verb}.`,
      lines: [
        until && `It is valid until ${until}.`,
        grace && `After ${grace} the community plan applies.`,
      ],
    };
  };
}

function flag(verb: string): Row {
  return ({ data }) => ({
    headline: `${named("Feature flag", text(data["key"]))} was ${verb}.`,
    lines: [
      data["enabled"] === undefined
        ? undefined
        : `It is ${data["enabled"] === true ? "on" : "off"}.`,
    ],
  });
}

function drift(verb: string): Row {
  return ({ data, facts }) => ({
    headline: `${named("Instance", facts.name)} ${verb}.`,
    lines: [listed("Resources", data["resources"])],
  });
}

function target(verb: string): Row {
  return ({ data, facts }) => {
    const code = text(data["code"]);
    return {
      headline: `${named("Target", facts.name)} ${verb}.`,
      lines: [code && `Reason: ${code}.`, listed("Changed", data["changed"])],
    };
  };
}

const rows: Readonly<Record<EventType, Row>> = {
  "deployment.queued": deployment(),
  "deployment.started": deployment(),
  "deployment.planned": deployment("is planned"),
  "deployment.approval_required": deployment(),
  "deployment.approved": deployment("was approved"),
  "deployment.discarded": deployment(),
  "deployment.applying": deployment(),
  "deployment.succeeded": deployment(),
  "deployment.no_changes": deployment(),
  "deployment.failed": deployment(),
  "deployment.canceling": deployment(),
  "deployment.canceled": deployment(),
  "deployment.superseded": deployment(),
  "deployment.expired": deployment(),
  "instance.created": simple("Instance", "was created"),
  "instance.updated": changed("Instance"),
  "instance.outputs_changed": ({ data, facts }) => ({
    headline: `${named("Instance", facts.name)} has new outputs.`,
    lines: [listed("Outputs", data["outputs"])],
  }),
  "instance.drift_detected": drift("has drifted"),
  "instance.drift_resolved": drift("no longer drifts"),
  "instance.expiring": ({ data, facts }) => {
    const at = timeWords(data["expiresAt"]);
    return {
      headline: `${named("Instance", facts.name)} expires soon.`,
      lines: [at && `It is destroyed at ${at}.`],
    };
  },
  "instance.destroyed": simple("Instance", "was destroyed"),
  "instance.deleted": simple("Instance", "was deleted"),
  "target.created": target("was created"),
  "target.updated": target("was changed"),
  "target.verified": target("was verified: its credential works"),
  "target.verification_failed": target("could not be verified"),
  "target.deleted": target("was deleted"),
  "template.created": simple("Template", "was created"),
  "template.version_created": template("created"),
  "template.version_deprecated": template("deprecated"),
  "template.deleted": simple("Template", "was deleted"),
  "listing.submitted": simple("Listing", "was submitted for review"),
  "listing.published": simple("Listing", "was published"),
  "listing.rejected": simple("Listing", "was rejected"),
  "listing.unlisted": simple("Listing", "was unlisted"),
  "listing.updated": simple("Listing", "was changed"),
  "listing.installed": simple("Listing", "was installed"),
  "import.created": importEnded("was created"),
  "import.completed": importEnded("is complete"),
  "import.failed": importEnded("failed"),
  "incident.created": incident("opened"),
  "incident.updated": incident("updated"),
  "incident.resolved": incident("resolved"),
  "status.changed": ({ data }) => ({
    headline: `The status is ${spoken(text(data["status"]) ?? "unknown")}.`,
    lines: [text(data["previous"]) && `It was ${spoken(text(data["previous"]) ?? "unknown")}.`],
  }),
  "tenant.created": simple("Tenant", "was created"),
  "tenant.updated": simple("Tenant", "was changed"),
  "tenant.deleted": simple("Tenant", "was deleted"),
  "member.added": member("is a member now"),
  "member.role_changed": member("has another role"),
  "member.removed": member("is no longer a member"),
  "api_key.created": apiKey("created"),
  "api_key.rotated": apiKey("rotated"),
  "api_key.revoked": apiKey("revoked"),
  "license.expiring": license("expires soon"),
  "license.expired": license("has expired"),
  "license.limit_reached": ({ data }) => ({
    headline: `The limit ${text(data["limit"]) ?? ""} is reached: all of it is used.`,
  }),
  "webhook.test": simple("Webhook", "works: this is a test"),
  "webhook.failing": ({ data, facts }) => {
    const since = timeWords(data["failingSince"]);
    const until = timeWords(data["disabledAfter"]);
    return {
      headline: `${named("Webhook", facts.name)} fails.`,
      lines: [
        since && `It has failed since ${since}.`,
        until && `Without a success until ${until}, it is disabled.`,
      ],
    };
  },
  "webhook.disabled": ({ data, facts }) => {
    const reason = text(data["reason"]);
    return {
      headline: `${named("Webhook", facts.name)} was disabled.`,
      lines: [reason && `Reason: ${reason}.`],
    };
  },
  "webhook.secret_rotated": simple("Webhook", "has a new signing secret"),
  "message.dead_lettered": ({ data }) => {
    const attempts = text(data["attempts"]);
    return {
      headline: `A message of the queue ${text(data["queue"]) ?? ""} was given up.`,
      lines: [attempts && `Attempts: ${attempts}.`],
    };
  },
  "feature_flag.updated": flag("changed"),
  "feature_flag.deleted": flag("deleted"),
  "profile.updated": changed("Profile"),
  "profile.deleted": simple("Profile", "was deleted"),
};

/** An event of a later version gets the name of its kind. */
export function eventWords(type: string, told: Told): Words {
  return Object.hasOwn(rows, type) ? rows[type as EventType](told) : { headline: `Event ${type}.` };
}
