/** A client of the service under test, as an external caller would write it. */
import { exports } from "cloudflare:workers";

export const OPERATOR_KEY = "test-operator-key";
const ORIGIN = "https://control.test";

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- an answer's shape is what each test asserts
  body: any;
}

export interface Client {
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  put: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  patch: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  delete: (path: string, headers?: Record<string, string>) => Promise<Answer>;
}

/** Sends a request without default headers. `path` is below `/api/v1`. */
export async function send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await exports.default.fetch(
    new Request(`${ORIGIN}/api/v1${path}`, { redirect: "manual", ...init, method }),
  );
  return answered(response);
}

/** A response, read to its end. */
export async function answered(response: Response): Promise<Answer> {
  const text = new TextDecoder().decode(await response.arrayBuffer());
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== "" ? JSON.parse(text) : undefined,
  };
}

export function clientOf(key: string | undefined): Client {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const withBody =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
      send(method, path, {
        headers: {
          ...authorization,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
  const bare =
    (method: string) =>
    (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
      send(method, path, { headers: { ...authorization, ...headers } });
  return {
    get: bare("GET"),
    delete: bare("DELETE"),
    post: withBody("POST"),
    put: withBody("PUT"),
    patch: withBody("PATCH"),
  };
}

export const operator = clientOf(OPERATOR_KEY);
export const stranger = clientOf(undefined);

let made = 0;

export interface TestTenant extends Client {
  tenantId: string;
  slug: string;
  key: string;
}

/** A new tenant, and a client with a key of it that has every scope. */
export async function makeTenant(scopes: readonly string[] = ["*"]): Promise<TestTenant> {
  made += 1;
  const slug = `t${made}-${crypto.randomUUID().slice(0, 8)}`;
  const tenant = await operator.post("/tenants", { name: `Tenant ${slug}`, slug });
  if (tenant.status !== 201) throw new Error(`No tenant: ${tenant.text}`);
  const key = await operator.post("/api-keys", {
    name: "suite",
    scopes,
    tenantId: tenant.body.id,
  });
  if (key.status !== 201) throw new Error(`No key: ${key.text}`);
  return { tenantId: tenant.body.id, slug, key: key.body.key, ...clientOf(key.body.key) };
}

/** A tenant for a suite of many runs: its plan does not limit them. */
export async function makeUnlimitedTenant(): Promise<TestTenant> {
  const tenant = await makeTenant();
  const changed = await operator.patch(`/tenants/${tenant.tenantId}`, {
    limits: { targets: null, instances: null, deploysPerMinute: null, changesPerDay: null },
  });
  if (changed.status !== 200) throw new Error(`Limits remain: ${changed.text}`);
  return tenant;
}
