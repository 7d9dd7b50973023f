/** What an approver has to know of a plan in ten seconds, and the decision. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import type { getDeploymentEndpoint } from "#areas/deployments/contract.ts";
import { ActForm, type Field } from "#console/act-form.tsx";
import { Foldout, Time } from "#console/parts.tsx";
import { firstNames } from "#platform/text/first-names.ts";
import { requester } from "#schema/lists/deployment-words.ts";
import { TargetLink } from "./deployment-table.tsx";
import type { Plan } from "./plan-changes.tsx";

type Deployment = z.output<NonNullable<typeof getDeploymentEndpoint.answer.schema>>;
type Change = Plan["changes"][number];

/** At most so many names of one kind of change; the rows below have all. */
const MAX_NAMES = 6;

const comment: Field = {
  name: "comment",
  words: "Comment",
  kind: "comment",
  maxLength: 1000,
  hint: "Everybody who reads the deployment reads it.",
};

export function ApprovalCard(shown: {
  deployment: Deployment;
  plan: Plan | null;
  name: string;
}): JSX.Element {
  const { deployment, plan, name } = shown;
  const { id, actions, message, createdAt, planHash, instance, stateSerial } = deployment;
  const changes = plan?.changes ?? [];
  const isStale =
    instance !== undefined && instance !== null && instance.stateSerial !== stateSerial;
  const risk = riskWords(changes);
  return (
    <section class="card" aria-label="Approval">
      <p>
        <TargetLink target={deployment.target} />{" "}
        <span class="soft">{deployment.target.provider}</span>
      </p>
      {risk.map((line) => (
        <p class="risk">It {line}.</p>
      ))}
      <p>{restWords(changes, risk.length > 0)}</p>
      <p class="soft">
        {requester(deployment)} asked <Time at={createdAt} />
        {message !== null && message !== "" ? ": " : "."}
        {message !== null && <q>{message}</q>}
      </p>
      {isStale && (
        <p class="note bad">
          The instance has changed since this plan was made, so it cannot be applied. Discard it and
          deploy again.
        </p>
      )}
      {actions.includes("approve") ? (
        <ActForm
          method="POST"
          path={`/deployments/${id}/approve`}
          fields={[comment]}
          words="Approve the plan"
          tone="main"
          confirm={`Approve the plan of ${name}${risk.length === 0 ? "" : `, which ${risk.join(" and ")}`}?`}
          then="stay"
        />
      ) : (
        <p class="note">
          Somebody else has to approve this plan: it takes an admin of the tenant and, where every
          plan needs approval, a person who neither requested it nor wrote what it deploys. Send
          them the address of this page.
        </p>
      )}
      {actions.includes("discard") && (
        <Foldout words="Discard the plan">
          <ActForm
            method="POST"
            path={`/deployments/${id}/discard`}
            fields={[comment]}
            words="Discard"
            tone="danger"
            then="stay"
          />
        </Foldout>
      )}
      {planHash !== null && (
        <p class="soft">
          An approval counts for this plan alone: <code>{planHash.slice(0, 16)}</code>.
        </p>
      )}
    </section>
  );
}

/** `deletes 4: a, b, c and d`, `replaces 8: …`. Empty: it neither deletes nor replaces. */
export function riskWords(changes: readonly Change[]): string[] {
  return (["delete", "replace"] as const).flatMap((action) => {
    const names = changes.filter((change) => change.action === action).map(describe);
    return names.length === 0
      ? []
      : [`${action}s ${names.length}: ${firstNames(names, MAX_NAMES)}`];
  });
}

/** `database (Database)`: the name says what it is to people, the type what it is at the cloud. */
function describe({ resource, type }: Change): string {
  return `${resource} (${type.slice(type.lastIndexOf(":") + 1)})`;
}

function restWords(changes: readonly Change[], hasRisk: boolean): string {
  const count = (action: Change["action"]) =>
    changes.filter((change) => change.action === action).length;
  const parts = (["create", "update"] as const)
    .filter((action) => count(action) > 0)
    .map((action) => `${action}s ${count(action)}`);
  if (parts.length === 0) return hasRisk ? "Nothing else changes." : "It changes nothing.";
  return `${hasRisk ? "It also" : "It"} ${parts.join(" and ")}${hasRisk ? "" : ", and deletes and replaces nothing"}.`;
}
