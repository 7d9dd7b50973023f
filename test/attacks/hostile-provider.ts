/**
 * A sign-in provider whose answers a test can alter. It replaces the network: requests to its host are
 * answered in this Worker. Without alterations it is honest: a code works once, with the client's secret and
 * the verifier and redirect URI of its request.
 */
import { base64url, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { afterAll, beforeAll, vi } from "vitest";
import type { Person } from "#test/support/sign-in.ts";

export type Place = "discovery" | "keys" | "token" | "userInfo";
export type Json = Record<string, unknown>;

export interface SigningKey {
  alg: string;
  kid: string;
  privateKey: CryptoKey;
  jwk: JWK;
}

/** Each function gets what an honest provider would answer. */
export interface Alterations {
  discovery?: (document: Json) => unknown;
  keys?: (keys: JWK[]) => unknown[];
  /** Merged into the ID token's header; undefined removes a member. */
  header?: (header: Json) => Json;
  /** Merged into the ID token's claims; undefined removes a claim. */
  claims?: (claims: Json) => Json;
  signedBy?: SigningKey;
  /** Replaces the ID token. */
  token?: (token: string, parts: { header: Json; claims: Json }) => unknown;
  tokenAnswer?: (body: Json) => unknown;
  userInfo?: (claims: Json) => unknown;
  answers?: Partial<Record<Place, (honest: Response, request: Request) => unknown>>;
  /** Changes the parameters of the redirect to the callback. */
  callback?: (query: URLSearchParams) => void;
  /** True: codes are exchanged without checking verifier and client. */
  careless?: boolean;
}

interface Grant {
  asked: URLSearchParams;
  who: Person;
}

const CLIENT_ID = "control";
const paths: Readonly<Record<string, Place>> = {
  "/.well-known/openid-configuration": "discovery",
  "/keys": "keys",
  "/token": "token",
  "/me": "userInfo",
};

export async function makeSigningKey(alg: string, kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

/** Shared, since creating keys is slow. */
const usualKey = await makeSigningKey("ES256", "usual");

const hosts = new Map<string, HostileProvider>();
let made = 0;

export class HostileProvider {
  alter: Alterations = {};
  key = usualKey;
  /** The service's requests, in order. */
  readonly asked: Place[] = [];
  /** Values that must not be revealed. */
  readonly secrets: string[] = [];
  /** Requests to hosts that this provider's answers pointed to: there must be none. */
  readonly strayed: string[] = [];
  readonly id: string;
  readonly host: string;
  readonly issuer: string;
  readonly secret = crypto.randomUUID();
  readonly #grants = new Map<string, Grant>();

  constructor(id = "idp") {
    made += 1;
    this.id = id;
    this.host = `idp-${made}-${crypto.randomUUID().slice(0, 8)}.test`;
    this.issuer = `https://${this.host}`;
    this.secrets.push(this.secret);
    hosts.set(this.host, this);
    hosts.set(`stray.${this.host}`, this);
  }

  get secretName(): string {
    return `OIDC_${this.id.toUpperCase()}`;
  }

  /** Its entry of `OIDC_PROVIDERS`. */
  entry(more: Json = {}): Json {
    const { id, issuer, secretName } = this;
    const entry = { id, label: id, issuer, clientId: CLIENT_ID, clientSecret: secretName };
    return { ...entry, trustedForEmail: true, ...more };
  }

  keep(...secrets: readonly unknown[]): void {
    for (const secret of secrets)
      if (typeof secret === "string" && secret.length > 20) this.secrets.push(secret);
  }

  count(place: Place): number {
    return this.asked.filter((asked) => asked === place).length;
  }

  /** Signs in at `location`; returns the URL of the callback. */
  authorize(location: string, who: Person): URL {
    const asked = new URL(location).searchParams;
    const code = crypto.randomUUID();
    this.#grants.set(code, { asked, who });
    const state = asked.get("state") ?? "";
    this.keep(code, state, asked.get("nonce"));
    const callback = new URL(asked.get("redirect_uri") ?? "");
    callback.search = new URLSearchParams({ code, state, iss: this.issuer }).toString();
    this.alter.callback?.(callback.searchParams);
    return callback;
  }

  async answer(request: Request): Promise<Response> {
    const { hostname, pathname } = new URL(request.url);
    if (hostname !== this.host) {
      this.strayed.push(request.url);
      return Response.json({ issuer: this.issuer, sub: "stray", keys: [] });
    }
    const place = paths[pathname];
    if (place === undefined) return new Response(null, { status: 404 });
    this.asked.push(place);
    const honest = await this.#honest(place, request.clone());
    const altered = await this.alter.answers?.[place]?.(honest, request);
    return altered instanceof Response ? altered : honest;
  }

  async #honest(place: Place, request: Request): Promise<Response> {
    if (place === "token") return this.#token(request);
    if (place === "keys") {
      const keys = [this.key.jwk];
      return Response.json({ keys: this.alter.keys?.(keys) ?? keys });
    }
    if (place === "userInfo") {
      const [, who = "{}"] = atob(
        request.headers.get("authorization")?.slice("Bearer at-".length) ?? "",
      ).split("|");
      const claims = JSON.parse(decodeURIComponent(who)) as Json;
      return Response.json(
        this.alter.userInfo === undefined ? claims : this.alter.userInfo(claims),
      );
    }
    const { issuer } = this;
    const document = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/me`,
      jwks_uri: `${issuer}/keys`,
      authorization_response_iss_parameter_supported: true,
    };
    return Response.json(
      this.alter.discovery === undefined ? document : this.alter.discovery(document),
    );
  }

  async #token(request: Request): Promise<Response> {
    const sent = await request.formData();
    const [code = "", verifier = "", redirectUri] = ["code", "code_verifier", "redirect_uri"].map(
      (name) => (sent.get(name) as string | null) ?? "",
    );
    const basic = request.headers.get("authorization")?.slice("Basic ".length) ?? "";
    this.keep(basic, verifier);
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const refuse = (error: string) =>
      Response.json(
        { error, error_description: `${code} ${this.secret} ${verifier}` },
        { status: 400 },
      );
    if (grant === undefined) return refuse("invalid_grant");
    const { asked, who } = grant;
    if (this.alter.careless !== true) {
      if (decodeURIComponent(atob(basic)) !== `${CLIENT_ID}:${this.secret}`)
        return refuse("invalid_client");
      if (asked.get("code_challenge") !== (await digest(verifier))) return refuse("invalid_grant");
      if (asked.get("redirect_uri") !== redirectUri) return refuse("invalid_grant");
    }
    const accessToken = `at-${btoa(`${crypto.randomUUID()}|${encodeURIComponent(JSON.stringify(who))}`)}`;
    const idToken = await this.idToken(asked.get("nonce") ?? "", who, accessToken);
    this.keep(accessToken, idToken);
    const body = { access_token: accessToken, token_type: "Bearer", id_token: idToken };
    return Response.json(this.alter.tokenAnswer?.(body) ?? body);
  }

  async idToken(nonce: string, who: Person, accessToken: string): Promise<unknown> {
    const { alter, issuer } = this;
    const key = alter.signedBy ?? this.key;
    const at = Math.floor(Date.now() / 1000);
    const times = { iat: at, exp: at + 300 };
    const hash = await digest(accessToken, 16);
    const honest = { iss: issuer, aud: CLIENT_ID, ...times, nonce, at_hash: hash, ...who };
    const claims: Json = { ...honest, ...alter.claims?.(honest) };
    const plain = { alg: key.alg, kid: key.kid, typ: "JWT" };
    const header: Json = { ...plain, ...alter.header?.(plain) };
    if (alter.token !== undefined) {
      const token = await new SignJWT(claims).setProtectedHeader(plain).sign(key.privateKey);
      return alter.token(token, { header, claims });
    }
    return sign(header, claims, key);
  }
}

/** A compact JWS with any header, signed with the key's own algorithm. */
export async function sign(header: Json, claims: unknown, key: SigningKey): Promise<string> {
  const input = `${encode(header)}.${encode(claims)}`;
  const how =
    key.alg === "ES256" ? { name: "ECDSA", hash: "SHA-256" } : { name: "RSASSA-PKCS1-v1_5" };
  const bytes = new TextEncoder().encode(input);
  return `${input}.${base64url.encode(new Uint8Array(await crypto.subtle.sign(how, key.privateKey, bytes)))}`;
}

/** Base64url of its JSON, or of the unchanged text. */
export function encode(part: unknown): string {
  return base64url.encode(typeof part === "string" ? part : JSON.stringify(part));
}

/** The first bytes of the SHA-256, in base64url. */
async function digest(text: string, bytes = 32): Promise<string> {
  const all = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return base64url.encode(new Uint8Array(all.slice(0, bytes)));
}

/** The secrets of all providers of this file; forgets the providers. */
export function takeSecrets(): string[] {
  const secrets = [...new Set(hosts.values())].flatMap((provider) => provider.secrets);
  hosts.clear();
  return secrets;
}

/** Answers requests to hostile providers' hosts in this file. */
export function stubNetwork(): void {
  const outside = globalThis.fetch;
  const ask = async (request: Request): Promise<Response> => {
    const provider = hosts.get(new URL(request.url).hostname);
    if (provider === undefined) return outside(request);
    const answer = await provider.answer(request);
    const next = answer.headers.get("location");
    return next === null || request.redirect === "manual"
      ? answer
      : ask(new Request(next, request));
  };
  beforeAll(() => {
    vi.stubGlobal("fetch", (input: RequestInfo, init?: RequestInit) =>
      ask(new Request(input, init)),
    );
  });
  afterAll(() => {
    vi.unstubAllGlobals();
  });
}
