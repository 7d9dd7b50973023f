/**
 * The identity provider of `npm start`: `oidc-provider` on loopback with three users, to try signing in without any
 * account. It runs inside the `npm start` process and ends with it; the state directory stores its keys between starts.
 *
 * Others may use the machine too, so choosing a user requires the operator key, which allows everything anyway. It
 * listens only on 127.0.0.1, accepts only requests for that host (against DNS rebinding by another site), and knows
 * only one client.
 */
import { html } from "hono/html";
import { createHash, generateKeyPairSync, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import path from "node:path";
import type { Configuration, Provider } from "oidc-provider";
import { signInStyle } from "#areas/sign-in/sign-in-style.ts";
import { htmlPage } from "#http/pages/html-page.ts";
import { pagePolicy } from "#http/pages/page-policy.ts";
import type { Variables } from "../files/env-file.ts";
import { makeOnce } from "../files/make-once.ts";
import { projectRoot } from "../files/project-root.ts";

const CLIENT_ID = "control-api";
const PROVIDER_ID = "development";
const SECRET_NAME = "OIDC_DEVELOPMENT_SECRET";

interface Person {
  sub: string;
  name: string;
  email: string;
  is: string;
}

const people: readonly Person[] = [
  { sub: "olivia", name: "Olivia Operator", email: "olivia@example.com", is: "an operator" },
  { sub: "mark", name: "Mark Member", email: "mark@example.com", is: "a member" },
  // The requester of a deployment may not approve it, so tenants need a second person.
  { sub: "dora", name: "Dora Developer", email: "dora@example.com", is: "a member" },
];

interface Keys {
  clientSecret: string;
  cookieKey: string;
  signingKey: JsonWebKey & { kid: string };
}

/**
 * Serves until the process ends and returns the service's variables for it. Throws with the code `EADDRINUSE` when
 * `port` is in use. Creates `stateDir` if it does not exist.
 */
export async function startIdentityProvider(options: {
  port: number;
  servicePort: number;
  stateDir: string;
  operatorKey: string;
}): Promise<Variables> {
  const { port, servicePort, stateDir, operatorKey } = options;
  await mkdir(stateDir, { recursive: true });
  const { text } = await makeOnce(path.join(stateDir, "identity-provider.json"), newKeys);
  const keys = JSON.parse(text) as Keys;
  const issuer = `http://127.0.0.1:${port}`;
  let provider: Promise<Provider> | undefined;
  const server = createServer((request, response) => {
    if (request.headers.host !== new URL(issuer).host) {
      response.writeHead(421).end();
      return;
    }
    provider ??= makeProvider({ issuer, servicePort, keys });
    provider
      .then((made) => answer(made, operatorKey, request, response))
      .catch((error: unknown) => {
        console.error("The development identity provider failed:", error);
        response.writeHead(500).end();
      });
  });
  await listen(server, port);
  return {
    OIDC_PROVIDERS: JSON.stringify([
      {
        id: PROVIDER_ID,
        label: "Development",
        issuer,
        clientId: CLIENT_ID,
        clientSecret: SECRET_NAME,
        trustedForEmail: true,
      },
    ]),
    [SECRET_NAME]: keys.clientSecret,
    DEV_COOKIES: "on",
    OPERATORS: `${issuer}|olivia`,
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen({ port, host: "127.0.0.1", exclusive: true });
  await once(server, "listening");
  // It does not keep the process alive.
  server.unref();
}

function newKeys(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const random = () => randomBytes(32).toString("base64url");
  const keys: Keys = {
    clientSecret: random(),
    cookieKey: random(),
    signingKey: {
      ...privateKey.export({ format: "jwk" }),
      kid: random().slice(0, 8),
      alg: "ES256",
    },
  };
  return JSON.stringify(keys);
}

/** Loaded on the first request, because most runs do not need it at start. */
async function makeProvider(of: {
  issuer: string;
  servicePort: number;
  keys: Keys;
}): Promise<Provider> {
  const { Provider: OidcProvider, interactionPolicy } = await import("oidc-provider");
  const policy = interactionPolicy.base();
  policy
    .get("login")
    ?.checks.add(
      new interactionPolicy.Check(
        "choose",
        "The user is chosen at each sign-in.",
        "login_required",
        ({ oidc }) => oidc.result?.login === undefined,
      ),
    );
  const configuration: Configuration = {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: of.keys.clientSecret,
        redirect_uris: ["127.0.0.1", "localhost"].map(
          (host) => `http://${host}:${of.servicePort}/api/v1/auth/oidc/${PROVIDER_ID}/callback`,
        ),
        response_types: ["code"],
        grant_types: ["authorization_code"],
        id_token_signed_response_alg: "ES256",
      },
    ],
    jwks: { keys: [{ ...of.keys.signingKey, use: "sig" }] },
    cookies: { keys: [of.keys.cookieKey] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    ttl: { AccessToken: 300, Grant: 300, IdToken: 300, Interaction: 600, Session: 600 },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { policy, url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => {
      const person = people.find((one) => one.sub === sub);
      if (person === undefined) return undefined;
      const { name, email } = person;
      return { accountId: sub, claims: () => ({ sub, name, email, email_verified: true }) };
    },
    // The only client is our own service, so no consent is needed.
    loadExistingGrant: async ({ oidc }) => {
      const { client, session, provider } = oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  };
  return new OidcProvider(of.issuer, configuration);
}

/** The assets that the page loads. */
const assetTypes: ReadonlyMap<string, string> = new Map([
  ["/assets/icon.svg", "image/svg+xml"],
  ["/assets/palette.css", "text/css"],
]);

async function answer(
  provider: Provider,
  operatorKey: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url = "" } = request;
  const assetType = assetTypes.get(url);
  if (assetType !== undefined) {
    response.writeHead(200, { "content-type": assetType });
    response.end(await readFile(path.join(projectRoot, "public", url)));
    return;
  }
  if (!url.startsWith("/interaction/")) {
    await provider.callback()(request, response);
    return;
  }
  if (request.method !== "POST") {
    await showChoice(response, 200);
    return;
  }
  const sent = new URLSearchParams(await textOf(request));
  const person = people.find(({ sub }) => sub === sent.get("person"));
  if (person !== undefined && !isSame(sent.get("key") ?? "", operatorKey)) {
    await showChoice(response, 403);
    return;
  }
  await provider.interactionFinished(
    request,
    response,
    person === undefined
      ? { error: "access_denied", error_description: "No user was chosen." }
      : { login: { accountId: person.sub, remember: false } },
  );
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one.trim(), other].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request.setEncoding("utf8")) {
    text += part as string;
    if (text.length > 10_000) break;
  }
  return text;
}

async function showChoice(response: ServerResponse, status: 200 | 403): Promise<void> {
  response.writeHead(status, {
    "content-type": "text/html; charset=UTF-8",
    "content-security-policy": await pagePolicy(signInStyle, []),
  });
  response.end(await choicePage({ refused: status === 403 }));
}

function choicePage({ refused }: { refused: boolean }): Promise<string> {
  return htmlPage({
    title: "Choose a user · Development identity provider",
    style: signInStyle,
    body: html`<form method="post" class="narrow">
      <p class="brand">Development identity provider</p>
      <h1>Choose a user</h1>
      ${refused && html`<p class="note bad" role="alert"><strong>This is not the operator key.</strong> <code>npm start</code> prints it; it is <code>BOOTSTRAP_API_KEY</code> in <code>.dev.vars</code>.</p>`}
      <div class="fields">
        <label
          >Operator key<input
            type="password"
            name="key"
            required
            autofocus
            autocomplete="current-password"
        /></label>
      </div>
      <ul class="choices">
        ${people.map(
          ({ sub, name, email, is }) =>
            html`<li>
              <button class="button" name="person" value="${sub}">
                ${name}<br /><span class="soft">${email}, ${is}</span>
              </button>
            </li>`,
        )}
        <li>
          <button class="button" name="person" value="" formnovalidate>Do not sign in</button>
        </li>
      </ul>
      <p class="soft or">
        For development only: <code>npm start</code> serves this page on this machine and prints the
        key.
      </p>
    </form>`,
  });
}
