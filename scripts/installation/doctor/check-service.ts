/** Whether the service answers, is healthy, is this version, and its clock and sweeps run. */
import { askService, saidBy, type ServiceAnswer } from "../ask-service.ts";
import type { Examined } from "./examined.ts";
import { error, type Finding, note, ok, warning } from "./finding.ts";

/** Sweeps are a minute apart; D1 and the queue of scheduled events may delay one. */
const OLD_SWEEP_MS = 5 * 60_000;
const SKEW_MS = 5_000;
const GREAT_SKEW_MS = 60_000;

/** `reached`: other checks over HTTP make sense. */
export async function checkService(
  examined: Examined,
): Promise<{ reached: boolean; findings: Finding[] }> {
  const { address, key } = examined;
  const health = await askService(`${address}/api/v1/health`, examined, { key });
  if (health.status === undefined)
    return { reached: false, findings: [unreachable(examined, health)] };
  const isOurs =
    health.body["status"] === "ok" ||
    health.body["code"] === "unavailable" ||
    health.body["code"] === "rate_limited";
  if (!isOurs)
    return {
      reached: false,
      findings: [
        error(
          "address",
          `Something else than Control API answers at ${address}: GET /api/v1/health ${saidBy(health)}.`,
          "Requests of people and programs do not reach the installation.",
          "Compare the address with `vars.PUBLIC_URL` and `routes` in installation.jsonc, and look under Workers Routes of the zone whether another Worker has the address. Then run `npm run deploy`.",
        ),
      ],
    };
  return {
    reached: true,
    findings: [
      ok("address", `${address} answers.`),
      transport(examined),
      ...healthFindings(health),
      ...(health.status === 200 ? operatorFindings(examined, health) : []),
      clock(health),
    ],
  };
}

function unreachable(
  { address, isLocal }: Examined,
  { reason, code = "" }: Extract<ServiceAnswer, { status: undefined }>,
): Finding {
  const fix = isLocal
    ? "Start it with `npm start`, or name the port that it printed."
    : code === "ENOTFOUND"
      ? "The name has no DNS record. Correct the address, or let `npm run deploy` set the domain: `routes` in installation.jsonc has to name it, in a zone of the account."
      : code.includes("CERT") || code.includes("TLS") || code.includes("SSL")
        ? "The certificate is not valid. That of a new domain takes some minutes; afterwards look at the zone's page SSL/TLS, Edge Certificates."
        : "Try it from another network. If it fails there too, look at https://www.cloudflarestatus.com and at the Worker's page in the dashboard.";
  return error(
    "address",
    `${address} does not answer: ${reason}.`,
    "Nobody reaches the installation: no page, no API, no trigger by URL.",
    fix,
  );
}

function transport({ address, isLocal }: Examined): Finding {
  if (address.startsWith("https:")) return ok("https", "The connection is encrypted.");
  if (isLocal) return note("https", "The connection is not encrypted. It stays on this machine.");
  return error(
    "https",
    "The address begins with http.",
    "API keys and sessions can be read on the way.",
    "Use the address with https, and turn on Always Use HTTPS for the zone.",
  );
}

function healthFindings(health: Extract<ServiceAnswer, { status: number }>): Finding[] {
  if (health.status !== 200)
    return [
      error(
        "health",
        `The service is not ready: GET /api/v1/health ${saidBy(health)}`,
        "Requests are answered 503.",
        "Do what the answer says. If it does not say what is missing, set OPERATOR_KEY to an operator's key and run `npm run doctor` again.",
      ),
    ];
  const problems = (health.body["problems"] ?? []) as string[];
  return [
    ok("health", "The database answers and has this code's schema, and secrets can be sealed."),
    ...problems.map((problem) =>
      error(
        "settings",
        problem,
        "Sign-in or the tokens of runs do not work as the settings say; everything else does.",
        "Correct the setting as it says, then run `npm run deploy`.",
      ),
    ),
  ];
}

function operatorFindings(
  { key, version, isLocal }: Examined,
  { body, headers }: Extract<ServiceAnswer, { status: number }>,
): Finding[] {
  const { version: answering, sweptAt } = body as { version?: string | null; sweptAt?: string };
  if (answering === undefined)
    return key === undefined
      ? [
          note(
            "operator",
            "Without an operator's key, the version, the sweeps and the protection from webhook loops are not checked here.",
            "Set OPERATOR_KEY to an operator's key.",
          ),
        ]
      : [
          warning(
            "operator",
            "The operator's key is refused.",
            "The version, the sweeps and the protection from webhook loops could not be checked.",
            "Set OPERATOR_KEY to an operator's key of this installation with the scope license:read.",
          ),
        ];
  return [
    versionFinding({ answering, version, isLocal }),
    sweepFinding(
      sweptAt === undefined || sweptAt === null ? undefined : Date.parse(sweptAt),
      serverTimeMs(headers) ?? Date.now(),
    ),
  ];
}

function versionFinding({
  answering,
  version,
  isLocal,
}: {
  answering: string | null;
  version: string;
  isLocal: boolean;
}): Finding {
  if (answering === version) return ok("version", `It runs this checkout, ${version}.`);
  if (answering === null && isLocal)
    return note("version", "A service on this machine has no version.");
  return warning(
    "version",
    answering === null
      ? "The version that answers has no name."
      : `It runs version ${answering}; this checkout is ${version}.`,
    "What this checkout says of migrations, queues and settings may not be true of what runs.",
    "To run this checkout there, run `npm run deploy`. To check what runs, check out its commit first: the part of the version after +.",
  );
}

/** `sweptAtMs`: undefined: they never began. */
export function sweepFinding(sweptAtMs: number | undefined, nowMs: number): Finding {
  const why =
    "Schedules, expiry, stalled deployments, retries of webhooks and the audit chain wait until the sweeps run.";
  const fix =
    "Run `npm run deploy`, which sets the cron trigger, and look after two minutes. If they still do not run, `npx wrangler tail --config wrangler.installation.json` shows why each fails.";
  if (sweptAtMs === undefined)
    return warning("sweeps", "The cron trigger has not fired yet.", why, fix);
  const ageMs = nowMs - sweptAtMs;
  if (ageMs <= OLD_SWEEP_MS) return ok("sweeps", "The cron trigger fires, and the sweeps run.");
  return error("sweeps", `No sweep has run for ${Math.floor(ageMs / 60_000)} minutes.`, why, fix);
}

function clock({ headers, askedAtMs }: Extract<ServiceAnswer, { status: number }>): Finding {
  const serverMs = serverTimeMs(headers);
  // As on this machine.
  if (serverMs === undefined) return note("clock", "The answer has no date to compare clocks by.");
  // The header has whole seconds, and the answer took its time.
  const skewMs = Math.max(serverMs - Date.now(), askedAtMs - serverMs - 1_000, 0);
  if (skewMs <= SKEW_MS) return ok("clock", "The clocks agree.");
  const seconds = Math.round(skewMs / 1_000);
  return (skewMs > GREAT_SKEW_MS ? error : warning)(
    "clock",
    `This machine's clock and the service's differ by ${seconds} seconds.`,
    "Signatures of webhooks, ID tokens and tokens of runs count for minutes: with a wrong clock they are refused.",
    "Let this machine set its clock by NTP (`timedatectl set-ntp true` on Linux). Cloudflare's clock is right.",
  );
}

function serverTimeMs(headers: Headers): number | undefined {
  const ms = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}
