/**
 * The sign-in providers: the variable `OIDC_PROVIDERS`, a JSON list. An entry that is not right is left out and
 * said (GET /health tells an operator); the others, and everything else, go on working.
 */
import * as z from "zod";
import { tenantIdShape, tenantPlaceholder } from "#kernel/authn/provider-issuer.ts";
import { isSafeUrl } from "./safe-url.ts";

const algorithms = ["RS256", "ES256"] as const;

const Url = z
  .string()
  .max(500)
  .refine((text) => URL.canParse(text) && !/\s/.test(text), "A URL, without spaces.");

const TenantId = z
  .string()
  .toLowerCase()
  .regex(tenantIdShape, "A tenant's id, such as 11111111-2222-3333-4444-555555555555.");

const Entry = z
  .strictObject({
    id: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, "A letter, then up to 39 of a-z, 0-9 and -."),
    label: z.string().min(1).max(80),
    /** Exactly as the provider's discovery document and tokens have it. */
    issuer: Url.refine(
      (text) => !/[?#]/.test(text),
      "An issuer has no query and no fragment.",
    ).refine(
      (text) => !/[{}]/.test(text.replace(tenantPlaceholder, "")),
      `The place of the tenant's id is written ${tenantPlaceholder}, once.`,
    ),
    clientId: z.string().min(1).max(500),
    /** The name of a secret, never the secret itself. */
    clientSecret: z
      .string()
      .regex(/^OIDC_[A-Z0-9_]{1,60}$/, "The name of a secret: OIDC_ and A-Z, 0-9, _.")
      .optional(),
    tokenEndpointAuthMethod: z
      .enum(["client_secret_basic", "client_secret_post", "none"])
      .default("client_secret_basic"),
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, "One scope, without spaces."))
      .max(20)
      .default(["openid", "email", "profile"]),
    /** Whether `email_verified: true` of this provider proves an address. */
    trustedForEmail: z.boolean().default(false),
    algorithms: z
      .array(z.enum(algorithms))
      .min(1)
      .default([...algorithms]),
    /** For an issuer with the placeholder: where the discovery document is, and which tenants may sign in. */
    discovery: Url.optional(),
    tenants: z
      .union([z.literal("any"), z.array(TenantId).min(1).max(500)], {
        error: "`any`, or a list of 1 to 500 tenant ids.",
      })
      .optional(),
  })
  .superRefine((entry, context) => {
    const say = (path: string, message: string) => {
      context.addIssue({ code: "custom", path: [path], message });
    };
    if (!entry.scopes.includes("openid")) say("scopes", "`openid` must be among them.");
    const isTemplate = entry.issuer.includes(tenantPlaceholder);
    if (isTemplate !== (entry.discovery !== undefined))
      say("discovery", `Goes with an issuer that has ${tenantPlaceholder}, and with no other.`);
    if (isTemplate !== (entry.tenants !== undefined))
      say("tenants", `Goes with an issuer that has ${tenantPlaceholder}, and with no other.`);
    if (isTemplate && entry.trustedForEmail && entry.tenants === "any")
      say(
        "trustedForEmail",
        "A provider for any tenant proves no address: whoever runs one may claim it.",
      );
    if ((entry.clientSecret === undefined) !== (entry.tokenEndpointAuthMethod === "none"))
      say("clientSecret", "Needed, unless tokenEndpointAuthMethod is `none`.");
  });

export type OidcProvider = z.output<typeof Entry>;

export interface ProviderSettings {
  providers: readonly OidcProvider[];
  /** For the operator. */
  problems: readonly string[];
}

let known: { setting: string; development: boolean; settings: ProviderSettings } | undefined;

/** `development`: providers on this machine may do without TLS. Parsed once per isolate. */
export function providerSettings(
  setting: string | undefined,
  development: boolean,
): ProviderSettings {
  const text = setting ?? "";
  if (known?.setting === text && known.development === development) return known.settings;
  known = { setting: text, development, settings: parse(text, development) };
  return known.settings;
}

function parse(text: string, development: boolean): ProviderSettings {
  if (text.trim() === "") return { providers: [], problems: [] };
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return { providers: [], problems: ["OIDC_PROVIDERS is not JSON."] };
  }
  if (!Array.isArray(list)) return { providers: [], problems: ["OIDC_PROVIDERS is not a list."] };
  const providers: OidcProvider[] = [];
  const problems: string[] = [];
  for (const [at, entry] of list.entries()) {
    const place = `OIDC_PROVIDERS[${at}]`;
    const { data, error } = Entry.safeParse(entry);
    if (data === undefined) {
      for (const { path, message } of error.issues)
        problems.push(`${[place, ...path].join(".")}: ${message}`);
      continue;
    }
    const unsafe = [data.issuer, data.discovery ?? data.issuer].find(
      (url) => !isSafeUrl(url, development),
    );
    if (unsafe !== undefined)
      problems.push(`${place}: the issuer, or its discovery document, is not https.`);
    else if (providers.some(({ id }) => id === data.id))
      problems.push(`${place}.id: there is another provider ${data.id}.`);
    else providers.push(data);
  }
  return { providers, problems };
}
