/**
 * The mock cloud with federation: for one test it takes tokens of this installation. It answers only to sessions that a
 * token service gave for the target.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { mockDefinition } from "#providers/mock/mock-provider.ts";
import type { Provider } from "#providers/provider.ts";
import { providerFor } from "#providers/registry.ts";
import { sessions } from "#providers/rest/requests/session.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import { appWith } from "./app-with.ts";
import { runnerOf } from "./runner.ts";
import { type ExchangeStyle, exchanges, TokenService, type TrustPolicy } from "./token-service.ts";

export const audiences: Readonly<Record<ExchangeStyle, string>> = {
  aws: "sts.amazonaws.com",
  azure: "api://AzureADTokenExchange",
  gcp: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/control",
  oci: "https://idcs-0a1b.identity.oraclecloud.com",
};

export class FederatedCloud {
  readonly settings: { PUBLIC_URL: string; IDENTITY_KEYS: string };
  readonly service: TokenService;
  /** The sessions of the calls, in order. */
  readonly used: string[] = [];
  /** Called with each request to the cloud itself. */
  before: () => void = () => undefined;
  readonly #restores: (() => void)[] = [];
  readonly #runners: object[] = [];

  constructor(style: ExchangeStyle, settings: { PUBLIC_URL: string; IDENTITY_KEYS: string }) {
    this.settings = settings;
    const trust: TrustPolicy = {
      issuer: settings.PUBLIC_URL,
      audience: audiences[style],
      subject: "nobody",
    };
    this.service = new TokenService(style, trust, (path) =>
      appWith(this.settings)("GET", `https://anything.test${path}`),
    );
    this.#install(style);
  }

  /** The instance's runner works with this installation's settings. */
  async useIn(instanceId: string): Promise<void> {
    await runInDurableObject(runnerOf(instanceId), (runner) => {
      const own = (runner as unknown as { env: Record<string, unknown> }).env;
      const before = { PUBLIC_URL: own["PUBLIC_URL"], IDENTITY_KEYS: own["IDENTITY_KEYS"] };
      Object.assign(own, this.settings);
      this.#runners.push(own);
      this.#restores.push(() => void Object.assign(own, before));
    });
  }

  /** Changes the secret, everywhere at once. */
  rotate(keys: string): void {
    this.settings.IDENTITY_KEYS = keys;
    for (const own of this.#runners) Object.assign(own, this.settings);
  }

  restore(): void {
    for (const restore of this.#restores.splice(0).reverse()) restore();
    sessions.clear();
  }

  #install(style: ExchangeStyle): void {
    const provider = providerFor("mock") as Provider & Record<string, unknown>;
    const before = { ...provider };
    const exchange = exchanges[style];
    const audience = audiences[style];
    const federated = restProvider({
      ...mockDefinition,
      hosts: { tokens: () => "https://tokens.invalid" },
      federation: {
        audience: ({ identity }) => (identity === undefined ? undefined : audience),
        trust: (_, issuer) => ({
          policy: { issuer: issuer.url, subject: issuer.subject, audiences: [audience] },
          steps: ["Set the policy."],
        }),
      },
      session: {
        needed: ({ identityToken }) => identityToken !== undefined,
        obtain: async ({ identityToken, now }, ask) => {
          const form = exchange.form((await identityToken?.(audience)) ?? "");
          const asked = await ask({ method: "POST", host: "tokens", path: exchange.path, form });
          if (!asked.ok) return asked.failed;
          const { access_token: token = null, expires_in: life } = asked.json;
          return { kind: "session", token, expiresMs: now() + Number(life) * 1000 };
        },
      },
      readError: ({ status, json }, of) => {
        const { error, error_description: message } = json as Record<string, string>;
        if (error === undefined) return mockDefinition.readError({ status, json } as never, of);
        return { code: error, message: message ?? "", means: "denied" };
      },
      connect: (bindings, targetId) => {
        const cloud = mockDefinition.connect?.(bindings, targetId) ?? fetch;
        return async (request) => {
          if (new URL(request.url).hostname === "tokens.invalid")
            return this.service.answer(request);
          this.before();
          const session = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
          this.used.push(session);
          if (!this.service.sessions.has(session))
            return Response.json({ code: "expired", message: "No such session" }, { status: 401 });
          return cloud(request);
        };
      },
    });
    // The allowed audiences depend on the name.
    Object.assign(provider, federated, { name: style });
    this.#restores.push(() => {
      for (const key of Object.keys(provider)) delete provider[key];
      Object.assign(provider, before);
    });
  }
}

/** The tables of D1 as text. */
export async function everythingStored(): Promise<string> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'",
  ).all<{ name: string }>();
  const rows = await Promise.all(
    results.map(
      async ({ name }) => (await env.DB.prepare(`SELECT * FROM "${name}"`).all()).results,
    ),
  );
  return JSON.stringify(rows);
}
