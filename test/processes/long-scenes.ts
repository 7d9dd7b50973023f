import { partOf } from "../support/depth.ts";

/**
 * Each takes several starts of the service, up to a minute: an ordinary run takes one of them, a deep run all. A new
 * scene of this kind comes in here, so that no run takes two.
 */
const scenes = [
  "killed in the middle",
  "killed before the answer",
  "killed in each operation",
  "DigitalOcean's example killed",
  "DigitalOcean's existing network killed",
  "DigitalOcean's guide pasted",
  "AWS's guide pasted",
  "Azure's guide pasted",
  "Google Cloud's guide pasted",
  "Oracle Cloud's guide pasted",
  "Vultr's guide pasted",
  "Magalu's guide pasted",
  "Render's guide pasted",
  "Vercel's guide pasted",
  "Supabase's guide pasted",
  "CoreWeave's guide pasted",
  "Terraform imported, pasted",
  "federation pasted",
  "federation at each fake cloud",
  "an installation killed",
] as const;
export const longScenes = partOf(scenes, scenes.length);
