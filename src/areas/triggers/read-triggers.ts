import { findInstance } from "#areas/instances/public.ts";
import { closePage, openPage, type Page } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { Trigger } from "#schema/triggers.ts";
import { findTrigger, findTriggers } from "./store.ts";

export async function listTriggers<V>(
  call: Call,
  instanceId: string,
  query: { limit: number; cursor?: string | undefined },
  view: (trigger: Trigger) => V,
): Promise<Page<V>> {
  const filters = { list: "triggers", instanceId };
  const page = await openPage(call, query, filters);
  const [, rows] = await call.read(
    one(findInstance(call, instanceId), "instance"),
    findTriggers(call, instanceId, page),
  );
  return closePage(call, page, filters, rows, view);
}

export async function getTrigger(call: Call, instanceId: string, id: string): Promise<Trigger> {
  const [trigger] = await call.read(one(findTrigger(call, instanceId, id), "trigger"));
  return trigger;
}
