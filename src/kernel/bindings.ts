/**
 * The Worker's bindings and variables from wrangler.toml (`Env`, generated), and its secrets, which are set with
 * `wrangler secret put` or in `.dev.vars` and appear in no configuration file.
 */
export interface Bindings extends Env {
  /** The first operator's API key. All other keys are created through the API. */
  BOOTSTRAP_API_KEY?: string;
  /** The key ring for sealed values: `<key id>:<base64 of 32 bytes>`, newest first, comma-separated. */
  SEALING_KEYS?: string;
  /** The key ring for the tokens of runs: RSA private keys (PKCS #8, base64), comma-separated; the first one signs. */
  IDENTITY_KEYS?: string;
  /** The license: a compact JWS. Without one the community plan applies. */
  LICENSE_KEY?: string;
  /** The Ed25519 public key that verifies the license, as a JWK or in PEM. */
  LICENSE_PUBLIC_KEY?: string;
  /** The region of AWS Secrets Manager, and the key that reads the secrets of `aws-sm://` references. */
  AWS_SM_REGION?: string;
  AWS_SM_ACCESS_KEY_ID?: string;
  AWS_SM_SECRET_ACCESS_KEY?: string;
  /** Of temporary keys. */
  AWS_SM_SESSION_TOKEN?: string;
  /**
   * Set only by `npm start`: the scheduled handler then runs only for an event whose cron is this key, because Wrangler
   * lets anyone who reaches the port send one.
   */
  SCHEDULED_HANDLER_KEY?: string;
  /** The dataset of Workers Analytics Engine for requests, ends of deployments and attempts of deliveries. */
  ANALYTICS?: AnalyticsEngineDataset;
  /** `"on"` only in tests: every response is parsed with the schema of its endpoint. */
  CHECK_ANSWERS?: string;
}
