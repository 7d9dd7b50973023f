/** Accounts at clouds in memory, each empty, for whole deployments. */
import {
  CoreweaveCloud,
  TOKEN as COREWEAVE_TOKEN,
  ZONE,
} from "#test/providers/coreweave/coreweave-cloud.ts";
import { renderDocument } from "#test/providers/render/description.ts";
import {
  TOKEN as RENDER_TOKEN,
  renderCloud,
  renderDescription,
} from "#test/providers/render/render-cloud.ts";
import { OWNER } from "#test/providers/render/rules.ts";
import { supabaseDocument } from "#test/providers/supabase/description.ts";
import {
  CONFIG,
  REGION,
  TOKEN as SUPABASE_TOKEN,
  supabaseCloud,
  supabaseDescription,
} from "#test/providers/supabase/supabase-cloud.ts";
import { vercelDocument } from "#test/providers/vercel/description.ts";
import { TEAM } from "#test/providers/vercel/rules.ts";
import {
  TOKEN as VERCEL_TOKEN,
  vercelCloud,
  vercelDescriptions,
} from "#test/providers/vercel/vercel-cloud.ts";
import { vultrDocument } from "#test/providers/vultr/description.ts";
import { API_KEY, vultrCloud, vultrDescription } from "#test/providers/vultr/vultr-cloud.ts";
import type { FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import type { CloudAccount } from "./example-life.ts";

type Account<Cloud> = CloudAccount & { cloud: Cloud };

function accountAt<Cloud extends Pick<CloudAccount, "fetch">>(
  cloud: Cloud,
  of: Omit<CloudAccount, "fetch">,
): Account<Cloud> {
  return { ...of, cloud, fetch: cloud.fetch };
}

export const coreweaveAccount = () =>
  accountAt(new CoreweaveCloud(), {
    provider: "coreweave",
    host: ".coreweave.com",
    config: {},
    region: ZONE,
    token: COREWEAVE_TOKEN,
  });

export const renderAccount = () =>
  accountAt(renderCloud(renderDescription(renderDocument)), {
    provider: "render",
    host: "api.render.com",
    config: { ownerId: OWNER },
    region: "frankfurt",
    token: RENDER_TOKEN,
  });

export const supabaseAccount = () =>
  accountAt(supabaseCloud(supabaseDescription(supabaseDocument)), {
    provider: "supabase",
    host: "api.supabase.com",
    config: CONFIG,
    region: REGION,
    token: SUPABASE_TOKEN,
  });

export const vercelAccount = () =>
  accountAt(vercelCloud(vercelDescriptions(vercelDocument)), {
    provider: "vercel",
    host: "api.vercel.com",
    config: { teamId: TEAM },
    region: "fra1",
    token: VERCEL_TOKEN,
  });

export const vultrAccount = (options: FakeOptions = {}) =>
  accountAt(vultrCloud(vultrDescription(vultrDocument), options), {
    provider: "vultr",
    host: "api.vultr.com",
    config: {},
    region: "ewr",
    token: API_KEY,
  });
