/**
 * What Wrangler itself prints for the commands of an installation, with a local stand-in for Cloudflare's API: the
 * stand-in for Wrangler, which the other tests use, says the same.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { projectRoot } from "../../scripts/files/project-root.ts";
import {
  readAccounts,
  readBookmark,
  readDatabases,
  readMigrations,
  readQueue,
  readSecretNames,
  readWorker,
} from "../../scripts/installation/account-state.ts";
import { Commands } from "../../scripts/installation/commands.ts";
import { answerOf, newAccount } from "../../scripts/installation/stand-in/account.ts";
import { type RunWrangler, wranglerProgram } from "../../scripts/installation/wrangler-program.ts";
import { type LoopbackServer, startLoopbackServer } from "../../scripts/service/loopback-server.ts";
import { wranglerCli } from "../../scripts/service/wrangler.ts";
import { inTurns } from "../support/depth.ts";

const CONFIG = "wrangler.test.json";
const [account = { id: "", name: "" }] = newAccount().accounts;
const DATABASE = "11111111-1111-4111-8111-111111111111";
const consumer = {
  script: "control-api",
  type: "worker",
  dead_letter_queue: "control-dead-letters",
};

let directory: string;
let api: LoopbackServer;
let asked: { request: string; body: string }[];
/** Of Cloudflare's API, by method and path below the account: the result, or the code of an error. */
let results: Record<string, unknown>;
const before = { ...process.env };

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "control-api-"));
  await writeFile(
    path.join(directory, CONFIG),
    JSON.stringify({
      name: "control-api",
      account_id: account.id,
      compatibility_date: "2026-01-01",
      vars: {},
      d1_databases: [
        { binding: "DB", database_name: "control-api", database_id: DATABASE, migrations_dir: "m" },
      ],
      queues: { producers: [], consumers: [] },
    }),
  );
  api = await startLoopbackServer((request, response) => {
    const respond = async (): Promise<void> => {
      const { status, body } = await answerTo(request);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    void respond();
  });
  Object.assign(process.env, {
    CLOUDFLARE_API_BASE_URL: `${api.url}v4`,
    CLOUDFLARE_API_TOKEN: "token",
    WRANGLER_LOG_PATH: path.join(directory, "logs"),
  });
});
afterAll(async () => {
  process.env = before;
  await api.close();
  await rm(directory, { recursive: true, force: true });
});

async function answerTo(request: IncomingMessage): Promise<{ status: number; body: object }> {
  const url = new URL(request.url ?? "", "http://api");
  const place = url.pathname.replace(/^\/v4(\/accounts\/[0-9a-f]{32})?/, "");
  const name = `${request.method} ${place === "" ? "/" : place}`;
  asked.push({ request: name, body: await text(request) });
  const result = results[name];
  const messages: string[] = [];
  if (result === undefined || typeof result === "number") {
    const code = result ?? 7003;
    const errors = [{ code, message: `Refused: ${name}` }];
    return { status: 404, body: { success: false, errors, messages, result: null } };
  }
  const value: unknown = typeof result === "function" ? (result as () => unknown)() : result;
  const result_info = { page: 1, per_page: 100, total_pages: 1, count: 1, total_count: 1 };
  return { status: 200, body: { success: true, errors: [], messages, result: value, result_info } };
}

function commandsOf(run: RunWrangler): Commands {
  return new Commands({
    run,
    show: () => undefined,
    ask: () => Promise.resolve(true),
    dryRun: false,
  });
}

/** Wrangler itself, whose API gives these results. */
function wrangler(given: Record<string, unknown>): Commands {
  asked = [];
  results = given;
  return commandsOf(wranglerProgram({ root: directory, cli: wranglerCli }));
}

const standIn = newAccount();
standIn.databases = [
  { uuid: DATABASE, name: "control-api", tables: [], applied: ["0000_a.sql"], sweptAtMs: null },
];
standIn.queues["control-triggers"] = { consumers: [{ ...consumer, type: "worker" }] };
standIn.workers["control-api"] = {
  versions: [{ id: "v", tag: "1", vars: {} }],
  active: "v",
  secrets: { SEALING_KEYS: "k1:x" },
};
const likewise = commandsOf(async (call) => answerOf(standIn, directory, call));

const turn = inTurns(4);

it.runIf(turn())("tells accounts and databases", { timeout: 240_000 }, async () => {
  const accounts = {
    "GET /accounts": [account],
    "GET /memberships": [{ id: "m", account }],
    "GET /user": { email: "ada@example.com" },
    "GET /user/tokens/verify": { status: "active" },
  };
  const known = await readAccounts(wrangler(accounts));
  expect(known).toEqual([account]);
  expect(known).toEqual(await readAccounts(likewise));
  await expect(readAccounts(wrangler({}))).rejects.toThrow("npx wrangler login");
  const list = [{ uuid: DATABASE, name: "control-api", version: "production" }];
  const databases = await readDatabases(wrangler({ "GET /d1/database": list }), CONFIG);
  expect(databases).toEqual([{ id: DATABASE, name: "control-api" }]);
  expect(databases).toEqual(await readDatabases(likewise, CONFIG));
});

it.runIf(turn())("tells queues and who consumes them", { timeout: 240_000 }, async () => {
  const queue = {
    queue_id: "q",
    queue_name: "control-triggers",
    consumers: [{ ...consumer, settings: {} }],
  };
  const there = wrangler({ "GET /queues": [queue] });
  const found = await readQueue(there, CONFIG, "control-triggers");
  expect(found).toEqual({
    consumers: [{ worker: "control-api", deadLetterQueue: "control-dead-letters" }],
  });
  expect(found).toEqual(await readQueue(likewise, CONFIG, "control-triggers"));
  expect(await readQueue(wrangler({ "GET /queues": [] }), CONFIG, "no")).toBeUndefined();
  expect(await readQueue(likewise, CONFIG, "no")).toBeUndefined();
  await expect(readQueue(wrangler({}), CONFIG, "no")).rejects.toThrow("Refused: GET /queues");
});

it.runIf(turn())(
  "tells the Worker, and takes secrets from its input",
  { timeout: 240_000 },
  async () => {
    const script = "/workers/scripts/control-api";
    const versions = [{ version_id: "v", percentage: 100 }];
    const deployments = [{ id: "d", created_on: "2026-01-01T00:00:00Z", versions }];
    const there = { [`GET ${script}/deployments`]: { deployments } };
    expect(await readWorker(wrangler(there), CONFIG)).toEqual({ versionId: "v" });
    expect(await readWorker(likewise, CONFIG)).toEqual({ versionId: "v" });
    const missing = wrangler({ [`GET ${script}/deployments`]: 10_007 });
    expect(await readWorker(missing, CONFIG)).toBeUndefined();
    const named = { [`GET ${script}/secrets`]: [{ name: "SEALING_KEYS", type: "secret_text" }] };
    const names = await readSecretNames(wrangler(named), CONFIG);
    expect([...names]).toEqual(["SEALING_KEYS"]);
    expect([...names]).toEqual([...(await readSecretNames(likewise, CONFIG))]);

    // Of a Worker that does not exist yet, Wrangler makes a draft.
    let isThere = false;
    const draft = wrangler({
      [`PUT ${script}`]: () => {
        isThere = true;
        results[`PATCH ${script}/secrets-bulk`] = {};
        return {};
      },
      [`PATCH ${script}/secrets-bulk`]: 10_007,
    });
    const input = JSON.stringify({ SEALING_KEYS: "k1:secret" });
    const stored = await draft.change(["secret", "bulk", "--config", CONFIG], { input });
    expect(isThere).toBe(true);
    expect(asked.at(-1)?.body).toContain("k1:secret");
    expect(JSON.stringify(stored)).not.toContain("k1:secret");
    const logs = await readLogs();
    expect(logs).toContain("secrets-bulk");
    expect(logs).not.toContain("k1:secret");
  },
);

it.runIf(turn())("tells the database's migrations and bookmark", { timeout: 240_000 }, async () => {
  const query = `POST /d1/database/${DATABASE}/query`;
  const rows = [["d1_migrations", "sweep_watch"], ["0000_a.sql"]];
  const next = () => [
    { success: true, meta: {}, results: rows.shift()?.map((name) => ({ name })) ?? [] },
  ];
  const migrations = await readMigrations(wrangler({ [query]: next }), CONFIG, projectRoot);
  expect(migrations.applied).toEqual(["0000_a.sql"]);
  expect(migrations).toEqual(await readMigrations(likewise, CONFIG, projectRoot));
  expect(asked.map(({ body }) => (JSON.parse(body) as { sql: string }).sql)).toEqual([
    expect.stringContaining("sqlite_master"),
    expect.stringContaining("d1_migrations"),
  ]);
  const bookmark = { [`GET /d1/database/${DATABASE}/time_travel/bookmark`]: { bookmark: "b" } };
  const alpha = { [`GET /d1/database/${DATABASE}`]: { version: "production" } };
  expect(await readBookmark(wrangler({ ...bookmark, ...alpha }), CONFIG)).toBe("b");
  expect(await readBookmark(likewise, CONFIG)).toBe("bookmark-1");
});

async function readLogs(): Promise<string> {
  const folder = path.join(directory, "logs");
  const files = await readdir(folder);
  return (await Promise.all(files.map((file) => readFile(path.join(folder, file), "utf8")))).join();
}
