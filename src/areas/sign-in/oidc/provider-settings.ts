/**
 * The sign-in providers: the variable `OIDC_PROVIDERS`, a JSON list. An invalid entry is ignored and reported
 * (GET /health shows it to operators); the others keep working.
 */
import * as z from "zod";
import { tenantIdShape, tenantPlaceholder } from "#kernel/authn/provider-issuer.ts";
import { isSafeUrl } from "./safe-url.ts";

const algorithms = ["RS256", "ES256"] as const;

const Url = z
  .string()
  .max(500)
  .refine((text) => URL.canParse(text) && !/\s/.test(text), "It must be a URL without spaces.");

const TenantId = z
  .string()
  .toLowerCase()
  .regex(tenantIdShape, "It must be a tenant id, such as 11111111-2222-3333-4444-555555555555.");

const Entry = z
  .strictObject({
    id: z
      .string()
      .regex(
        /^[a-z][a-z0-9-]{0,39}$/,
        "It must be a letter a-z, then up to 39 of the characters a-z 0-9 -.",
      ),
    label: z.string().min(1).max(80),
    /** Must equal the issuer in the provider's discovery document and tokens exactly. */
    issuer: Url.refine(
      (text) => !/[?#]/.test(text),
      "An issuer must not have a query or fragment.",
    ).refine(
      (text) => !/[{}]/.test(text.replace(tenantPlaceholder, "")),
      `The only placeholder is ${tenantPlaceholder}, for the tenant id; use it at most once.`,
    ),
    clientId: z.string().min(1).max(500),
    /** The name of a Worker secret, never the secret itself. */
    clientSecret: z
      .string()
      .regex(/^OIDC_[A-Z0-9_]{1,60}$/, "It must be the name of a secret: OIDC_, then A-Z 0-9 _.")
      .optional(),
    tokenEndpointAuthMethod: z
      .enum(["client_secret_basic", "client_secret_post", "none"])
      .default("client_secret_basic"),
    scopes: z
      .array(
        z
          .string()
          .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, "It must be one scope, without spaces."),
      )
      .max(20)
      .default(["openid", "email", "profile"]),
    /** True: an address with `email_verified: true` counts as verified. */
    trustedForEmail: z.boolean().default(false),
    algorithms: z
      .array(z.enum(algorithms))
      .min(1)
      .default([...algorithms]),
    /**
     * Only for an issuer with the placeholder: the address of the discovery document, and the allowed
     * tenants.
     */
    discovery: Url.optional(),
    tenants: z
      .union([z.literal("any"), z.array(TenantId).min(1).max(500)], {
        error: "It must be `any`, or a list of 1 to 500 tenant ids.",
      })
      .optional(),
  })
  .superRefine((entry, context) => {
    const say = (path: string, message: string) => {
      context.addIssue({ code: "custom", path: [path], message });
    };
    if (!entry.scopes.includes("openid")) say("scopes", "The list must contain `openid`.");
    const isTemplate = entry.issuer.includes(tenantPlaceholder);
    if (isTemplate !== (entry.discovery !== undefined))
      say(
        "discovery",
        `Required if the issuer contains ${tenantPlaceholder}, and not allowed otherwise.`,
      );
    if (isTemplate !== (entry.tenants !== undefined))
      say(
        "tenants",
        `Required if the issuer contains ${tenantPlaceholder}, and not allowed otherwise.`,
      );
    if (isTemplate && entry.trustedForEmail && entry.tenants === "any")
      say(
        "trustedForEmail",
        "It must be false with `tenants: any`: the owner of any tenant could claim any address.",
      );
    if ((entry.clientSecret === undefined) !== (entry.tokenEndpointAuthMethod === "none"))
      say("clientSecret", "Required, unless tokenEndpointAuthMethod is `none`; then not allowed.");
  });

export type OidcProvider = z.output<typeof Entry>;

export interface ProviderSettings {
  providers: readonly OidcProvider[];
  /** Configuration errors, for operators. */
  problems: readonly string[];
}

let known: { setting: string; development: boolean; settings: ProviderSettings } | undefined;

/** `development`: providers on this machine need no TLS. Parsed once per isolate. */
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
    return { providers: [], problems: ["OIDC_PROVIDERS is not valid JSON."] };
  }
  if (!Array.isArray(list))
    return { providers: [], problems: ["OIDC_PROVIDERS must be a JSON list."] };
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
      problems.push(`${place}: the issuer and its discovery document must use https.`);
    else if (providers.some(({ id }) => id === data.id))
      problems.push(`${place}.id: an earlier provider has the id ${data.id}.`);
    else providers.push(data);
  }
  return { providers, problems };
}
