import { isJsonMap } from "#platform/json.ts";
import type { ProviderError } from "#providers/rest/definition.ts";
import type { Answer } from "#providers/transport.ts";

const trust = "Compare with the trust policy that the target shows";

/** What to do about a refusal of Microsoft Entra, by its number. */
const advice: Readonly<Record<number, string>> = {
  7000215: "The client secret is wrong. Store the secret's value, not its id.",
  7000222: "The client secret has expired. Make another and store it.",
  7000218: "The request has no client secret. Store one, or set up a federated credential.",
  700016:
    "The tenant has no application with this clientId. Correct clientId or tenantId, or grant the application consent in the tenant.",
  700024: "The token's time does not fit. Check the clock of this installation.",
  700027:
    "The token's signature does not fit the issuer's keys. Check that its /.well-known/jwks.json can be read from the internet.",
  700211: `No federated credential of the application has the token's issuer. ${trust}: the issuer does not match.`,
  700212: `No federated credential of the application has the token's audience. ${trust}: the audience does not match.`,
  700213: `No federated credential of the application has the token's subject. ${trust}: the subject does not match.`,
  70021: `No federated credential of the application matches the token. ${trust}`,
  900023: "There is no such tenant. Correct tenantId.",
  90002: "There is no such tenant. Correct tenantId, and cloud if it is not the public one.",
  90038: "The tenant is in another of Microsoft's clouds. Set cloud in the target's config.",
  50034: "The tenant does not know the application. Correct clientId.",
  53003: "A conditional access policy of the tenant refuses the sign-in.",
  500011: "The tenant does not know Azure's management API. Check cloud in the target's config.",
};

/** Which condition of a trust policy does not match is asked of the text, where the number leaves that open. */
function unmatched(text: string): string {
  const parts = [
    ["issuer", /assertion issuer:?\s+'([^']{1,300})'/i],
    ["subject", /assertion subject:?\s+'([^']{1,300})'/i],
    ["audience", /assertion audience:?\s+'([^']{1,300})'/i],
  ] as const;
  const found = parts.flatMap(([name, pattern]) => {
    const value = pattern.exec(text)?.[1];
    return value === undefined ? [] : [`${name} ${value}`];
  });
  return found.length === 0 ? "." : `: the token has ${found.join(", ")}.`;
}

/** A refused sign-in: `AADSTS…` numbers in words. */
export function signInError({ status, json }: Answer): ProviderError {
  const { error, error_description: text, error_codes: codes } = isJsonMap(json) ? json : {};
  const said = typeof text === "string" ? text : "";
  const listed = Array.isArray(codes) ? codes.find((one) => typeof one === "number") : undefined;
  const number = Number(/AADSTS(\d{4,7})/.exec(said)?.[1] ?? listed ?? Number.NaN);
  const known = Object.hasOwn(advice, number) ? advice[number] : undefined;
  const code = Number.isNaN(number)
    ? typeof error === "string"
      ? error
      : `http_${status}`
    : `AADSTS${number}`;
  if (status === 429 || status >= 500 || error === "temporarily_unavailable")
    return {
      code,
      message: "Microsoft Entra takes no sign-ins now.",
      retryable: true,
      ...(status === 429 ? { means: "throttled" } : {}),
    };
  // The description ends in ids and a time, which change.
  const first = said.split(/\s(?:Trace ID|Correlation ID|Timestamp):/)[0]?.trim() ?? "";
  const message =
    known === undefined
      ? first || "unknown reason"
      : known + (number === 70021 ? unmatched(said) : "");
  return { code, message, means: "denied" };
}
