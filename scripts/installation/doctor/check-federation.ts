/** Whether the address is the installation's own, and clouds can trust the tokens of its runs. */
import { askService, saidBy } from "../ask-service.ts";
import type { Examined } from "./examined.ts";
import { error, type Finding, note, ok, warning } from "./finding.ts";

const JWKS_PATH = "/.well-known/jwks.json";
/** 2,048 bits in base64url. */
const MODULUS_LENGTH = 342;
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "k"];

export async function checkFederation(examined: Examined): Promise<Finding[]> {
  const { address } = examined;
  const discovery = await askService(`${address}/.well-known/openid-configuration`, examined);
  const keys = await askService(`${address}${JWKS_PATH}`, examined);
  const issuer = discovery.status === 200 ? discovery.body["issuer"] : undefined;
  const known =
    typeof issuer === "string" ? issuer : examined.vars?.["PUBLIC_URL"]?.trim().replace(/\/$/, "");
  const own = publicUrl(examined, known);
  if (discovery.status === 404 && keys.status === 404)
    return [
      own,
      note(
        "federation",
        "Targets without stored keys are not possible: PUBLIC_URL or IDENTITY_KEYS is not set.",
        "If you want them, docs/federation.md says how.",
      ),
    ];
  const mistakes = [...discoveryMistakes(address, discovery), ...keyMistakes(keys)];
  return [
    own,
    ...mistakes.map((mistake) =>
      error(
        "federation",
        mistake,
        "Clouds that trust this installation refuse the tokens of its runs.",
        "Run `npm run deploy`. If it stays, look whether something before the Worker answers this path: a rule of the zone, a proxy or a cache. docs/federation.md has the set-up.",
      ),
    ),
    ...(mistakes.length === 0
      ? [ok("federation", "The discovery document and the published keys are right.")]
      : []),
  ];
}

function publicUrl({ address, isLocal }: Examined, known: string | undefined): Finding {
  if (known === address) return ok("public-url", "PUBLIC_URL is this address.");
  if (known === undefined && isLocal) return note("public-url", "PUBLIC_URL is not known here.");
  const why =
    "Links in answers, events and chat messages lead nowhere or elsewhere, and PUBLIC_URL is the issuer that clouds trust.";
  if (known === undefined || known === "")
    return warning(
      "public-url",
      "PUBLIC_URL is not set, or not known here.",
      why,
      `Set \`vars.PUBLIC_URL\` in installation.jsonc to ${address}, then run \`npm run deploy\`.`,
    );
  return error(
    "public-url",
    `PUBLIC_URL is ${known}, not ${address}.`,
    why,
    `Check ${known} if that is the installation's address. Otherwise set \`vars.PUBLIC_URL\` in installation.jsonc to ${address} and run \`npm run deploy\`; docs/federation.md says what depends on it.`,
  );
}

type Answer = Awaited<ReturnType<typeof askService>>;

function discoveryMistakes(address: string, answer: Answer): string[] {
  if (answer.status !== 200) return [`GET /.well-known/openid-configuration ${saidBy(answer)}`];
  const { jwks_uri, id_token_signing_alg_values_supported: algorithms } = answer.body;
  const issuer = answer.body["issuer"];
  return [
    ...(jwks_uri === `${String(issuer)}${JWKS_PATH}`
      ? []
      : [`\`jwks_uri\` of the discovery document is not at the issuer.`]),
    ...(JSON.stringify(algorithms) === '["RS256"]'
      ? []
      : ["The discovery document does not name RS256 as the only algorithm."]),
    ...(typeof issuer === "string" && issuer !== ""
      ? []
      : [`The discovery document at ${address} names no issuer.`]),
  ];
}

function keyMistakes(answer: Answer): string[] {
  if (answer.status !== 200) return [`GET ${JWKS_PATH} ${saidBy(answer)}`];
  const keys = answer.body["keys"];
  if (!Array.isArray(keys) || keys.length === 0) return ["No key is published."];
  const published = keys as Record<string, unknown>[];
  const ids = published.map(({ kid }) => kid);
  return [
    ...(new Set(ids).size === ids.length ? [] : ["Two published keys have the same id."]),
    ...published.flatMap((key, index) => {
      const name = `The published key ${index + 1}`;
      const { kty, alg, kid, n } = key;
      if (privateMembers.some((member) => member in key))
        return [
          `${name} has private parts. Replace it at once: docs/federation.md, a key that has leaked.`,
        ];
      if (kty !== "RSA" || alg !== "RS256" || typeof kid !== "string")
        return [`${name} is not an RSA key for RS256 with an id.`];
      return typeof n === "string" && n.length >= MODULUS_LENGTH
        ? []
        : [`${name} has less than 2,048 bits.`];
    }),
  ];
}
