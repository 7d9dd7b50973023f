/** All checks of an installation, from outside and by Wrangler. */
import path from "node:path";
import { isLoopback } from "#platform/loopback.ts";
import { checkoutVersion } from "../checkout-version.ts";
import { Commands } from "../commands.ts";
import { InstallationError } from "../installation-error.ts";
import { readInstallation } from "../installation-file.ts";
import { readSecretsFile, secretsFileOf } from "../installation-secrets.ts";
import {
  committedConfig,
  type InstallationConfig,
  installationConfig,
  wranglerConfigName,
  writeWranglerConfig,
} from "../wrangler-config.ts";
import type { RunWrangler } from "../wrangler-program.ts";
import { checkCloudflare } from "./check-cloudflare.ts";
import { checkFederation } from "./check-federation.ts";
import { checkService } from "./check-service.ts";
import { checkSettings } from "./check-settings.ts";
import { checkSignIn } from "./check-sign-in.ts";
import { checkWebhookLoop } from "./check-webhook-loop.ts";
import type { Examined } from "./examined.ts";
import { type Finding, note } from "./finding.ts";

export interface DoctorOptions {
  root: string;
  /** Undefined: the installation's own, from its file. */
  address: string | undefined;
  /** The file of the installation's values, absolute. */
  file: string;
  operatorKey: string | undefined;
}

export interface DoctorPorts {
  fetch: typeof fetch;
  run: RunWrangler;
  useAccount: (id: string) => void;
}

export interface Report {
  address: string;
  /** Of the checkout. */
  version: string;
  /** No finding is an error. */
  ok: boolean;
  findings: readonly Finding[];
}

export async function examineInstallation(
  options: DoctorOptions,
  ports: DoctorPorts,
): Promise<Report> {
  const { root, file, operatorKey } = options;
  const isLocal = options.address !== undefined && isLoopback(new URL(options.address));
  const own = isLocal ? undefined : await ownInstallation(root, file);
  const address = options.address ?? own?.address;
  if (address === undefined)
    throw new InstallationError(
      `Say which installation: \`npm run doctor -- https://control.example.com\`. ${path.basename(file)} names none.`,
    );
  // The named address may belong to another installation than the file's.
  const described = [address, undefined].includes(own?.address) ? own : undefined;
  const isSafe = isLocal || address.startsWith("https:");
  const examined: Examined = {
    address,
    isLocal,
    // The key goes neither over an unencrypted connection, nor to another address than the installation's own.
    key: isSafe
      ? (operatorKey ?? (own?.address === address ? await keptKey(file) : undefined))
      : undefined,
    version: await checkoutVersion(root),
    vars: described?.config.vars,
    fetch: ports.fetch,
  };
  const service = await checkService(examined);
  const findings = [
    ...service.findings,
    ...(service.reached ? await checkFromOutside(examined) : []),
    ...(described === undefined
      ? []
      : [
          ...(await checkSettings(examined, secretsFileOf(file))),
          ...(await checkAtCloudflare({ root, file, ...described }, ports)),
        ]),
    ...(described === undefined && !isLocal
      ? [
          note(
            "cloudflare",
            `What Cloudflare has is not checked: ${path.basename(file)} does not describe ${address}.`,
            "Run it where the installation's file is, or name the file with --installation.",
          ),
        ]
      : []),
  ];
  return {
    address,
    version: examined.version,
    ok: findings.every(({ level }) => level !== "error"),
    findings: withoutRepeated(findings),
  };
}

interface OwnInstallation {
  config: InstallationConfig;
  accountId: string | undefined;
  /** Undefined: not known yet. */
  address: string | undefined;
}

/** The installation that the file describes; undefined: there is no file. */
async function ownInstallation(root: string, file: string): Promise<OwnInstallation | undefined> {
  const { isNew, values } = await readInstallation(file);
  if (isNew) return undefined;
  const config = installationConfig(await committedConfig(root), values, wranglerConfigName(file));
  return { config, accountId: values.account_id, address: config.address };
}

async function checkFromOutside(examined: Examined): Promise<Finding[]> {
  return [
    ...(await checkSignIn(examined)),
    ...(await checkFederation(examined)),
    ...(await checkWebhookLoop(examined)),
  ];
}

async function keptKey(file: string): Promise<string | undefined> {
  return (await readSecretsFile(secretsFileOf(file)))?.BOOTSTRAP_API_KEY;
}

async function checkAtCloudflare(
  place: OwnInstallation & { root: string; file: string },
  { run, useAccount }: DoctorPorts,
): Promise<Finding[]> {
  const { root, file, config, accountId } = place;
  const commands = new Commands({
    run,
    show: () => undefined,
    ask: () => Promise.resolve(false),
    dryRun: true,
  });
  return checkCloudflare({
    root,
    commands,
    config,
    configName: await writeWranglerConfig(root, file, config),
    fileName: path.basename(file),
    accountId,
    useAccount,
  });
}

/** The sweeps may have been checked twice: from outside and in the database. */
function withoutRepeated(findings: readonly Finding[]): Finding[] {
  const sweeps = findings.find(({ check }) => check === "sweeps");
  return findings.filter((finding) => finding.check !== "sweeps" || finding === sweeps);
}
