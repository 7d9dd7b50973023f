/** Properties of one object of every type: as created, changed in place, and changed so that it is replaced. */
import type { JsonMap } from "#platform/json.ts";
import { ORGANIZATION } from "./rules.ts";

export interface Sample {
  properties: JsonMap;
  /** Absent: nothing can be changed in place. */
  changed?: JsonMap;
  /** Absent: everything can. */
  replaced?: JsonMap;
  /** It always exists: a delete leaves it. */
  stays?: true;
}

export const projectSample: JsonMap = {
  name: "shop",
  organization_slug: ORGANIZATION,
  region: "eu-central-1",
  db_pass: "canary-of-the-password",
};

export function samplesOf(ref: string): Readonly<Record<string, Sample>> {
  const key = { ref, name: "backend", type: "secret", description: "The backend" };
  const fn = { ref, slug: "hello", name: "Hello", body: "Deno.serve(() => new Response())" };
  const branch = { ref, branch_name: "next", git_branch: "next", with_data: true };
  const sso = { ref, type: "saml", metadata_url: "https://idp.example", domains: ["a.example"] };
  const issuer = { ref, oidc_issuer_url: "https://issuer.example" };
  const cidrs = { ref, dbAllowedCidrs: ["192.0.2.0/24"], dbAllowedCidrsV6: ["2001:db8::/32"] };
  const secret = { ref, name: "SMTP_PASSWORD", value: "canary-of-the-secret" };
  return {
    Project: {
      properties: projectSample,
      changed: { ...projectSample, name: "store", db_pass: "another-canary" },
      replaced: { ...projectSample, region: "us-east-1" },
    },
    ApiKey: {
      properties: key,
      changed: { ...key, description: "Another" },
      replaced: { ...key, type: "publishable" },
    },
    Function: {
      properties: fn,
      changed: { ...fn, verify_jwt: true },
      replaced: { ...fn, slug: "other" },
    },
    Secret: {
      properties: secret,
      changed: { ...secret, value: "another-canary" },
      replaced: { ...secret, name: "OTHER" },
    },
    Branch: {
      properties: branch,
      changed: { ...branch, persistent: true },
      replaced: { ...branch, with_data: false },
    },
    AuthConfig: {
      properties: { ref, site_url: "https://shop.example", external_google_secret: "canary-x" },
      changed: { ref, site_url: "https://store.example", jwt_exp: 600, sms_otp_length: 8 },
      stays: true,
    },
    SsoProvider: {
      properties: sso,
      changed: { ...sso, domains: ["a.example", "b.example"] },
    },
    ThirdPartyAuth: {
      properties: issuer,
      replaced: { ...issuer, oidc_issuer_url: "https://other.example" },
    },
    SigningKey: {
      properties: { ref, algorithm: "ES256", status: "standby" },
      changed: { ref, algorithm: "ES256", status: "revoked" },
      replaced: { ref, algorithm: "RS256" },
    },
    NetworkRestrictions: {
      properties: cidrs,
      changed: { ...cidrs, dbAllowedCidrs: ["198.51.100.0/24"] },
      stays: true,
    },
    PostgresConfig: {
      properties: { ref, max_connections: 80, statement_timeout: "30s" },
      changed: { ref, max_connections: 90, statement_timeout: "30s", restart_database: true },
      stays: true,
    },
    PostgrestConfig: {
      properties: { ref, db_schema: "public", max_rows: 500 },
      changed: { ref, db_schema: "public,shop", db_pool: 20 },
      stays: true,
    },
    StorageConfig: {
      properties: { ref, fileSizeLimit: 10_485_760, features: { s3Protocol: { enabled: true } } },
      changed: { ref, fileSizeLimit: 20_971_520 },
      stays: true,
    },
    PoolerConfig: {
      properties: { ref, default_pool_size: 20 },
      changed: { ref, default_pool_size: 30 },
      stays: true,
    },
  };
}
