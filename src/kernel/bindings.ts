/**
 * What the Worker is given: the bindings and variables of wrangler.toml (`Env`, generated), and the secrets,
 * which are set with `wrangler secret put` or in `.dev.vars` and so are in no configuration file.
 */
export interface Bindings extends Env {
  /** The first operator's API key. Any other key is made through the API. */
  BOOTSTRAP_API_KEY?: string;
  /** The key ring for values kept sealed: `<key id>:<base64 of 32 bytes>`, newest first, comma-separated. */
  SEALING_KEYS?: string;
  /** The license: a compact JWS. None: the community plan. */
  LICENSE_KEY?: string;
  /** What the license is verified with: an Ed25519 public key, as a JWK or in PEM. */
  LICENSE_PUBLIC_KEY?: string;
  /** `"on"` in tests only: every answer is parsed with the schema its endpoint declares. */
  CHECK_ANSWERS?: string;
}
