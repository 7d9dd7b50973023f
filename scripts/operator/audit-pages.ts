import type { Client } from "../client/client.ts";

interface AuditPage {
  data: readonly unknown[];
  nextCursor: string | null;
}

/**
 * The pages of an audit log, newest first. `tenantId`: undefined for the platform's. Waits if the service answers that
 * there were too many requests; throws for every other refusal.
 */
export async function* auditPages(
  client: Pick<Client, "get">,
  tenantId: string | undefined,
  pause: () => Promise<unknown>,
): AsyncGenerator<AuditPage> {
  const first = new URLSearchParams({
    limit: "100",
    ...(tenantId === undefined ? {} : { tenantId }),
  });
  for (let query: URLSearchParams | undefined = first; query !== undefined;) {
    const page: AuditPage | "later" = await client
      .get<AuditPage>(`/audit-events?${query.toString()}`)
      .catch((error: unknown) => {
        if ((error as { status?: number }).status === 429) return "later";
        throw error;
      });
    if (page === "later") {
      await pause();
      continue;
    }
    yield page;
    query =
      page.nextCursor === null
        ? undefined
        : new URLSearchParams([...first, ["cursor", page.nextCursor]]);
  }
}
