/** A checkout, an account and its service, for a test of a deploy. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { projectRoot } from "../../files/project-root.ts";
import { deployInstallation, type DeployOptions } from "../deploy-installation.ts";
import type { RunWrangler, WranglerCall } from "../wrangler-program.ts";
import { answerOf, newAccount, type StandInAccount } from "./account.ts";

/** A deploy ends as if its machine lost power. */
export class PowerFailure extends Error {}

interface Run {
  options?: Partial<DeployOptions>;
  dryRun?: boolean;
  answer?: boolean;
  /** Before the n-th command, the first being 1: the command does not happen. */
  before?: (nth: number, call: WranglerCall) => void;
  /** After the n-th command. */
  after?: (nth: number, call: WranglerCall) => void;
}

export class InstallationLab {
  readonly root = mkdtempSync(path.join(tmpdir(), "control-api-installation-"));
  readonly account: StandInAccount = newAccount();
  /** Of the newest run. */
  calls: WranglerCall[] = [];
  lines: string[] = [];
  asked = 0;
  /** The fault of the version that answers. */
  broken: string | undefined;

  constructor() {
    for (const name of ["wrangler.toml", "package.json", "migrations"])
      cpSync(path.join(projectRoot, name), path.join(this.root, name), {
        recursive: true,
        filter: (source) => path.basename(source) !== "meta",
      });
  }

  get file(): string {
    return path.join(this.root, "installation.jsonc");
  }

  get output(): string {
    return this.lines.join("\n");
  }

  get commands(): string[] {
    return this.calls.map(({ args }) => args.join(" "));
  }

  text(name: string): string {
    return readFileSync(path.join(this.root, name), "utf8");
  }

  /** The secrets of an earlier run: making new ones takes a tenth of a second. */
  haveSecrets(): void {
    const kept = { BOOTSTRAP_API_KEY: "key", SEALING_KEYS: "k1:ring", IDENTITY_KEYS: "identity" };
    writeFileSync(path.join(this.root, "installation.secrets.json"), JSON.stringify(kept));
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Wrangler, without a process. */
  readonly run: RunWrangler = async (call) => answerOf(this.account, this.root, call);

  async deploy({ options, dryRun = false, answer = true, before, after }: Run = {}): Promise<void> {
    this.calls = [];
    this.lines = [];
    this.asked = 0;
    await deployInstallation(
      {
        root: this.root,
        file: this.file,
        address: undefined,
        account: undefined,
        databasePlace: [],
        operatorKey: undefined,
        ...options,
      },
      {
        run: async (call) => {
          const nth = this.calls.push(call);
          before?.(nth, call);
          const result = await this.run(call);
          after?.(nth, call);
          for (const line of result.stdout.split("\n")) call.onLine?.(line);
          return result;
        },
        useAccount: () => undefined,
        show: (line) => this.lines.push(line),
        ask: async () => {
          this.asked += 1;
          return answer;
        },
        dryRun,
        fetch: async (url, init) => this.#serve(new Request(url, init)),
        pause: async () => undefined,
      },
    );
  }

  /** The account's contents, without ids that differ from run to run. */
  get state(): unknown {
    const { databases, queues, workers, domains } = this.account;
    return {
      databases: databases.map(({ name, applied }) => ({ name, applied })),
      queues,
      domains,
      workers: Object.entries(workers)
        .map(([name, { versions, active, secrets }]) => ({
          name,
          secrets: Object.keys(secrets).sort(),
          answering: versions.find(({ id }) => id === active),
        }))
        .map(({ answering, ...worker }) => ({
          ...worker,
          tag: answering?.tag,
          vars: answering?.vars,
        })),
    };
  }

  /** The service, as far as a deploy asks it. */
  #serve(request: Request): Response {
    const { host, pathname } = new URL(request.url);
    const name = this.account.domains[host] ?? /^([^.]+)\.acme\.workers\.dev$/.exec(host)?.[1];
    const worker = this.account.workers[name ?? ""];
    const version = worker?.versions.find(({ id }) => id === worker.active);
    // A draft has no code, and a name without a Worker leads nowhere.
    if (worker === undefined || version === undefined || version.tag === "")
      throw new TypeError("fetch failed", { cause: new Error(`getaddrinfo ENOTFOUND ${host}`) });
    const [database] = this.account.databases;
    if (database === undefined || database.applied.length === 0 || !worker.secrets["SEALING_KEYS"])
      return Response.json({ code: "unavailable", detail: "not ready" }, { status: 503 });
    if (this.broken === version.tag)
      return Response.json({ code: "internal", detail: "It broke." }, { status: 500 });
    const key = request.headers.get("authorization")?.slice("Bearer ".length);
    const isOperator = key === worker.secrets["BOOTSTRAP_API_KEY"];
    if (pathname === "/api/v1/health")
      return Response.json({ status: "ok", ...(isOperator ? { version: version.tag } : {}) });
    return isOperator
      ? Response.json({ items: [] })
      : Response.json({ code: "unauthenticated", detail: "Unknown key." }, { status: 401 });
  }
}
