/** Checks that AWS knows who calls, that the region is enabled, and that the caller may use Cloud Control. */
import { decodeJwt } from "jose";
import type { Json } from "#platform/json.ts";
import type { ProviderContext, Verified } from "#providers/provider.ts";
import type { RequestResult, RequestSpec } from "#providers/rest/definition.ts";
import { roleIn } from "./access.ts";
import { callerIdentity } from "./account.ts";
import { controlRequest } from "./cloud-control.ts";
import { partitionOf } from "./partition.ts";
import { AUDIENCE } from "./session.ts";
import { issuerName } from "./trust.ts";

type Refusal = Extract<RequestResult, { ok: false }>;
type Ask = (spec: RequestSpec) => Promise<RequestResult>;

/** A type that every account may list and that says nothing of what is in it. */
const LISTED = "AWS::Logs::LogGroup";

export async function verifyAws(
  context: ProviderContext,
  request: Ask,
  refused: (result: Refusal) => Verified,
): Promise<Verified> {
  const whoami = await request(callerIdentity("sts", context.region));
  if (!whoami.ok)
    return (await notIdentified(context, whoami, request)) ?? told(context, whoami, refused);
  const listed = await request(controlRequest("list", { TypeName: LISTED }));
  if (listed.ok) return { ok: true };
  const { permission, code } = listed.failed;
  // Cloud Control answers, and what it may touch is what the templates need.
  const isOfType = permission !== undefined && !permission.startsWith("cloudformation:");
  if (isOfType || code.startsWith("UnsupportedAction")) return { ok: true };
  return told(context, listed, refused);
}

const unknownKeys =
  /^(InvalidClientTokenId|UnrecognizedClient|AuthFailure|OptInRequired|RegionDisabled)/;

/** A region that the account has not enabled answers as to a wrong key: another region tells which it is. */
async function notIdentified(
  context: ProviderContext,
  { failed }: Refusal,
  request: Ask,
): Promise<Verified | undefined> {
  const { region, identityToken } = context;
  const { homeRegion } = partitionOf(region);
  const unreached = failed.code === "network" || failed.code === "timeout";
  if (!unknownKeys.test(failed.code) && !unreached) return undefined;
  if (region === homeRegion || identityToken !== undefined) return undefined;
  const home = await request(callerIdentity("stsHome", homeRegion));
  if (!home.ok) return undefined;
  return {
    ok: false,
    code: "region_not_enabled",
    message: failed.message,
    retryable: false,
    means: "denied",
    hint: `AWS knows the credential, but not in the region ${region}: the account has not enabled it, or there is none of that name. Enable it under Account, AWS Regions, or give the target another region.`,
  };
}

async function told(
  context: ProviderContext,
  result: Refusal,
  refused: (result: Refusal) => Verified,
): Promise<Verified> {
  const verified = refused(result);
  if (verified.ok) return verified;
  const hint = await hintFor(context, result);
  return hint === undefined ? verified : { ...verified, ...hint };
}

type Hint = { hint: string; code?: string };

async function hintFor(context: ProviderContext, { failed }: Refusal): Promise<Hint | undefined> {
  const { code, message, permission } = failed;
  if (
    /Signature (expired|not yet current)|RequestExpired|RequestTimeTooSkewed/.test(
      `${code} ${message}`,
    )
  )
    return {
      code: "clock_skew",
      hint: "The clock of this installation differs from AWS's by more than AWS accepts. Ask its operator to correct it.",
    };
  if (context.identityToken !== undefined || isAssume(failed.permission, message)) {
    const of = await trustHint(context, code, message);
    if (of !== undefined) return of;
  }
  if (/^(InvalidClientTokenId|UnrecognizedClient|InvalidAccessKeyId)/.test(code))
    return {
      hint: "AWS does not know the access key id: it is wrong, inactive or deleted. Store a current key where `credentialRef` points, then verify again.",
    };
  if (/^(SignatureDoesNotMatch|InvalidSignature|IncompleteSignature)/.test(code))
    return {
      hint: "AWS knows the access key id, but not with this secret access key. Store both parts of one key where `credentialRef` points, then verify again.",
    };
  if (code.startsWith("ExpiredToken"))
    return {
      hint: "The session token of the credential has expired. Store current keys, or give the target a role (`roleArn`), whose keys are renewed.",
    };
  if (permission !== undefined)
    return {
      hint: `AWS accepts the credential, but it lacks the permission ${permission}. Grant it, then verify again.`,
    };
  return undefined;
}

function isAssume(permission: string | undefined, message: string): boolean {
  return permission === "sts:AssumeRole" || /sts:AssumeRole/.test(message);
}

/** What of the role's trust does not match, as far as AWS says it. */
async function trustHint(
  context: ProviderContext,
  code: string,
  message: string,
): Promise<Hint | undefined> {
  const { config, identityToken } = context;
  const role = roleIn(config)?.arn ?? "the role";
  if (identityToken === undefined)
    return {
      code: "role_not_assumed",
      hint: `The credential may not assume ${role}. Its trust policy has to name the credential's user or role as Principal, its condition on sts:ExternalId, if there is one, has to be ${externalIdOf(config["externalId"])}, and the credential needs the permission sts:AssumeRole for it.`,
    };
  const { iss = "", sub = "" } = decodeJwt(await identityToken(AUDIENCE));
  // What follows the word "token" is redacted.
  if (/incorrect token/i.test(message))
    return {
      code: "trust_audience",
      hint: `The condition on the audience does not match: the identity provider in the account does not list ${AUDIENCE}. Add it with aws iam add-client-id-to-open-id-connect-provider, then verify again.`,
    };
  if (/No OpenIDConnect provider/i.test(message))
    return {
      code: "trust_issuer",
      hint: `The account has no identity provider for this installation's issuer, ${iss}. Create it as the steps in the target's \`identity\` say, then verify again.`,
    };
  if (/^(InvalidIdentityToken|IDPCommunicationError)/.test(code))
    return {
      code: "trust_issuer",
      hint: `AWS could not check the token against this installation's published keys. The issuer's address, ${iss}, has to be reachable from the internet, with a certificate that is publicly trusted.`,
    };
  if (!code.startsWith("AccessDenied")) return undefined;
  const issuer = issuerName({ url: iss });
  return {
    code: "trust_subject",
    hint: `The trust policy of ${role} does not match this target, or there is no such role. Its condition StringEquals needs "${issuer}:aud": "${AUDIENCE}" and "${issuer}:sub": "${sub}", exactly, and its Principal the identity provider of ${issuer}. Set the policy in the target's \`identity\`, then verify again.`,
  };
}

function externalIdOf(value: Json | undefined): string {
  return typeof value === "string"
    ? "the target's externalId"
    : "absent, since the target has no externalId";
}
