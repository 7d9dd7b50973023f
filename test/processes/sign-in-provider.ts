/**
 * A real OpenID Connect provider on loopback, for the sign-in tests: `oidc-provider`, in the process that runs the
 * tests. Who signs in is said by `login_hint`, JSON of their claims, which the tests add to the authorization URL:
 * nobody has to fill in a form. Started when it is first asked, since most runs need none.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Configuration, Provider } from "oidc-provider";
import type { TestProject } from "vitest/node";
import { signInClient } from "#test/support/sign-in-client.ts";

declare module "vitest" {
  export interface ProvidedContext {
    signInProvider: string;
  }
}

interface Account {
  sub: string;
  [claim: string]: unknown;
}

let stop = (): void => {};

export async function setup(project: TestProject): Promise<void> {
  let provider: Promise<Provider> | undefined;
  const server = createServer((request, response) => {
    provider ??= makeProvider(issuer);
    void provider.then((made) => answer(made, request, response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  project.provide("signInProvider", issuer);
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
}

export function teardown(): void {
  stop();
}

const accounts = new Map<string, Account>();

async function makeProvider(issuer: string): Promise<Provider> {
  const { Provider: OidcProvider } = await import("oidc-provider");
  const configuration: Configuration = {
    clients: [
      {
        client_id: signInClient.id,
        client_secret: signInClient.secret,
        redirect_uris: [signInClient.redirectUri],
        response_types: ["code"],
        grant_types: ["authorization_code"],
      },
    ],
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name"],
    },
    cookies: { keys: ["of the test's provider"] },
    ttl: {
      AccessToken: 60,
      Grant: 60,
      IdToken: 60,
      Interaction: 60,
      Session: 60,
    },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => {
      const account = accounts.get(sub);
      return account && { accountId: sub, claims: () => account };
    },
    loadExistingGrant: async ({ oidc }) => {
      const { client, session, provider } = oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  };
  return new OidcProvider(issuer, configuration);
}

async function answer(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.url?.startsWith("/interaction/") !== true) {
    await provider.callback()(request, response);
    return;
  }
  const { params } = await provider.interactionDetails(request, response);
  const account = JSON.parse(String(params["login_hint"])) as Account;
  accounts.set(account.sub, account);
  await provider.interactionFinished(request, response, {
    login: { accountId: account.sub },
  });
}
