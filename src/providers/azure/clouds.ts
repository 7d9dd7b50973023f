import type { JsonMap } from "#platform/json.ts";

/** Microsoft's separate clouds: where their APIs are, and what a token of another issuer is made out to. */
export interface AzureCloud {
  management: string;
  login: string;
  audience: string;
}

const clouds = {
  public: {
    management: "https://management.azure.com",
    login: "https://login.microsoftonline.com",
    audience: "api://AzureADTokenExchange",
  },
  usgov: {
    management: "https://management.usgovcloudapi.net",
    login: "https://login.microsoftonline.us",
    audience: "api://AzureADTokenExchangeUSGov",
  },
  china: {
    management: "https://management.chinacloudapi.cn",
    login: "https://login.partner.microsoftonline.cn",
    audience: "api://AzureADTokenExchangeChina",
  },
} as const satisfies Readonly<Record<string, AzureCloud>>;

export const cloudNames = Object.keys(clouds) as (keyof typeof clouds)[];

/** The cloud that a target's config names; the public one if it names none. */
export function cloudOf(config: JsonMap): AzureCloud {
  const name = cloudNames.find((one) => one === config["cloud"]) ?? "public";
  return clouds[name];
}
