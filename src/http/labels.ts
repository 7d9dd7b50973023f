/** Labels in requests, by Kubernetes' rules for keys and values, and the selectors that filter lists by them. */
import * as z from "zod";
import { ApiError } from "#kernel/errors.ts";
import { jsonBytes } from "#platform/json.ts";
import { mergePatch } from "#platform/merge-patch.ts";
import { prose } from "#platform/prose.ts";
import type { Labels } from "#schema/labels.ts";
import type { FaultCode } from "./faults.ts";
import { QueryList } from "./schemas.ts";

const MAX_LABELS = 64;
/** The limit for all labels of an object as JSON: lists show them with every object. */
const MAX_LABELS_BYTES = 4_096;
const MAX_SELECTORS = 10;
const MAX_PART = 63;
const MAX_PREFIX = 253;

const part = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const domain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/** The fault of a label's key; undefined: none. */
export function labelKeyFault(key: string): string | undefined {
  const slash = key.indexOf("/");
  const prefix = slash === -1 ? undefined : key.slice(0, slash);
  if (prefix !== undefined && (prefix.length > MAX_PREFIX || !domain.test(prefix)))
    return `The prefix of a label's key, before \`/\`, must be a DNS name in lower case with at most ${MAX_PREFIX} characters.`;
  return isPart(key.slice(slash + 1))
    ? undefined
    : `A label's key must be \`name\` or \`prefix/name\`; the name has 1 to ${MAX_PART} letters, digits, \`-\`, \`_\` or \`.\`, with a letter or digit at both ends.`;
}

/** The fault of a label's value; undefined: none. */
export function labelValueFault(value: string): string | undefined {
  return value === "" || isPart(value)
    ? undefined
    : `A label's value must be empty or have at most ${MAX_PART} letters, digits, \`-\`, \`_\` or \`.\`, with a letter or digit at both ends.`;
}

function isPart(text: string): boolean {
  return text.length <= MAX_PART && part.test(text);
}

const rules =
  "Keys are `name` or `prefix/name` as in Kubernetes: the name at most 63 and the prefix, a DNS name, at most 253 characters; values at most 63. All together have at most 4,096 bytes.";

/** The labels of a new object. */
export const LabelsField = z
  .record(z.string(), z.string())
  .superRefine(refuseFaults)
  .meta({
    maxProperties: MAX_LABELS,
    description: `Labels to filter lists by, at most ${MAX_LABELS}. ${rules}`,
  });

/** A change of labels. */
export const LabelsPatch = z
  .record(z.string(), z.string().nullable())
  .superRefine(refuseFaults)
  .meta({
    description: `Merged into the current labels (RFC 7396): null removes a label. At most ${MAX_LABELS} in all. ${rules}`,
  });

/** Labels as answers show them. */
export const LabelsView = z
  .record(z.string(), z.string())
  .describe(prose("The labels by key, as in Kubernetes."));

function refuseFaults(labels: Record<string, string | null>, context: z.RefinementCtx): void {
  const all = Object.entries(labels);
  if (all.length > MAX_LABELS)
    context.addIssue({
      code: "too_big",
      origin: "set",
      maximum: MAX_LABELS,
      inclusive: true,
      input: labels,
      message: tooMany,
    });
  if (jsonBytes(labels) > MAX_LABELS_BYTES)
    context.addIssue({
      code: "custom",
      message: tooLong,
    });
  for (const [key, value] of all.slice(0, MAX_LABELS)) {
    const fault = labelKeyFault(key) ?? (value === null ? undefined : labelValueFault(value));
    if (fault !== undefined) context.addIssue({ code: "custom", path: [key], message: fault });
  }
}

const tooMany = `An object can have at most ${MAX_LABELS} labels.`;
const tooLong = `The labels of an object can have at most ${MAX_LABELS_BYTES} bytes together, as JSON.`;

/** The labels after a change. Throws `validation_failed` if there are too many. */
export function mergeLabels(before: Labels, patch: z.output<typeof LabelsPatch>): Labels {
  const after = mergePatch(before, patch) as Labels;
  const isTooMany = Object.keys(after).length > MAX_LABELS;
  if (isTooMany || jsonBytes(after) > MAX_LABELS_BYTES) {
    const detail = isTooMany ? tooMany : tooLong;
    throw new ApiError("validation_failed", `${detail} Remove some first.`, {
      faults: [
        {
          in: "body",
          pointer: "/labels",
          code: (isTooMany ? "too_many" : "too_long") satisfies FaultCode,
          detail,
        },
      ],
    });
  }
  return after;
}

/** One condition on an object's labels. Without `value`, any value matches. */
export interface LabelSelector {
  key: string;
  value?: string;
}

/** The filter of a list by labels. */
export const LabelFilter = QueryList.transform((text, context): LabelSelector[] => {
  const selectors = text.split(",", MAX_SELECTORS + 1).map(selectorOf);
  const fault =
    selectors.length > MAX_SELECTORS
      ? `It can have at most ${MAX_SELECTORS} conditions.`
      : selectors.map(selectorFault).find((found) => found !== undefined);
  if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  return selectors;
})
  .optional()
  .meta({
    type: "array",
    items: { type: "string" },
    minItems: 1,
    maxItems: MAX_SELECTORS,
    description:
      "Only objects with these labels: `key=value` (this value) or `key` (any value). Several are separated by commas and must all hold.",
  });

function selectorOf(text: string): LabelSelector {
  const at = text.indexOf("=");
  return at === -1 ? { key: text } : { key: text.slice(0, at), value: text.slice(at + 1) };
}

function selectorFault({ key, value }: LabelSelector): string | undefined {
  if (key === "") return "Each condition must be `key=value` or `key`; one of them is empty.";
  return labelKeyFault(key) ?? (value === undefined ? undefined : labelValueFault(value));
}
