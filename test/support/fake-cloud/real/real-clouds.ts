/** What is known of the misbehaviour of each real cloud. */
import { realAws } from "./aws.ts";
import { realAzure } from "./azure.ts";
import type { RealCloud } from "./behaviour.ts";
import { realCoreweave } from "./coreweave.ts";
import { realDigitalocean } from "./digitalocean.ts";
import { realGcp } from "./gcp.ts";
import { realMagalu } from "./magalu.ts";
import { realOci } from "./oci.ts";
import { realRender } from "./render.ts";
import { realSupabase } from "./supabase.ts";
import { realVercel } from "./vercel.ts";
import { realVultr } from "./vultr.ts";

/** By the names of their providers. */
export const realClouds: Readonly<Record<string, RealCloud>> = {
  aws: realAws,
  azure: realAzure,
  coreweave: realCoreweave,
  digitalocean: realDigitalocean,
  gcp: realGcp,
  magalu: realMagalu,
  oci: realOci,
  render: realRender,
  supabase: realSupabase,
  vercel: realVercel,
  vultr: realVultr,
};
