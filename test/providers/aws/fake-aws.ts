/**
 * A fake AWS behind one fetch: Cloud Control, STS and Route 53, told apart as AWS does by their addresses or headers. It
 * checks every signature with a signer that is not the project's.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import { type FakeFault, FakeFaults, type FakeVerb } from "#test/support/fake-cloud/fake-faults.ts";
import { independentAuthorization, scopeIn } from "#test/support/independent-signature.ts";
import type { DescribedType } from "./described-type.ts";
import { type ControlOptions, FakeControl, Refused } from "./fake-control.ts";
import { FakeDns } from "./fake-dns.ts";

export const KEYS = {
  accessKeyId: "AKIACANARY0123456789",
  secretAccessKey: "canary+secret/access+key/0123456789abcdef",
} as const;

const verbs: Readonly<Record<string, FakeVerb>> = {
  CreateResource: "create",
  GetResource: "read",
  UpdateResource: "update",
  DeleteResource: "delete",
  ListResources: "list",
};

interface KnownKey {
  secret: string;
  session?: string;
  expiresMs?: number;
}

export interface FakeAwsOptions extends ControlOptions {
  faults?: readonly FakeFault[];
  region?: string;
  /** Answers a request to STS for other keys; the text of a refusal's code and message, or the seconds that they live. */
  assume?: (
    action: string,
    form: URLSearchParams,
  ) => Promise<{ seconds: number }> | { seconds: number };
}

export class FakeAws {
  readonly control: FakeControl;
  readonly dns = new FakeDns();
  readonly faults = new FakeFaults();
  /** Whose keys they are. */
  account = "123456789012";
  /** The names of AWS's own roles that the account has; undefined: nobody may ask. */
  roles: Set<string> | undefined = new Set();
  /** Secrets that were given out. */
  readonly given: string[] = [];
  readonly requests: { url: string; target: string; body: string }[] = [];
  readonly #keys = new Map<string, KnownKey>([
    [KEYS.accessKeyId, { secret: KEYS.secretAccessKey }],
  ]);
  readonly #options: FakeAwsOptions;

  constructor(types: ReadonlyMap<string, DescribedType>, options: FakeAwsOptions = {}) {
    this.#options = options;
    this.control = new FakeControl(types, options);
    this.faults.add(options.faults ?? []);
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const body = await request.text();
    const target = request.headers.get("x-amz-target")?.split(".")[1] ?? "";
    this.requests.push({ url: request.url, target, body });
    try {
      const form = new URLSearchParams(body);
      const action = target === "" ? form.get("Action") : null;
      if (action !== null) return await this.#token(action, form, request, body);
      if (url.pathname.startsWith("/2013-04-01/")) {
        await this.#checkSignature(request, body, "route53");
        return this.#withFaults(dnsVerb(request.method, url, body), "dns", () => {
          const text = this.dns.answer(request.method, url, body);
          return new Response(text, { headers: { "content-type": "text/xml" } });
        });
      }
      await this.#checkSignature(request, body, "cloudcontrolapi");
      const parsed = JSON.parse(body) as Json;
      const asked = isJsonMap(parsed) ? parsed : {};
      const type = typeof asked["TypeName"] === "string" ? asked["TypeName"] : "";
      return this.#withFaults(verbs[target], type, () =>
        Response.json(this.control.answer(target, asked), {
          headers: {
            "content-type": "application/x-amz-json-1.0",
            "x-amzn-requestid": "fake-request",
          },
        }),
      );
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return refusal(error, url.pathname.startsWith("/2013-04-01/"));
    }
  };

  #withFaults(verb: FakeVerb | undefined, type: string, act: () => Response): Response {
    const fault = verb === undefined ? undefined : this.faults.due(verb, type);
    if (fault === undefined) return act();
    if (fault.effect === "after") act();
    if (fault.status === "dropped") throw new TypeError("The connection was lost");
    return Response.json(fault.body ?? {}, { status: fault.status });
  }

  async #token(
    action: string,
    form: URLSearchParams,
    request: Request,
    body: string,
  ): Promise<Response> {
    const asked = request.headers.get("accept") ?? "";
    if (!asked.includes("application/json"))
      return new Response("<XmlIsAnswered/>", { headers: { "content-type": "text/xml" } });
    if (action === "GetRole") return this.#role(form.get("RoleName") ?? "", request, body);
    if (action !== "AssumeRoleWithWebIdentity") await this.#checkSignature(request, body, "sts");
    if (action === "GetCallerIdentity") {
      const { account } = this;
      const Arn = `arn:aws:iam::${account}:user/fake`;
      const GetCallerIdentityResult = { Account: account, Arn };
      return Response.json({ GetCallerIdentityResponse: { GetCallerIdentityResult } });
    }
    const { assume } = this.#options;
    if (assume === undefined)
      throw new Refused("AccessDenied", `Not authorized to perform: sts:${action}`, 403);
    const { seconds } = await assume(action, form);
    return Response.json({
      [`${action}Response`]: {
        [`${action}Result`]: { Credentials: this.#issue(seconds) },
        ResponseMetadata: { RequestId: "fake-request" },
      },
    });
  }

  /** Answers IAM's GetRole. */
  async #role(name: string, request: Request, body: string): Promise<Response> {
    await this.#checkSignature(request, body, "iam");
    if (this.roles === undefined)
      throw new Refused(
        "AccessDenied",
        `User: arn:aws:iam::${this.account}:user/fake is not authorized to perform: iam:GetRole on resource: role ${name}`,
        403,
      );
    if (!this.roles.has(name))
      throw new Refused("NoSuchEntity", `The role with name ${name} cannot be found.`, 404);
    const GetRoleResult = { Role: { RoleName: name } };
    return Response.json({ GetRoleResponse: { GetRoleResult } });
  }

  #issue(seconds: number): JsonMap {
    const number = String(this.#keys.size).padStart(8, "0");
    const id = `ASIACANARY${number}`;
    const known = {
      secret: `exchanged-secret-${number}-0123456789abcdef`,
      session: `exchanged-session-${number}-${"t".repeat(80)}`,
      expiresMs: this.control.now + seconds * 1000,
    };
    this.#keys.set(id, known);
    this.given.push(known.secret, known.session);
    return {
      AccessKeyId: id,
      SecretAccessKey: known.secret,
      SessionToken: known.session,
      Expiration: known.expiresMs / 1000,
    };
  }

  /** The keys that were given out are no longer accepted. */
  revoke(): void {
    for (const [id, key] of this.#keys)
      if (key.session !== undefined) this.#keys.set(id, { ...key, expiresMs: 0 });
  }

  async #checkSignature(request: Request, body: string, service: string): Promise<void> {
    const given = request.headers.get("authorization") ?? "";
    const scope = scopeIn(given);
    const key = scope && this.#keys.get(scope.id);
    if (scope === undefined || key === undefined)
      throw new Refused(
        "UnrecognizedClientException",
        "The security token included in the request is invalid.",
      );
    if (key.expiresMs !== undefined && key.expiresMs <= this.control.now)
      throw new Refused(
        "ExpiredTokenException",
        "The security token included in the request is expired",
      );
    if (scope.service !== service)
      throw new Refused(
        "InvalidSignatureException",
        `Credential should be scoped to correct service: '${service}'.`,
      );
    const wanted = this.#options.region;
    if (service === "cloudcontrolapi" && wanted !== undefined && scope.region !== wanted)
      throw new Refused(
        "InvalidSignatureException",
        "Credential should be scoped to a valid region.",
      );
    const expected = await independentAuthorization(request, body, scope, {
      id: scope.id,
      ...key,
    });
    if (expected !== given)
      throw new Refused(
        "InvalidSignatureException",
        "The request signature we calculated does not match",
      );
  }

  context(more: Partial<ProviderContext> = {}): ProviderContext {
    return {
      targetId: crypto.randomUUID(),
      region: "eu-central-1",
      config: {},
      credential: KEYS,
      now: () => this.control.now,
      fetch: this.fetch,
      ...more,
    };
  }
}

function dnsVerb(method: string, url: URL, body: string): FakeVerb {
  if (method === "GET") return url.pathname.includes("/change/") ? "list" : "read";
  if (body.includes("<Action>CREATE")) return "create";
  return body.includes("<Action>DELETE") ? "delete" : "update";
}

function refusal({ code, message, status }: Refused, isXml: boolean): Response {
  if (!isXml)
    return Response.json(
      { __type: `com.amazonaws.fake#${code}`, Message: message },
      { status, headers: { "x-amzn-requestid": "fake-request" } },
    );
  const inner =
    code === "InvalidChangeBatch"
      ? `<InvalidChangeBatch><Messages><Message>${message}</Message></Messages></InvalidChangeBatch>`
      : `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
  return new Response(`<?xml version="1.0"?>${inner}`, { status });
}
