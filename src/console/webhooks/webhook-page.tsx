/** `/webhooks/{id}`: the health of a webhook, its deliveries, and remedies for failures. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import {
  deleteWebhookEndpoint,
  deliveryStates,
  getWebhookEndpoint,
  listWebhookDeliveriesEndpoint,
  rotateWebhookSecretEndpoint,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from "#areas/webhooks/contract.ts";
import { recoverWebhookEndpoint } from "#areas/webhooks/recovery-contract.ts";
import { ActForm } from "#console/act-form.tsx";
import type { ConsolePage } from "#console/console-page.ts";
import { Filters, instantIn, SelectFilter, TimeFilter, wantedIn } from "#console/filters.tsx";
import { overlapField } from "#console/overlap-field.ts";
import {
  ActButton,
  ActNotes,
  Foldout,
  NextPage,
  Owner,
  StateTag,
  Table,
  Time,
} from "#console/parts.tsx";
import { may, type Reader } from "#console/reader.ts";
import { eventTypes } from "#schema/lists/event-kinds.ts";
import { EventList } from "./event-list.tsx";
import { shownSecret, signatureField, webhookFields } from "./webhook-fields.ts";
import { formatWords, healthWords, type Webhook, webhookName } from "./webhook-words.ts";

type Deliveries = z.output<NonNullable<typeof listWebhookDeliveriesEndpoint.answer.schema>>["data"];

const filters = ["status", "eventType", "cursor"] as const;

export const webhookPage: ConsolePage = {
  path: "/webhooks/:id",
  load: async (api, { params, query }) => {
    const wanted = wantedIn(query, filters);
    const [{ answer: webhook, etag }, { data, nextCursor }] = await Promise.all([
      api.readTagged(getWebhookEndpoint, params),
      api.read(listWebhookDeliveriesEndpoint, params, {
        ...wanted,
        since: instantIn(query, "since"),
      }),
    ]);
    const path = `/webhooks/${webhook.id}`;
    return (reader) => ({
      title: webhookName(webhook),
      scripts: ["console"],
      body: (
        <>
          <p class="crumbs">
            <Owner reader={reader} tenantId={webhook.tenantId} /> <a href="/webhooks">Webhooks</a>
          </p>
          <div class="row">
            <h1>{webhookName(webhook)}</h1>
            <span>
              <StateTag state={webhook.state} />{" "}
              {webhook.circuit !== "closed" && (
                <StateTag state={`CIRCUIT_${webhook.circuit.toUpperCase()}`} />
              )}
            </span>
          </div>
          <Facts webhook={webhook} />
          <ActNotes />
          <Actions webhook={webhook} etag={etag} reader={reader} />
          <h2>Deliveries</h2>
          <Filters path={path} query={query}>
            <SelectFilter query={query} name="status" words="State" values={deliveryStates} />
            <SelectFilter query={query} name="eventType" words="Event" values={eventTypes} />
            <TimeFilter query={query} name="since" words="Since" />
          </Filters>
          <DeliveryTable deliveries={data} isFiltered={query.size > 0} path={path} />
          <NextPage path={path} query={query} cursor={nextCursor} />
        </>
      ),
    });
  },
};

function Facts({ webhook }: { webhook: Webhook }): JSX.Element {
  const { url, description, events, state, circuit, ...more } = webhook;
  const isWell = state === "ENABLED" && circuit === "closed";
  return (
    <>
      {description !== "" && <p class="soft">{url}</p>}
      <p class={isWell ? undefined : "note bad"}>
        {healthWords(webhook)}
        {more.circuitOpenSince !== null && (
          <>
            {" "}
            It fails since <Time at={more.circuitOpenSince} />
            {more.nextProbeAt !== null && (
              <>
                ; the next try is at <Time at={more.nextProbeAt} />
              </>
            )}
            .
          </>
        )}
      </p>
      <p>
        Sends <EventList events={events} />: {formatWords(webhook)}.
      </p>
      {more.publicKey !== null && (
        <p>
          Its receiver verifies deliveries with the public key <code>{more.publicKey}</code>
        </p>
      )}
      {more.previousSecretExpiresAt !== null && (
        <p class="soft">
          Deliveries are also signed with the previous secret, until{" "}
          <Time at={more.previousSecretExpiresAt} />.
        </p>
      )}
    </>
  );
}

function Actions(shown: {
  webhook: Webhook;
  etag: string | undefined;
  reader: Reader;
}): JSX.Element {
  const { webhook, etag, reader } = shown;
  const { id, tenantId, state } = webhook;
  const isEnabled = state === "ENABLED";
  const path = `/webhooks/${id}`;
  const mayUse = (endpoint: Parameters<typeof may>[1]) => may(reader, endpoint, tenantId);
  return (
    <>
      <p class="acts">
        {mayUse(testWebhookEndpoint) && isEnabled && (
          <ActButton
            method="POST"
            path={`${path}/test`}
            words="Send a test"
            tone="main"
            goTo="/webhooks/{webhookId}/deliveries/{id}"
          />
        )}
        {mayUse(updateWebhookEndpoint) && (
          <ActButton
            method="PATCH"
            path={path}
            body={{ enabled: !isEnabled }}
            etag={etag}
            words={isEnabled ? "Disable" : "Enable"}
            {...(isEnabled && {
              confirm: "Disable it? Deliveries that become due meanwhile are canceled.",
            })}
          />
        )}
        {mayUse(deleteWebhookEndpoint) && (
          <ActButton
            method="DELETE"
            path={path}
            goTo="/webhooks"
            words="Delete"
            tone="danger"
            confirm="Delete this webhook? Its open deliveries are canceled."
          />
        )}
      </p>
      <div class="foldouts">
        {mayUse(recoverWebhookEndpoint) && isEnabled && (
          <Foldout words="Repeat failed deliveries">
            <p>
              Each event of the range whose deliveries all failed is sent once more. Events that
              arrived are not.
            </p>
            <ActForm
              method="POST"
              path={`${path}/recover`}
              fields={[
                {
                  name: "since",
                  words: "From (UTC)",
                  hint: "At most 14 days ago.",
                  kind: "time",
                  isRequired: true,
                },
                { name: "until", words: "Until (UTC)", hint: "Empty: until now.", kind: "time" },
              ]}
              words="Repeat them"
              then={{ goTo: "/webhooks/{webhookId}/recoveries/{id}" }}
            />
          </Foldout>
        )}
        {mayUse(rotateWebhookSecretEndpoint) && (
          <Foldout words="Rotate the secret">
            <ActForm
              method="POST"
              path={`${path}/rotate-secret?overlapSeconds={overlapSeconds}&signature={signature}`}
              fields={[
                overlapField("The old secret also signs for"),
                signatureField(webhook.signature),
              ]}
              etag={etag}
              words="Make a new secret"
              then={{ show: shownSecret }}
            />
          </Foldout>
        )}
        {mayUse(updateWebhookEndpoint) && (
          <Foldout words="Edit">
            <ActForm
              method="PATCH"
              path={path}
              fields={webhookFields(webhook)}
              etag={etag}
              words="Save"
              tone="main"
              then="stay"
            />
          </Foldout>
        )}
      </div>
    </>
  );
}

function DeliveryTable(shown: {
  deliveries: Deliveries;
  isFiltered: boolean;
  path: string;
}): JSX.Element {
  const { deliveries, isFiltered, path } = shown;
  if (deliveries.length === 0)
    return (
      <p class="note">
        {isFiltered ? (
          <>
            No delivery is like that. <a href={path}>Show all</a>
          </>
        ) : (
          "Nothing was sent in the last 30 days. Send a test to see whether events arrive."
        )}
      </p>
    );
  return (
    <Table
      columns={["Event", "State", "Attempts", "Next try", "Created"]}
      rows={deliveries.map(({ id, eventType, state, attemptCount, manual, held, ...more }) => [
        <>
          <a href={`${path}/deliveries/${id}`}>{eventType}</a>{" "}
          {manual && <span class="tag">repeated</span>}
        </>,
        <>
          <StateTag state={state} /> {held && <span class="tag wait">held</span>}
        </>,
        attemptCount,
        more.nextTryAt === null ? "" : <Time at={more.nextTryAt} />,
        <Time at={more.createdAt} />,
      ])}
    />
  );
}
