import { readdir } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { WebhookEvent } from "../../scripts/receiver/receiver.ts";

/** The events that the service on this state directory has in D1, whether or not they were delivered yet. */
export async function storedEvents(stateDir: string): Promise<WebhookEvent[]> {
  const directory = path.join(stateDir, "v3/d1/miniflare-D1DatabaseObject");
  const files = (await readdir(directory)).filter(
    (name) => name.endsWith(".sqlite") && name !== "metadata.sqlite",
  );
  return files.flatMap((name) => {
    const database = new DatabaseSync(path.join(directory, name), { readOnly: true });
    try {
      return database
        .prepare("SELECT payload FROM events")
        .all()
        .map(({ payload }) => JSON.parse(String(payload)) as WebhookEvent);
    } finally {
      database.close();
    }
  });
}
