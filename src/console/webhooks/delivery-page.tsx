/** `/webhooks/{id}/deliveries/{deliveryId}`: the delivery of one event, with its attempts. */
import type { JSX } from "hono/jsx/jsx-runtime";
import {
  getWebhookDeliveryEndpoint,
  getWebhookEndpoint,
  redeliverEndpoint,
} from "#areas/webhooks/contract.ts";
import type { ConsolePage } from "#console/console-page.ts";
import { ActButton, ActNotes, StateTag, Time } from "#console/parts.tsx";
import { may } from "#console/reader.ts";
import { data } from "#console/shared/page-names.ts";
import { type Attempt, attemptWords, webhookName } from "./webhook-words.ts";

export const deliveryPage: ConsolePage = {
  path: "/webhooks/:id/deliveries/:deliveryId",
  load: async (api, { params }) => {
    const [webhook, delivery] = await Promise.all([
      api.read(getWebhookEndpoint, params),
      api.read(getWebhookDeliveryEndpoint, params),
    ]);
    const path = `/webhooks/${webhook.id}`;
    return (reader) => ({
      title: `Delivery of ${delivery.eventType}`,
      scripts: ["console"],
      body: (
        <>
          <p class="crumbs">
            <a href="/webhooks">Webhooks</a> <a href={path}>{webhookName(webhook)}</a>
          </p>
          <div class="row">
            <h1>Delivery of {delivery.eventType}</h1>
            <span>
              <StateTag state={delivery.state} />{" "}
              {delivery.held && <span class="tag wait">held</span>}
            </span>
          </div>
          <p class="soft">
            The event happened <Time at={delivery.createdAt} />; its id, sent as{" "}
            <code>webhook-id</code>, is <code>{delivery.eventId}</code>.
          </p>
          {delivery.manual && <p class="soft">It was asked for: one attempt, no others.</p>}
          {delivery.held && (
            <p class="note">It waits until the receiver works again. That uses no attempt.</p>
          )}
          {delivery.nextTryAt !== null && (
            <p>
              The next attempt is <Time at={delivery.nextTryAt} />.
            </p>
          )}
          <ActNotes />
          <p class="acts">
            {may(reader, redeliverEndpoint, webhook.tenantId) && webhook.state === "ENABLED" && (
              <ActButton
                method="POST"
                path={`${path}/deliveries/${delivery.id}/redeliver`}
                words="Deliver again"
                tone="main"
                goTo="/webhooks/{webhookId}/deliveries/{id}"
              />
            )}
          </p>
          <h2>Attempts</h2>
          {delivery.attempts.length === 0 ? (
            <p class="soft">There was none yet.</p>
          ) : (
            <ol class="changes">
              {delivery.attempts.toReversed().map((attempt) => (
                <AttemptItem attempt={attempt} />
              ))}
            </ol>
          )}
          <h2>Event</h2>
          {delivery.payload === null ? (
            <p class="soft">It is not kept any more.</p>
          ) : (
            <pre {...data({ copy: true })}>{JSON.stringify(delivery.payload, null, 2)}</pre>
          )}
        </>
      ),
    });
  },
};

function AttemptItem({ attempt }: { attempt: Attempt }): JSX.Element {
  const { number, startedAt, durationMs, status, errorClass, nextTryAt } = attempt;
  const { answer, answerCut, requestHeaders } = attempt;
  return (
    <li>
      <details open={errorClass !== null}>
        <summary>
          <strong>Attempt {number}</strong>{" "}
          <span class={`tag ${errorClass === null ? "good" : "bad"}`}>
            {status ?? errorClass?.replaceAll("_", " ")}
          </span>{" "}
          <span class="soft">
            <Time at={startedAt} />, {durationMs} ms
          </span>
        </summary>
        <p>
          {attemptWords(attempt)}{" "}
          {nextTryAt !== null && (
            <>
              The next attempt was planned for <Time at={nextTryAt} />.
            </>
          )}
        </p>
        <h3>Answer</h3>
        {answer === null ? (
          <p class="soft">Only admins and owners see what the receiver answered.</p>
        ) : answer === "" ? (
          <p class="soft">It was empty.</p>
        ) : (
          <pre>{answer}</pre>
        )}
        {answerCut && <p class="soft">The rest of the answer was not kept.</p>}
        <h3>Headers of the request</h3>
        <dl class="paths">
          {Object.entries(requestHeaders).map(([name, value]) => (
            <div>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </li>
  );
}
