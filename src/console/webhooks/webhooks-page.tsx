/** `/webhooks`: the webhooks with their health, and a form for a new one. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { createWebhookEndpoint, listWebhooksEndpoint } from "#areas/webhooks/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import type { ConsolePage } from "#console/console-page.ts";
import { Filters, isFilteredBy, SelectFilter, wantedIn } from "#console/filters.tsx";
import { ActNotes, Foldout, NextPage, RowOwner, StateTag, Table, Time } from "#console/parts.tsx";
import { mayAnywhere, type Reader } from "#console/reader.ts";
import { tenantField } from "#console/tenant-field.ts";
import { webhookStates } from "#schema/webhooks.ts";
import { EventList } from "./event-list.tsx";
import { shownSecret, signatureField, webhookFields } from "./webhook-fields.ts";
import { webhookName } from "./webhook-words.ts";

const filters = ["q", "state", "cursor"] as const;

export const webhooksPage: ConsolePage = {
  path: "/webhooks",
  load: async (api, { query, tenantId }) => {
    const wanted = { ...wantedIn(query, filters), tenantId };
    const { data, nextCursor } = await api.read(listWebhooksEndpoint, {}, wanted);
    const isFiltered = isFilteredBy(query, filters);
    return (reader) => ({
      title: "Webhooks",
      scripts: ["console"],
      body: (
        <>
          <h1>Webhooks</h1>
          <Filters path="/webhooks" query={query} search="Description contains">
            <SelectFilter query={query} name="state" words="State" values={webhookStates} />
          </Filters>
          {data.length === 0 ? (
            <p class="note">
              {isFiltered ? (
                <>
                  No webhook is like that. <a href="/webhooks">Show all</a>
                </>
              ) : (
                <>
                  There is no webhook yet. It sends events to your own program, chat or pipeline as
                  they happen: <a href="/docs/webhooks">how they are signed and repeated</a>.
                </>
              )}
            </p>
          ) : (
            <Table
              columns={["Webhook", "State", "Events", "Changed"]}
              rows={data.map((webhook) => [
                <>
                  <a href={`/webhooks/${webhook.id}`}>{webhookName(webhook)}</a>{" "}
                  {webhook.format !== "standard" && <span class="tag">{webhook.format}</span>}{" "}
                  {webhook.description !== "" && <span class="soft">{webhook.url}</span>}{" "}
                  <RowOwner reader={reader} tenantId={webhook.tenantId} />
                </>,
                <>
                  <StateTag state={webhook.state} />{" "}
                  {webhook.circuit !== "closed" && <span class="tag bad">receiver fails</span>}
                </>,
                <EventList events={webhook.events} />,
                <Time at={webhook.updatedAt} />,
              ])}
            />
          )}
          <NextPage path="/webhooks" query={query} cursor={nextCursor} />
          <ActNotes />
          {mayAnywhere(reader, createWebhookEndpoint) && (
            <NewWebhook reader={reader} isFirst={data.length === 0 && !isFiltered} />
          )}
        </>
      ),
    });
  },
};

function NewWebhook({ reader, isFirst }: { reader: Reader; isFirst: boolean }): JSX.Element {
  return (
    <Foldout words="Create a webhook" isOpen={isFirst}>
      <ActForm
        method="POST"
        path="/webhooks"
        fields={[
          ...tenantField(reader, createWebhookEndpoint, "It is sent the events of every tenant."),
          ...webhookFields(),
          signatureField(),
        ]}
        words="Create the webhook"
        tone="main"
        then={{ show: shownSecret, goTo: "/webhooks/{id}" }}
      />
    </Foldout>
  );
}
