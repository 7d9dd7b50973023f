/** What operators do, as commands. */
import * as fc from "fast-check";
import { Command, isAccepted, type Weighted } from "./command.ts";

export const abandonCommand = (back: number) =>
  new Command(
    `abandon(${back} ago)`,
    async (model, real) => {
      const id = model.recent(back)?.id ?? "";
      const path = `/deployments/${id}/abandon`;
      const body = { reason: "It does not end." };
      const answer = await real.ask("POST", path, body, { operator: true });
      if (isAccepted(real, path, answer, 200)) model.abandoned.add(id);
    },
    ({ asked }) => asked.length > 0,
  );

/** Safe at any time. */
const reconcileCommand = (instance: number) =>
  new Command(`reconcile(${instance})`, async (_, real) => {
    const path = `/instances/${real.instanceIds[instance]}/reconcile`;
    isAccepted(real, path, await real.ask("POST", path, undefined, { operator: true }), 200);
  });

export const operatorCommands: Weighted = {
  abandon: [1, fc.nat({ max: 2 }).map(abandonCommand)],
  reconcile: [1, fc.nat({ max: 1 }).map(reconcileCommand)],
};
