import { findInstance } from "#areas/instances/public.ts";
import { closePage, openPage, type Page } from "#http/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { notFound } from "#kernel/errors.ts";
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
  const [[instance], rows] = await call.read(
    findInstance(call, instanceId),
    findTriggers(call, instanceId, page),
  );
  if (instance === undefined) throw notFound("instance");
  return closePage(call, page, filters, rows, view);
}

export async function getTrigger(call: Call, instanceId: string, id: string): Promise<Trigger> {
  const [[trigger]] = await call.read(findTrigger(call, instanceId, id));
  if (trigger === undefined) throw notFound("trigger");
  return trigger;
}
