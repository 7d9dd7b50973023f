/** `/webhooks/{id}/recoveries/{recoveryId}`: the progress of repeating failed deliveries. */
import { getRecoveryEndpoint } from "#areas/webhooks/recovery-contract.ts";
import type { ConsolePage } from "#console/console-page.ts";
import { StateTag, Time } from "#console/parts.tsx";

const standing = {
  RUNNING: "It goes on in the background. Load the page again to see how far it is.",
  COMPLETED: "All that failed are sent once more.",
  CANCELED: "The webhook was disabled or deleted meanwhile.",
} as const;

export const recoveryPage: ConsolePage = {
  path: "/webhooks/:id/recoveries/:recoveryId",
  load: async (api, { params }) => {
    const { webhookId, state, since, until, count } = await api.read(getRecoveryEndpoint, params);
    const path = `/webhooks/${webhookId}`;
    return () => ({
      title: "Repetition of failed deliveries",
      scripts: ["console"],
      body: (
        <>
          <p class="crumbs">
            <a href="/webhooks">Webhooks</a> <a href={path}>This webhook</a>
          </p>
          <div class="row">
            <h1>Repetition of failed deliveries</h1>
            <StateTag state={state} />
          </div>
          <p>
            {count === 1 ? "1 event is" : `${count} events are`} sent once more, of those between{" "}
            <Time at={since} /> and <Time at={until} />. {standing[state]}
          </p>
          <p>
            <a class="button" href={path}>
              To the deliveries
            </a>
          </p>
        </>
      ),
    });
  },
};
