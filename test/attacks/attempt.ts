/** A sign-in at a hostile provider, from start to result. */
import { afterAll, beforeAll, expect, vi } from "vitest";
import type { Bindings } from "#kernel/bindings.ts";
import type { Answer } from "#test/support/api.ts";
import { Browser, person, SESSION_COOKIE } from "#test/support/sign-in.ts";
import {
  type Alterations,
  HostileProvider,
  type Json,
  stubNetwork,
  takeSecrets,
} from "./hostile-provider.ts";

export const ORIGIN = "https://control.test";

/** The service's settings with these providers, as in production. */
export function settingsFor(
  providers: readonly HostileProvider[],
  more: Partial<Bindings> = {},
  entry: Json = {},
): Partial<Bindings> {
  return {
    OIDC_PROVIDERS: JSON.stringify(providers.map((provider) => provider.entry(entry))),
    ...Object.fromEntries(providers.map(({ secretName, secret }) => [secretName, secret])),
    ...more,
  };
}

export interface Outcome {
  answer: Answer;
  /** `signed in`, or the code of the failure. */
  result: string;
  /** The failed check, from the log. */
  cause: string | undefined;
}

const lines: string[] = [];
let asked = 0;

/**
 * Routes the network to the hostile providers and records the log. Call it once per file, before anything
 * else.
 */
export function useHostility(): void {
  stubNetwork();
  const names = ["log", "info", "warn", "error"] as const;
  beforeAll(() => {
    for (const name of names)
      vi.spyOn(console, name).mockImplementation((line: unknown) => lines.push(String(line)));
  });
  afterAll(() => {
    vi.restoreAllMocks();
    const all = lines.splice(0).join("\n");
    expect(takeSecrets().filter((secret) => all.includes(secret))).toEqual([]);
  });
}

/** Advances the clock by `ms`; 0 resets it. */
export function setLater(ms: number): void {
  clock?.mockRestore();
  clock = ms === 0 ? undefined : vi.spyOn(Date, "now").mockImplementation(() => trueNow() + ms);
}
const trueNow = Date.now.bind(Date);
let clock: { mockRestore: () => void } | undefined;

/** Starts a sign-in; the answer redirects to the provider. */
export async function begin(
  browser: Browser,
  provider: HostileProvider,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const search = new URLSearchParams({ returnTo: "/after", ...query });
  const path = `/auth/oidc/${provider.id}/login?${search.toString()}`;
  const answer = await browser.get(path, headers);
  provider.keep(browser.ours.get("__Host-control_sign_in"));
  return answer;
}

/** Starts a sign-in and signs in at the provider; returns the URL of the callback. */
export async function authorized(
  browser: Browser,
  provider: HostileProvider,
  who = person(),
): Promise<URL> {
  const begun = await begin(browser, provider);
  expect(begun.status, begun.text).toBe(302);
  return provider.authorize(begun.headers.get("location") ?? "", who);
}

/** Requests the callback, and checks that neither the answer nor the log reveals a secret. */
export async function come(
  browser: Browser,
  callback: URL,
  ...providers: readonly HostileProvider[]
): Promise<Outcome> {
  const before = browser.session;
  const id = `attack-${(asked += 1)}`;
  const answer = await browser.come(callback, { "x-request-id": id });
  return outcome(browser, { answer, before, id, providers });
}

function outcome(
  browser: Browser,
  of: {
    answer: Answer;
    before: string | undefined;
    id: string;
    providers: readonly HostileProvider[];
  },
): Outcome {
  const { answer, before, id, providers } = of;
  const told = lines.filter((line) => line.includes(`"${id}"`));
  const failure = told.map((line) => JSON.parse(line) as Json).find(({ reason }) => reason);
  const signedIn = answer.status === 302 && answer.headers.get("location") === `${ORIGIN}/after`;
  if (signedIn) expect(browser.session).not.toBe(before);
  else {
    expect(answer.headers.getSetCookie(), "no cookie for who is not signed in").toEqual([]);
    expect(browser.session).toBe(before);
    expect(answer.status, answer.text).toBeLessThan(503);
    expect(answer.status, answer.text).not.toBe(500);
  }
  expectTellsNothing(answer, providers, told);
  const result = signedIn
    ? "signed in"
    : String(answer.body?.errors?.[0].code ?? answer.body?.code ?? answer.status);
  return { answer, result, cause: failure?.["cause"] as string | undefined };
}

/** Checks that no code, state, nonce, verifier, token or secret is in the answer or the log. */
export function expectTellsNothing(
  answer: Answer,
  providers: readonly HostileProvider[],
  told: readonly string[] = lines,
): void {
  const headers = [...answer.headers].filter(([name]) => name !== "set-cookie");
  const all = [answer.text, JSON.stringify(headers), ...told].join("\n");
  for (const { secrets, strayed } of providers) {
    expect(strayed).toEqual([]);
    for (const secret of secrets)
      expect(all.includes(secret), `tells ${secret}: ${all}`).toBe(false);
  }
  const session = answer.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`));
  const token = /=([^;]+)/.exec(session ?? "")?.[1];
  if (token !== undefined) expect(all).not.toContain(token);
}

export interface Attempt extends Outcome {
  browser: Browser;
  provider: HostileProvider;
}

/** A complete sign-in at a provider with these alterations. */
export async function attempt(
  alter: Alterations = {},
  { entry = {}, provider = new HostileProvider(), who = person() } = {},
): Promise<Attempt> {
  const browser = new Browser(settingsFor([provider], {}, entry));
  provider.alter = alter;
  const id = `attack-${(asked += 1)}`;
  const begun = await begin(browser, provider, {}, { "x-request-id": id });
  const done =
    begun.status === 302
      ? await come(browser, provider.authorize(begun.headers.get("location") ?? "", who), provider)
      : outcome(browser, { answer: begun, before: undefined, id, providers: [provider] });
  return { ...done, browser, provider };
}
