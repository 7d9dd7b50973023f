import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import { openMap, sealMap } from "#platform/crypto/sealed-map.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import { nearest } from "#platform/text/nearest.ts";
import type { DeploymentInputs } from "#schema/deployments.ts";
import type { Instance } from "#schema/instances.ts";
import type { Upstream } from "./store.ts";
import { variablesPlace } from "./variables.ts";

export type Reads = NonNullable<DeploymentInputs["reads"]>;

/** The bindings without a variable of the instance's own, which would take precedence. */
export function countingBindings({
  bindings,
  variables,
}: Pick<Instance, "bindings" | "variables">) {
  return Object.entries(bindings).filter(([name]) => !Object.hasOwn(variables, name));
}

/** The reads of an instance's bindings, by variable: the output, and the hash of its present value. */
export function readsOf(
  instance: Pick<Instance, "bindings" | "variables">,
  upstreams: readonly Pick<Upstream, "id" | "outputHashes">[],
): Reads {
  return Object.fromEntries(
    countingBindings(instance).map(([name, { instanceId, output }]) => {
      const hashes = upstreams.find(({ id }) => id === instanceId)?.outputHashes ?? {};
      const hash = Object.hasOwn(hashes, output) ? (hashes[output] ?? null) : null;
      return [name, { instanceId, output, hash }];
    }),
  );
}

/**
 * The values of the bindings, by variable. A value that is secret in the instance or upstream is sealed for the
 * instance. Throws `invalid_state`, naming the binding, if there is no value to read.
 */
export async function boundValues(
  call: Call,
  instance: Instance,
  upstreams: readonly Upstream[],
  secretNames: readonly string[],
): Promise<JsonMap> {
  const values = new Map<string, Json>();
  const secret = new Set(secretNames);
  for (const [name, { instanceId, output }] of countingBindings(instance)) {
    const reads = `The binding ${name} reads the output ${output} of instance ${instanceId}`;
    const upstream = upstreams.find(({ id }) => id === instanceId);
    if (upstream === undefined)
      throw unreadable(`${reads}, which no longer exists. Bind the variable to another instance.`);
    const shown = Object.hasOwn(upstream.outputs, output) ? upstream.outputs[output] : undefined;
    if (shown === undefined)
      throw unreadable(
        upstream.state === "DESTROYED"
          ? `${reads} (${upstream.name}), which is destroyed. Deploy that instance first.`
          : `${reads} (${upstream.name}), which has no output of that name. ${whatThereIs(output, Object.keys(upstream.outputs))}`,
      );
    const isSecret = Object.hasOwn(upstream.secretOutputs ?? {}, output);
    if (isSecret) secret.add(name);
    values.set(name, isSecret ? await opened(call, upstream, output) : shown);
  }
  return sealMap(
    Object.fromEntries(values),
    secret,
    sealerFrom(call.env.SEALING_KEYS),
    variablesPlace(instance),
  );
}

function unreadable(detail: string): ApiError {
  return new ApiError("invalid_state", detail);
}

/** Opens a secret output that the upstream's runner sealed. */
async function opened(call: Call, upstream: Upstream, output: string): Promise<Json> {
  const { id, tenantId, secretOutputs } = upstream;
  const sealed = { value: secretOutputs?.[output] ?? null };
  const place = { table: "instances", tenantId, row: id, column: "outputs" };
  const { value } = await openMap(sealed, sealerFrom(call.env.SEALING_KEYS), place);
  return value ?? null;
}

const MOST_NAMED = 10;

/** The remedy for an output that is missing among these. */
function whatThereIs(output: string, names: readonly string[]): string {
  if (names.length === 0) return "Deploy that instance first.";
  const close = nearest(output, names);
  if (close !== undefined) return `Did you mean ${close}?`;
  const shown = names.slice(0, MOST_NAMED).join(", ");
  return `Its outputs are ${shown}${names.length > MOST_NAMED ? ", …" : ""}. If its template declares the output, deploy that instance first.`;
}
