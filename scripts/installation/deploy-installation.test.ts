import { appendFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { latestMigration } from "#schema/latest-migration.ts";
import { CommandFailed } from "./commands.ts";
import { InstallationLab, PowerFailure } from "./stand-in/installation-lab.ts";
import { shownCommand } from "./wrangler-program.ts";

const reading =
  /^(whoami|d1 (list|execute|time-travel info)|queues consumer list|deployments status|secret list)\b/;
const queues = ["deployments", "triggers", "webhooks", "webhooks-slow", "dead-letters"].map(
  (name) => `control-${name}`,
);

let lab: InstallationLab;
// Loading Wrangler takes seconds on a busy machine, which the first test must not pay for.
beforeAll(() => import("wrangler"), 60_000);
beforeEach(() => {
  lab = new InstallationLab();
});
afterEach(() => {
  lab.remove();
});

const secretsOf = (lab: InstallationLab): Record<string, string> =>
  JSON.parse(lab.text("installation.secrets.json")) as Record<string, string>;
const changes = (): string[] => lab.commands.filter((command) => !reading.test(command));

/** The message by which the deploy stops. */
async function stopped(run: Parameters<InstallationLab["deploy"]>[0] = {}): Promise<string> {
  const error: unknown = await lab.deploy(run).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(Error);
  return (error as Error).message;
}

describe("a first deploy", () => {
  it("makes the database, the queues and the secrets, migrates, deploys and tests", async () => {
    await lab.deploy();
    expect(lab.account.databases.map(({ name }) => name)).toEqual(["control-api"]);
    expect(Object.keys(lab.account.queues).sort()).toEqual(queues.toSorted());
    const worker = lab.account.workers["control-api"];
    expect(Object.keys(worker?.secrets ?? {}).sort()).toEqual([
      "BOOTSTRAP_API_KEY",
      "IDENTITY_KEYS",
      "SEALING_KEYS",
    ]);
    expect(worker?.secrets).toEqual(secretsOf(lab));
    expect(lab.account.databases[0]?.applied.at(-1)).toBe(latestMigration);
    expect(lab.output).toContain("A read with the key succeeds");
    expect(lab.output).toContain(
      "https://control-api.acme.workers.dev/api/v1/auth/oidc/<id>/callback",
    );
  });

  it("asks once, before anything is changed", async () => {
    expect(await stopped({ answer: false })).toBe("Nothing was changed.");
    expect(changes()).toEqual([]);
    expect(() => lab.text("installation.jsonc")).toThrow("ENOENT");
    expect(() => lab.text("installation.secrets.json")).toThrow("ENOENT");
    await lab.deploy();
    expect(lab.asked).toBe(1);
  });

  it("shows every command before it runs", async () => {
    await lab.deploy({
      before: (_, { args }) => {
        expect(lab.lines.at(-1)?.startsWith(`$ ${shownCommand(args)}`)).toBe(true);
      },
    });
    expect(lab.calls.length).toBeGreaterThan(20);
  });

  it("records the installation's values in its own file and leaves wrangler.toml alone", async () => {
    const before = lab.text("wrangler.toml");
    await lab.deploy();
    expect(lab.text("wrangler.toml")).toBe(before);
    const text = lab.text("installation.jsonc");
    expect(text).toMatch(/^\/\/ The values of this installation/);
    expect(JSON.parse(text.replace(/^\/\/.*$/gm, ""))).toEqual({
      account_id: lab.account.accounts[0]?.id,
      name: "control-api",
      database_name: "control-api",
      database_id: lab.account.databases[0]?.uuid,
      vars: {
        PUBLIC_URL: "https://control-api.acme.workers.dev",
        ALLOWED_ORIGINS: "https://control-api.acme.workers.dev",
      },
    });
    const worker = lab.account.workers["control-api"];
    expect(worker?.versions.at(-1)?.vars).toMatchObject({
      PUBLIC_URL: "https://control-api.acme.workers.dev",
      RATE_LIMITS: "on",
    });
  });

  it("takes a custom domain, and then deploys once", async () => {
    await lab.deploy({ options: { address: "https://control.example.com" } });
    expect(lab.account.domains).toEqual({ "control.example.com": "control-api" });
    expect(lab.account.workers["control-api"]?.versions.at(-1)?.vars["PUBLIC_URL"]).toBe(
      "https://control.example.com",
    );
    expect(lab.commands.filter((command) => command.startsWith("deploy "))).toHaveLength(1);
  });

  it("passes on where the database is to be", async () => {
    await lab.deploy({ options: { databasePlace: ["--jurisdiction", "eu"] } });
    expect(lab.commands.find((command) => command.startsWith("d1 create"))).toContain(
      "d1 create control-api --jurisdiction eu",
    );
  });

  it("gives the secrets to Wrangler's standard input, and to nothing else", async () => {
    await lab.deploy();
    const secrets = Object.values(secretsOf(lab));
    const shown = `${lab.output}\n${lab.commands.join("\n")}\n${lab.text("installation.jsonc")}\n${lab.text("wrangler.installation.json")}`;
    expect(secrets).toHaveLength(3);
    for (const secret of secrets) {
      expect(shown).not.toContain(secret);
      expect(lab.calls.filter(({ input }) => input?.includes(secret))).toHaveLength(1);
    }
    expect(statSync(path.join(lab.root, "installation.secrets.json")).mode & 0o777).toBe(0o600);
  });

  it("has the secrets in the file before they are at Cloudflare", async () => {
    await expect(
      lab.deploy({
        before: (_, { args }) => {
          if (args[1] === "bulk") throw new PowerFailure();
        },
      }),
    ).rejects.toThrow(PowerFailure);
    const kept = secretsOf(lab);
    await lab.deploy();
    expect(lab.account.workers["control-api"]?.secrets).toEqual(kept);
  });
});

describe("a dry run", () => {
  it("shows all commands of a first deploy and runs none that changes something", async () => {
    await lab.deploy({ dryRun: true });
    expect(changes()).toEqual([]);
    expect(lab.asked).toBe(0);
    expect(lab.account.databases).toEqual([]);
    expect(() => lab.text("installation.jsonc")).toThrow("ENOENT");
    expect(() => lab.text("installation.secrets.json")).toThrow("ENOENT");
    const dry = new Set(lab.lines.filter((line) => line.startsWith("$ ")).map(bare));
    await lab.deploy();
    const real = lab.lines.filter((line) => line.startsWith("$ ")).map(bare);
    const missing = [...new Set(real)].filter(
      (line) => !dry.has(line) && !reading.test(line.replace("$ npx wrangler ", "")),
    );
    expect(missing).toEqual([]);
  });

  it("shows a first deploy without a login, with the same commands", async () => {
    lab.account.loggedIn = false;
    await lab.deploy({ dryRun: true });
    expect(changes()).toEqual([]);
    expect(lab.output).toContain("not logged in to Cloudflare, so what exists there is not known");
    const shown = lab.lines.filter((line) => line.startsWith("$ ")).map(bare);
    lab.account.loggedIn = true;
    await lab.deploy({ dryRun: true });
    const all = lab.lines.filter((line) => line.startsWith("$ ")).map(bare);
    const changing = (line: string) => !reading.test(line.replace("$ npx wrangler ", ""));
    expect(shown.filter(changing)).toEqual(all.filter(changing));
  });

  it("shows an update's", async () => {
    await lab.deploy();
    const before = structuredClone(lab.account);
    await lab.deploy({ dryRun: true });
    expect(lab.account).toEqual(before);
    expect(lab.output).toContain("$ npx wrangler deploy --config wrangler.installation.json");
  });

  const bare = (line: string): string => line.replace(/ {3}\(.*/, "");
});

describe("a repeated deploy", () => {
  it("changes nothing but the version", async () => {
    await lab.deploy();
    const before = structuredClone(lab.account);
    const files = [lab.text("installation.jsonc"), lab.text("installation.secrets.json")];
    await lab.deploy();
    expect(changes()).toEqual([
      expect.stringMatching(/^deploy --config wrangler\.installation\.json --tag \S+$/),
    ]);
    expect({ ...lab.account, workers: {} }).toEqual({ ...before, workers: {} });
    expect(lab.account.workers["control-api"]?.secrets).toEqual(
      before.workers["control-api"]?.secrets,
    );
    expect([lab.text("installation.jsonc"), lab.text("installation.secrets.json")]).toEqual(files);
  });

  it("keeps what a person wrote into the installation's file", async () => {
    await lab.deploy();
    const text = lab
      .text("installation.jsonc")
      .replace('"vars": {', '// Our people.\n  "vars": {\n    "OPERATORS": "ada@example.com",')
      .replace(
        '"ALLOWED_ORIGINS"',
        '"OIDC_PROVIDERS": [{ "id": "entra" }],\n    "ALLOWED_ORIGINS"',
      );
    writeFileSync(lab.file, text);
    await lab.deploy();
    expect(lab.text("installation.jsonc")).toBe(text);
    expect(lab.account.workers["control-api"]?.versions.at(-1)?.vars).toMatchObject({
      OPERATORS: "ada@example.com",
      OIDC_PROVIDERS: '[{"id":"entra"}]',
    });
  });

  it("does not bring back a bootstrap key that its operator removed", async () => {
    await lab.deploy();
    delete lab.account.workers["control-api"]?.secrets["BOOTSTRAP_API_KEY"];
    await lab.deploy();
    expect(lab.account.workers["control-api"]?.secrets["BOOTSTRAP_API_KEY"]).toBeUndefined();
    expect(lab.output).toContain("will be tested without it");
  });

  it("takes over an installation that was made by hand", async () => {
    await lab.deploy();
    for (const name of ["installation.jsonc", "installation.secrets.json"])
      writeFileSync(path.join(lab.root, name), "{}");
    await lab.deploy();
    expect(changes().map((command) => command.split(" ")[0])).toEqual(["deploy", "deploy"]);
  });
});

describe("a deploy that was interrupted", () => {
  it("continues, whichever command was the last", async () => {
    const whole = new InstallationLab();
    await whole.deploy();
    const commands = whole.calls.length;
    const state = whole.state;
    whole.remove();
    for (let last = 1; last <= commands; last += 1) {
      const one = new InstallationLab();
      one.haveSecrets();
      try {
        const run = one.deploy({
          after: (nth) => {
            if (nth === last) throw new PowerFailure();
          },
        });
        await expect(run).rejects.toThrow(PowerFailure);
        await one.deploy();
        expect({ last, state: one.state }).toEqual({ last, state });
        expect(one.account.databases).toHaveLength(1);
        expect(one.account.workers["control-api"]?.secrets).toEqual(secretsOf(one));
        expect(one.output).toContain("A read with the key succeeds");
      } finally {
        one.remove();
      }
    }
    expect(commands).toBeGreaterThan(20);
  });
});

describe("a command that fails", () => {
  it("stops the deploy with its error, and the next deploy continues", async () => {
    const whole = new InstallationLab();
    await whole.deploy();
    const { commands, state } = whole;
    whole.remove();
    for (const [index, command] of commands.entries()) {
      const one = new InstallationLab();
      one.haveSecrets();
      try {
        const failure: unknown = await one
          .deploy({
            before: (nth, { args }) => {
              if (nth !== index + 1) return;
              const result = { code: 1, stdout: "", stderr: "The network is away.", entries: [] };
              throw new CommandFailed(args, result);
            },
          })
          .catch((error: unknown) => error);
        expect(String(failure)).toContain("The network is away.");
        expect(one.calls).toHaveLength(index + 1);
        await one.deploy();
        expect({ command, state: one.state }).toEqual({ command, state });
      } finally {
        one.remove();
      }
    }
  });

  it("does not deploy code whose migration failed, and says how it goes on", async () => {
    await lab.deploy();
    const [version] = lab.account.workers["control-api"]?.versions.slice(-1) ?? [];
    writeFileSync(path.join(lab.root, "migrations/9001_first.sql"), "SELECT 1;");
    writeFileSync(path.join(lab.root, "migrations/9002_second.sql"), "NONSENSE");
    const applied = lab.account.databases[0]?.applied.length;
    lab.account.failingMigration = "9002_second.sql";
    const message = await stopped();
    expect(message).toContain("syntax error");
    expect(message).toContain("the version from before keeps answering");
    expect(message).toContain("Run `npm run deploy` again");
    expect(message).toContain(
      `npx wrangler d1 time-travel restore DB --bookmark=bookmark-${applied} --config wrangler.installation.json`,
    );
    expect(changes().some((command) => command.startsWith("deploy"))).toBe(false);
    expect(lab.account.workers["control-api"]?.active).toBe(version?.id);
    lab.account.failingMigration = undefined;
    await lab.deploy();
    expect(lab.account.databases[0]?.applied.slice(-2)).toEqual([
      "9001_first.sql",
      "9002_second.sql",
    ]);
  });

  it("says how to log in", async () => {
    lab.account.loggedIn = false;
    expect(await stopped()).toContain("npx wrangler login");
  });
});

describe("an update", () => {
  beforeEach(async () => {
    await lab.deploy();
    const text = lab.text("package.json").replace(/"version": "[^"]+"/, '"version": "9.9.9"');
    writeFileSync(path.join(lab.root, "package.json"), text);
  });

  it("applies the migrations first, then deploys", async () => {
    appendFileSync(path.join(lab.root, "migrations/9001_new.sql"), "SELECT 1;");
    await lab.deploy();
    expect(changes().map((command) => command.split(" ").slice(0, 3).join(" "))).toEqual([
      "d1 migrations apply",
      "deploy --config wrangler.installation.json",
    ]);
    expect(lab.output).toContain("version 9.9.9 answers");
    expect(lab.output).toContain("Updated: https://control-api.acme.workers.dev");
  });

  it("says how to go back when the new version does not work", async () => {
    const before = lab.account.workers["control-api"]?.active;
    writeFileSync(path.join(lab.root, "migrations/9001_new.sql"), "SELECT 1;");
    lab.broken = "9.9.9";
    const message = await stopped();
    expect(message).toContain("The test failed. GET /api/v1/health answered 500: It broke.");
    expect(message).toContain(
      `npx wrangler rollback ${before} --config wrangler.installation.json`,
    );
    expect(message).toContain("the migrations 9001_new.sql stay applied");
    expect(message).toContain("--bookmark=bookmark-");
    expect(message).toContain("secrets, queues and their consumers, the cron trigger, domains");
  });

  it("is tested with the key that it is given once the file of secrets is gone", async () => {
    const { BOOTSTRAP_API_KEY } = secretsOf(lab);
    writeFileSync(path.join(lab.root, "installation.secrets.json"), "{}");
    await lab.deploy();
    expect(lab.output).toContain("were not tested: set OPERATOR_KEY");
    await lab.deploy({ options: { operatorKey: BOOTSTRAP_API_KEY } });
    expect(lab.output).toContain("A read with the key succeeds");
  });
});

describe("what is another's", () => {
  it("is not taken: a queue whose messages go to another Worker", async () => {
    lab.account.queues["control-triggers"] = {
      consumers: [{ script: "other", type: "worker" }],
    };
    expect(await stopped()).toContain("control-triggers go to the Worker other");
    expect(changes()).toEqual([]);
  });

  it("is not taken: a database with other tables", async () => {
    lab.account.databases.push({
      uuid: "11111111-1111-4111-8111-111111111111",
      name: "control-api",
      tables: ["orders"],
      applied: [],
      sweptAtMs: null,
    });
    expect(await stopped()).toContain("belongs to something else");
    expect(changes()).toEqual([]);
  });

  it("is not chosen: an account among several", async () => {
    const name = "Other\u001b[1A\n  0  Acme";
    lab.account.accounts.push({ id: "f".repeat(32), name });
    expect(await stopped()).toContain(`${"f".repeat(32)}  Other [1A   0  Acme`);
    await lab.deploy({ options: { account: "f".repeat(32) } });
    expect(lab.text("installation.jsonc")).toContain(`"account_id": "${"f".repeat(32)}"`);
    // From then on the file decides.
    await lab.deploy();
  });
});

describe("what would lose something", () => {
  beforeEach(() => lab.deploy());

  it("is not done: new sealing keys for a database in use", async () => {
    delete lab.account.workers["control-api"]?.secrets["SEALING_KEYS"];
    expect(await stopped()).toContain("npx wrangler secret put SEALING_KEYS --config");
    expect(changes()).toEqual([]);
  });

  it("is not done: a new database in place of one that is gone", async () => {
    lab.account.databases = [];
    expect(await stopped()).toContain("The account has no database");
    expect(changes()).toEqual([]);
  });

  it("is not done: earlier code on a newer database", async () => {
    lab.account.databases[0]?.applied.push("9999_later.sql");
    expect(await stopped()).toContain("9999_later.sql");
    expect(changes()).toEqual([]);
  });

  it("is not done: another address", async () => {
    expect(await stopped({ options: { address: "https://other.example.com" } })).toContain(
      "The installation's address is https://control-api.acme.workers.dev.",
    );
    expect(lab.calls).toEqual([]);
  });
});

describe("a mistake in the installation's file", () => {
  it.each([
    ["{", "not valid JSON: CloseBraceExpected in line 1"],
    ['{ "account": "x" }', 'Unrecognized key: "account"'],
    ['{ "vars": { "OPERATOR": "x" } }', "Did you mean OPERATORS?"],
    [
      '{ "vars": { "SEALING_KEYS": "k1:x" } }',
      "npx wrangler secret put SEALING_KEYS --config wrangler.installation.json",
    ],
    ['{ "vars": { "OIDC_GOOGLE_SECRET": "x" } }', "is a secret"],
    ['{ "database_id": "x" }', "database_id"],
    ['{ "vars": { "PUBLIC_URL": "https://x.example/path" } }', "an address without a path"],
    ['{ "vars": { "PUBLIC_URL": "http://x.example" } }', "begins with https"],
    ['{ "vars": { "PUBLIC_URL": "https://x.example@y.example" } }', "begins with https"],
  ])("is told: %s", async (text, problem) => {
    writeFileSync(lab.file, text);
    expect(await stopped()).toContain(problem);
    expect(lab.calls).toEqual([]);
  });
});
