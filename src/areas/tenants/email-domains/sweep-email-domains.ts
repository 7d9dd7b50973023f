/**
 * Looks the records of proved domains up again. A proof that is not renewed ends thirty days after the last sight of
 * its record. A lost sweep or a resolver that fails for a day does not end it, and neither does any answer of a
 * resolver.
 */
import type { Bindings } from "#kernel/bindings.ts";
import { challengeRecord, LOOK_SOONER_MS, provedByDns } from "./email-domain.ts";
import { DEFAULT_RESOLVER, txtRecords } from "./txt-records.ts";

const DOMAINS_A_SWEEP = 5;

interface Due {
  tenantId: string;
  domain: string;
  challenge: string;
}

export async function sweepEmailDomains(env: Bindings, nowMs: number): Promise<void> {
  const { results } = await env.DB.prepare(
    `SELECT tenant_id AS tenantId, domain, challenge FROM tenant_email_domains
      WHERE tenant_id IS NOT NULL AND next_check_at_ms IS NOT NULL AND next_check_at_ms <= ?
      ORDER BY next_check_at_ms LIMIT ?`,
  )
    .bind(nowMs, DOMAINS_A_SWEEP)
    .all<Due>();
  if (results.length === 0) return;
  await env.DB.batch(await Promise.all(results.map(async (due) => looked(env, due, nowMs))));
}

async function looked(env: Bindings, due: Due, nowMs: number): Promise<D1PreparedStatement> {
  const { name, value } = challengeRecord(due);
  const found = await txtRecords(env.DNS_RESOLVER || DEFAULT_RESOLVER, name);
  const isThere = found.kind === "records" && found.texts.includes(value);
  const { verifiedUntilMs, nextCheckAtMs } = isThere
    ? provedByDns(nowMs)
    : { verifiedUntilMs: null, nextCheckAtMs: nowMs + LOOK_SOONER_MS };
  return env.DB.prepare(
    `UPDATE tenant_email_domains SET next_check_at_ms = ?4, verified_until_ms = coalesce(?5, verified_until_ms)
      WHERE tenant_id = ?1 AND domain = ?2 AND challenge = ?3 AND method = 'dns'`,
  ).bind(due.tenantId, due.domain, due.challenge, nextCheckAtMs, verifiedUntilMs);
}
