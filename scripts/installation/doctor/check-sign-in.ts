/** Whether people can begin to sign in: the service itself asks each provider for its discovery document. */
import { askService, saidBy } from "../ask-service.ts";
import type { Examined } from "./examined.ts";
import { error, type Finding, ok, warning } from "./finding.ts";

const fixes: Readonly<Record<string, string>> = {
  provider_unreachable:
    "Compare the entry's `issuer` with the provider's discovery document: they have to be equal, to the last slash. Check that the document can be read from the internet.",
  not_configured:
    "Store the client's secret under the name that the entry gives: `npx wrangler secret put OIDC_<NAME> --config wrangler.installation.json`.",
};

export async function checkSignIn(examined: Examined): Promise<Finding[]> {
  const { address } = examined;
  const list = await askService(`${address}/api/v1/auth/providers`, examined);
  if (list.status !== 200)
    return [
      error(
        "sign-in",
        `GET /api/v1/auth/providers ${saidBy(list)}`,
        "Nobody can sign in.",
        "Correct OIDC_PROVIDERS; docs/sign-in.md has its format.",
      ),
    ];
  const providers = list.body["data"] as { id: string; label: string; loginUrl: string }[];
  if (providers.length === 0)
    return [
      warning(
        "sign-in",
        "There is no sign-in provider.",
        "Nobody can use the console; the API works with keys.",
        `Register a web application at your identity provider with the redirect URI ${address}/api/v1/auth/oidc/<id>/callback, and set \`vars.OIDC_PROVIDERS\` in installation.jsonc; docs/sign-in.md has the entries.`,
      ),
    ];
  const findings: Finding[] = [];
  for (const provider of providers) findings.push(await checkProvider(examined, provider));
  return findings;
}

async function checkProvider(
  examined: Examined,
  { id, label, loginUrl }: { id: string; label: string; loginUrl: string },
): Promise<Finding> {
  const check = `sign-in ${id}`;
  const start = await askService(
    `${examined.address}${loginUrl}?returnTo=${encodeURIComponent("/account")}`,
    examined,
  );
  const location = start.status === undefined ? null : start.headers.get("location");
  const target = location === null ? null : URL.parse(location);
  if (start.status === 302 && target !== null && target.origin !== examined.address)
    return ok(check, `A sign-in with ${label} begins at ${target.host}.`);
  const [fault] = (start.status === undefined ? [] : (start.body["errors"] ?? [])) as {
    code?: string;
  }[];
  const code = fault?.code ?? "";
  return error(
    check,
    `A sign-in with ${label} does not begin: it ${saidBy(start)}${code === "" ? "" : ` (${code})`}`,
    "Whoever uses this provider cannot sign in.",
    fixes[code] ?? "docs/sign-in.md says what each setting of the entry has to be.",
  );
}
