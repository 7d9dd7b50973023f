/** The triggers of an instance, each with its next time, and forms to add one of each kind. */
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import {
  createTriggerEndpoint,
  deleteTriggerEndpoint,
  type listTriggersEndpoint,
  rotateTriggerEndpoint,
  updateTriggerEndpoint,
} from "#areas/triggers/contract.ts";
import { ActForm, type Field } from "#console/act-form.tsx";
import { ActButton, Foldout, Table, Time, wordsOf } from "#console/parts.tsx";
import { may, type Reader } from "#console/reader.ts";
import { textOf } from "#console/schema-fields.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Instance } from "./bindings.tsx";

export type Triggers = z.output<NonNullable<typeof listTriggersEndpoint.answer.schema>>["data"];
type Trigger = Triggers[number];

/** Members that are shown only once. */
const secrets = { url: "Address to call", signingKey: "Signing key" };

const times: readonly Field[] = [
  {
    name: "condition.cron",
    words: "When",
    isRequired: true,
    maxLength: 200,
    placeholder: "0 3 * * 1",
    hint: "Minute, hour, day of month, month, day of week. 0 3 * * 1 is each Monday at 3:00.",
  },
  {
    name: "condition.timeZone",
    words: "Time zone",
    maxLength: 100,
    placeholder: "Europe/Berlin",
    hint: "Default: UTC.",
  },
];

const kinds: readonly { kind: Trigger["kind"]; words: string; fields: readonly Field[] }[] = [
  { kind: "schedule", words: "Deploy at set times", fields: times },
  {
    kind: "drift",
    words: "Check for drift at set times",
    fields: [
      ...times,
      { name: "condition.remediate", words: "Deploy when it found drift", kind: "flag" },
    ],
  },
  {
    kind: "template_version",
    words: "Deploy new versions of the template",
    fields: [
      { name: "condition.from", words: "From version", kind: "number", hint: "Default: any." },
      { name: "condition.to", words: "To version", kind: "number", hint: "Default: any." },
      {
        name: "condition.components",
        words: "Add a version when a component has a new release",
        kind: "flag",
        hint: "Only for your own templates.",
      },
    ],
  },
  {
    kind: "upstream_output",
    words: "Deploy when an output that it reads is different",
    fields: [
      {
        name: "condition.instanceId",
        words: "Only of the instance with the id",
        hint: "Default: of each.",
        maxLength: 200,
      },
      {
        name: "condition.outputs",
        words: "Only outputs of these names",
        kind: "lines",
        hint: "One a line. Default: all.",
      },
    ],
  },
  {
    kind: "inbound_webhook",
    words: "Deploy when its secret URL is called",
    fields: [
      {
        name: "condition.signature",
        words: "Calls are signed",
        kind: "choice",
        choices: [
          { value: "", words: "no: the URL alone is the secret" },
          { value: "standard", words: "as Standard Webhooks" },
          { value: "github", words: "as GitHub does" },
        ],
      },
    ],
  },
];

export function Triggers(shown: {
  instance: Instance;
  triggers: Triggers;
  reader: Reader;
}): JSX.Element {
  const { instance, triggers, reader } = shown;
  const { id, tenantId } = instance;
  return (
    <>
      {triggers.length === 0 ? (
        <p class="soft">Nothing deploys it but people and programs.</p>
      ) : (
        <Table
          columns={["Trigger", "When", "Next", "Last", ""]}
          rows={triggers.map((trigger) => rowOf(trigger, instance, reader))}
        />
      )}
      {may(reader, createTriggerEndpoint, tenantId) && (
        <Foldout words="Add a trigger">
          {kinds.map(({ kind, words, fields }) => (
            <Foldout words={words}>
              <ActForm
                method="POST"
                path={`/instances/${id}/triggers`}
                body={{ kind, condition: {} }}
                fields={fields}
                words={`Add: ${words.toLowerCase()}`}
                then={kind === "inbound_webhook" ? { show: secrets } : "stay"}
              />
            </Foldout>
          ))}
        </Foldout>
      )}
    </>
  );
}

function rowOf(trigger: Trigger, instance: Instance, reader: Reader): Child[] {
  const { kind, enabled, nextFireAt, lastFiredAt, lastDeploymentId, suppressedReason } = trigger;
  return [
    <>
      {wordsOf(kind)} {!enabled && <span class="tag">off</span>}
    </>,
    conditionWords(trigger),
    enabled && nextFireAt !== null ? <Time at={nextFireAt} /> : "",
    <>
      {lastFiredAt !== null &&
        (lastDeploymentId === null ? (
          <Time at={lastFiredAt} />
        ) : (
          <a href={`/deployments/${lastDeploymentId}`}>
            <Time at={lastFiredAt} />
          </a>
        ))}{" "}
      {suppressedReason !== null && <span class="tag wait">{wordsOf(suppressedReason)}</span>}
    </>,
    kind === "expiry" ? (
      <span class="soft">Change it under Settings.</span>
    ) : (
      <TriggerActions trigger={trigger} instance={instance} reader={reader} />
    ),
  ];
}

function TriggerActions(shown: {
  trigger: Trigger;
  instance: Instance;
  reader: Reader;
}): JSX.Element {
  const { trigger, instance, reader } = shown;
  const { kind, enabled } = trigger;
  const path = `/instances/${instance.id}/triggers/${trigger.id}`;
  const words = wordsOf(kind);
  return (
    <span class="acts inner">
      {may(reader, updateTriggerEndpoint, instance.tenantId) && (
        <ActButton
          method="PATCH"
          path={path}
          body={{ enabled: !enabled }}
          words={enabled ? "Disable" : "Enable"}
          label={`${enabled ? "Disable" : "Enable"} ${words}`}
        />
      )}
      {kind === "inbound_webhook" && may(reader, rotateTriggerEndpoint, instance.tenantId) && (
        <ActForm
          method="POST"
          path={`${path}/rotate`}
          fields={[]}
          words="Rotate the URL"
          confirm="Give it a new URL? The old one stops working at once."
          then={{ show: secrets }}
        />
      )}
      {may(reader, deleteTriggerEndpoint, instance.tenantId) && (
        <ActButton
          method="DELETE"
          path={path}
          words="Delete"
          label={`Delete ${words}`}
          tone="danger"
          confirm={`Delete the trigger ${words}?`}
        />
      )}
    </span>
  );
}

/** The condition of a trigger in words. Its members depend on the kind. */
function conditionWords({ kind, condition }: Trigger): Child {
  const {
    cron = "",
    timeZone = "",
    remediate,
    components,
    from = 1,
    to = "any",
  } = condition as JsonMap;
  const { instanceId, outputs, signature, at = "" } = condition as JsonMap;
  switch (kind) {
    case "schedule":
    case "drift":
      return (
        <>
          <code>{textOf(cron)}</code> {textOf(timeZone)}
          {remediate === true && ", and deploys when it found drift"}
        </>
      );
    case "template_version":
      return `versions ${textOf(from)} to ${textOf(to)}${components === true ? ", and adds those with new releases of components" : ""}`;
    case "upstream_output":
      return (
        <>
          {Array.isArray(outputs) ? outputs.map(textOf).join(", ") : "all outputs that it reads"}
          {typeof instanceId === "string" && (
            <>
              {" "}
              of <a href={`/instances/${encodeURIComponent(instanceId)}`}>{instanceId}</a>
            </>
          )}
        </>
      );
    case "inbound_webhook":
      return signature === undefined ? "calls that are not signed" : `signed: ${textOf(signature)}`;
    case "expiry":
      return <Time at={textOf(at)} />;
  }
}
