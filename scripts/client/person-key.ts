/**
 * The API key of a person of a tenant: an operator invites a user of the development identity provider, who signs in,
 * accepts and creates the key. All keys that an operator makes count as one person's, and a person cannot approve their
 * own requests.
 */
import { clientOf } from "./client.ts";

export interface PersonKey {
  address: string;
  operatorKey: string;
  tenantId: string;
  scopes: readonly string[];
}

const PROVIDER = "development";
const SUBJECT = "mark";
const MOST_STEPS = 12;

/** The key of Mark, as an admin of the tenant. */
export async function makePersonKey(of: PersonKey): Promise<string> {
  const { address, tenantId, scopes } = of;
  const operator = clientOf(address, of.operatorKey);
  const invitation = await operator.post<{ id: string }>(`/tenants/${tenantId}/members`, {
    email: `${SUBJECT}@example.com`,
    role: "CustomerAdmin",
  });
  const session = await signIn(address, of.operatorKey);
  await session("POST", `/auth/invitations/${invitation.id}/accept`);
  const { key } = (await session("POST", "/api-keys", {
    name: SUBJECT,
    scopes,
    tenantId,
  })) as { key: string };
  return key;
}

type Session = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Walks the sign-in as a browser does. */
async function signIn(address: string, operatorKey: string): Promise<Session> {
  const jars = new Map<string, Map<string, string>>();
  const ask = async (url: URL, init: RequestInit = {}): Promise<Response> => {
    const jar = jars.get(url.host) ?? new Map<string, string>();
    jars.set(url.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, {
      ...init,
      redirect: "manual",
      headers: { ...(init.headers as Record<string, string> | undefined), cookie },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    return answer;
  };
  let url = new URL(`${address}/api/v1/auth/oidc/${PROVIDER}/login?returnTo=/account`);
  for (let step = 0; url.pathname !== "/account"; step += 1) {
    if (step === MOST_STEPS) throw new Error(`The sign-in does not end: ${url.href}`);
    const isChoice = url.pathname.startsWith("/interaction/");
    const answer = await ask(
      url,
      isChoice
        ? { method: "POST", body: new URLSearchParams({ person: SUBJECT, key: operatorKey }) }
        : {},
    );
    const next = answer.headers.get("location");
    if (next === null) throw new Error(`The sign-in ends with ${answer.status} at ${url.href}`);
    url = new URL(next, url);
  }
  return async (method, path, body) => {
    const answer = await ask(new URL(`${address}/api/v1${path}`), {
      method,
      headers: {
        "x-service-csrf": "1",
        origin: address,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as unknown;
  };
}
