import type { Field } from "#console/act-form.tsx";
import { environments } from "#schema/cloud-targets.ts";
import {
  credentialWords,
  type Provider,
  settingFields,
  takesTokens,
  type Target,
} from "./provider-words.ts";

/** The inputs of a target. `now`: its current values, for an existing one. `owner`: the only tenant that may own it. */
export function targetFields(provider: Provider, now?: Target, owner?: string): Field[] {
  const fields: Field[] = [
    {
      name: "name",
      words: "Name",
      value: now?.name ?? "",
      isRequired: true,
      maxLength: 80,
    },
    {
      name: "environment",
      words: "Environment",
      hint: "Production: plans that replace or delete wait for approval, unless the instance says otherwise.",
      kind: "choice",
      choices: environments.map((value) => ({ value, words: value })),
      value: now?.environment ?? "any",
    },
    ...settingFields(provider, now),
    {
      name: "credentialRef",
      words: "Where the credential is stored",
      hint: credentialHint(provider, owner),
      value: now?.credentialRef ?? "",
      empty: now === undefined ? "nothing" : "null",
      maxLength: 300,
    },
    {
      name: "allowedRegions",
      words: "Regions that may be deployed to",
      hint: "One on each line; * allows all.",
      kind: "lines",
      value: now?.allowedRegions ?? [],
      isRequired: true,
    },
    {
      name: "defaultRegion",
      words: "Default region",
      value: now?.defaultRegion ?? "",
      isRequired: true,
    },
    {
      name: "maxConcurrentDeployments",
      words: "Deployments at the same time",
      hint: "1 to 20; others wait.",
      kind: "number",
      value: String(now?.maxConcurrentDeployments ?? 3),
    },
  ];
  // What has to be filled in comes first.
  const isRequired = ({ isRequired: must = false }: Field) => must;
  return [...fields.filter(isRequired), ...fields.filter((field) => !isRequired(field))];
}

function credentialHint(provider: Provider, owner: string | undefined): string {
  const place =
    owner === undefined
      ? "env://NAME or aws-sm://path."
      : `env://TARGET_${owner.replaceAll("-", "").toUpperCase()}_… or aws-sm://control/${owner}/….`;
  const form = credentialWords(provider);
  const stored = form === undefined ? "" : ` What is stored there: ${form}.`;
  const trusts = takesTokens(provider.name)
    ? " Empty: the settings above name an identity that trusts the tokens of this installation; the target's page shows the trust policy for it."
    : "";
  return `${place}${stored}${trusts}`;
}
