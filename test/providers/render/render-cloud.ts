import type { JsonMap } from "#platform/json.ts";
import { type DescribedCloud, describedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import { type Description, readDescription } from "#test/support/fake-cloud/description.ts";
import { FakeCloud, type FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import { validatingProxy } from "#test/support/fake-cloud/validating-proxy.ts";
import { type DeployScript, OWNER, renderRules } from "./rules.ts";

export const TOKEN = "rnd_canary0123456789";

const kept =
  /^\/v1\/(services|disks|postgres|key-value|env-groups|projects|environments|registrycredentials|webhooks|owners|notification-settings\/overrides\/services)\b/;

/** The paths of the 14 types alone. Render's own requires a member of databases that it does not list. */
export function renderDescription(document: JsonMap): Description {
  const mended = JSON.stringify(document).replaceAll('"owner","project","plan"', '"owner","plan"');
  return readDescription(JSON.parse(mended) as JsonMap, (path) => kept.test(path));
}

export interface RenderCloud extends DescribedCloud {
  /** Ends every wait. */
  finish: () => void;
}

/** An empty workspace behind the description. */
export function renderCloud(description: Description, options: FakeOptions = {}): RenderCloud {
  const script: DeployScript = {
    takesMs: options.readyAfterMs ?? 0,
    fails: options.endsFailed ?? false,
  };
  const fake = new FakeCloud(description, renderRules(script), { token: TOKEN, ...options });
  const proxy = validatingProxy(description, fake.fetch);
  return {
    ...describedCloud(fake, proxy, {
      region: "frankfurt",
      config: { ownerId: OWNER },
      credential: TOKEN,
    }),
    finish: () => {
      script.takesMs = 0;
      fake.finish();
    },
  };
}
