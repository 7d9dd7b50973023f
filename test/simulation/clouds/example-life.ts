/**
 * The service with one instance of an example, in virtual time: a run takes as long as its work, whatever it waits for.
 * Requests to clouds go to a fake. The runner can be killed before and after the effect of each of them.
 */
import { setTimeout as realTime } from "node:timers/promises";
import { app } from "#app.ts";
import type { Bindings } from "#kernel/bindings.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import { sessions } from "#providers/rest/requests/session.ts";
import { withoutVersion } from "#providers/type-name.ts";
import { claimProblems } from "#test/invariants/claims.ts";
import { historyProblems } from "#test/invariants/histories.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { columnsWithSecrets } from "../canaries.ts";
import { CrashPoints } from "../crash-points.ts";
import { eventsOf } from "../histories.ts";
import { plainWorld } from "../kinds.ts";
import { Platform } from "../platform.ts";
import { Random } from "../random.ts";
import { classes, OPERATOR_KEY, settings } from "../service.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import { migratedSqlite, type Sqlite } from "../sqlite.ts";
import { parsed } from "../stored.ts";
import { VirtualTime } from "../virtual-time.ts";
import { fine } from "../weather.ts";
import { consume, sweep } from "../workers.ts";
import type { KnownObject, LivedCloud } from "./lived-clouds.ts";

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 5, 1);
/** The longest run. */
const RUN_MS = 12 * 60 * MINUTE_MS;
/** A kill follows at most so many requests after the one before it. */
const MAX_REQUESTS = 12;
/** A death follows at most so many commits after the one before it. A new life needs some to find out where it is. */
const MAX_COMMITS = 10;
const MAX_DEATHS = 200;
/** A runner that died at a commit is woken so soon. By its lease it would resume half a minute later. */
const WAKE_MS = 500;

/** What befalls the runner in a run. */
export interface Trouble {
  /** It is killed so often in calls to the cloud. */
  kills?: number;
  /** It dies again and again, on this side of a commit. */
  diesAt?: "before" | "after";
  /** The share of the round trips to D1 that are lost, from 0 to 1. Half of them take effect. */
  lostTrips?: number;
}

export interface Ended {
  id: string;
  state: string;
  error: JsonMap | null;
  log: readonly string[];
  minutes: number;
}

interface Answered {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- an answer's shape is what each check asserts
  body: any;
}

export class ExampleLife {
  readonly #time = new VirtualTime(START_MS);
  readonly #random: Random;
  readonly #platform: Platform;
  readonly #d1: Sqlite;
  readonly #undo: () => void;
  readonly #cloud: LivedCloud;
  readonly #crashPoints: CrashPoints;
  #instanceId = "";
  #targetId = "";
  #killsLeft = 0;
  #untilKill = 0;

  private constructor(cloud: LivedCloud, seed: number) {
    this.#cloud = cloud;
    this.#random = new Random(seed);
    this.#d1 = migratedSqlite(() => this.#random);
    this.#platform = new Platform({
      time: this.#time,
      random: this.#random,
      classes,
      d1: this.#d1,
      settings: {
        ...settings,
        ASSETS: builtAssets as Bindings["ASSETS"],
      },
    });
    this.#crashPoints = new CrashPoints(this.#platform);
    this.#platform.queues.consume = (queue, body, attempt) =>
      consume({ queue, body, attempt }, this.#platform.env);
    this.#undo = this.#time.install(this.#random, (request) => this.#toCloud(request));
    this.#sweepEachMinute();
  }

  /** Call `end` afterwards. */
  static async begin(provider: string, cloud: LivedCloud, seed: number): Promise<ExampleLife> {
    sessions.clear();
    const life = new ExampleLife(cloud, seed);
    try {
      await life.#register(provider);
    } catch (error) {
      life.end();
      throw error;
    }
    return life;
  }

  async #register(provider: string): Promise<void> {
    const { source, region, config, variables, credential } = this.#cloud;
    const make = async (path: string, body: Json): Promise<string> => {
      const { status, body: made } = await this.#ask("POST", path, body);
      if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(made)}`);
      return made.id as string;
    };
    const tenantId = await make("/tenants", { name: "Shop", slug: "shop" });
    const variable = `TARGET_${tenantId.replaceAll("-", "").toUpperCase()}_LIVED`;
    this.#platform.release({ [variable]: credential });
    this.#targetId = await make("/cloud/targets", {
      provider,
      name: provider,
      config,
      credentialRef: `env://${variable}`,
      allowedRegions: ["*"],
      defaultRegion: region,
      tenantId,
    });
    const templateId = await make("/templates", { name: "example", source, tenantId });
    this.#instanceId = await make("/instances", {
      name: "shop",
      templateId,
      targetId: this.#targetId,
      variables,
      tenantId,
    });
  }

  end(): void {
    this.#undo();
    this.#platform.close();
  }

  async set(variables: JsonMap): Promise<void> {
    const { status, body } = await this.#ask("PATCH", `/instances/${this.#instanceId}`, {
      variables,
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }

  /** The number of the runner's deaths at commits. */
  get deaths(): number {
    return this.#crashPoints.deaths;
  }

  /** The operation until it has ended. */
  async run(operation: "deploy" | "destroy", trouble: Trouble = {}): Promise<Ended> {
    const began = this.#time.nowMs;
    const { status, body } = await this.#ask("POST", `/instances/${this.#instanceId}/${operation}`);
    if (status !== 202) throw new Error(JSON.stringify(body));
    const id = body.id as string;
    const isOver = (): boolean =>
      this.#d1.rows(
        "SELECT id FROM deployments WHERE id = ? AND state NOT IN ('QUEUED', 'PLANNING', 'APPLYING', 'CANCELING')",
        [id],
      ).length > 0;
    const endTrouble = this.#trouble(trouble);
    await this.#time.passUntil(began + RUN_MS, isOver);
    endTrouble();
    const { body: ended } = await this.#ask("GET", `/deployments/${id}`);
    return {
      id,
      state: ended.state as string,
      error: ended.error as JsonMap | null,
      log: await this.#logOf(id),
      minutes: Math.round((this.#time.nowMs - began) / MINUTE_MS),
    };
  }

  /** Returns a function that ends it. */
  #trouble({ kills = 0, diesAt, lostTrips = 0 }: Trouble): () => void {
    this.#killsLeft = kills;
    this.#untilKill = this.#random.below(MAX_REQUESTS);
    this.#platform.weather = { ...fine, d1: lostTrips };
    if (diesAt !== undefined) {
      const commits = Array.from({ length: MAX_DEATHS }, () => 1 + this.#random.below(MAX_COMMITS));
      this.#crashPoints.plan(this.#runner, diesAt, commits);
    }
    let isOver = diesAt === undefined;
    const wakeAgain = (): void => {
      if (isOver) return;
      if (this.#runner.life === undefined)
        void this.#platform.wake(this.#runner).instance["wake"]?.();
      this.#time.after(WAKE_MS, wakeAgain);
    };
    wakeAgain();
    return () => {
      isOver = true;
      this.#killsLeft = 0;
      this.#platform.weather = fine;
      this.#crashPoints.clear();
    };
  }

  /** What is wrong at rest: stories of deployments, claims at the gate, stored texts of secrets. */
  async problems(): Promise<string[]> {
    // The last runs are projected, and their claims given back.
    await this.#time.passUntil(this.#time.nowMs + 2 * MINUTE_MS);
    const rows = this.#d1.rows("SELECT id, operation, state, version, timestamps FROM deployments");
    const stories = rows.flatMap((row) => {
      const deployment = row as unknown as { id: string; operation: string; state: string };
      const states = Object.keys(parsed(row["timestamps"]));
      return historyProblems({ ...deployment, states }, eventsOf(this.#d1, deployment.id));
    });
    const claims = this.#platform
      .object("TARGET_GATE", this.#targetId)
      .storage.rows("SELECT type, object_id AS id FROM claims");
    const keys = (objects: readonly { type?: unknown; id?: unknown }[]): string[] =>
      objects.map(({ type, id }) => `${withoutVersion(String(type))} ${String(id)}`);
    const databases = [
      this.#d1,
      ...[...this.#platform.objects.values()].map(({ storage }) => storage),
    ];
    const secrets = secretsOf(this.#cloud);
    if (secrets.length === 0) throw new Error("The cloud has no secrets to look for");
    return [
      ...stories,
      ...claimProblems(this.#instanceId, keys(claims), keys(await this.known())),
      ...databases.flatMap((one) => columnsWithSecrets(one, secrets)),
    ];
  }

  /** What the instance has. */
  async known(): Promise<KnownObject[]> {
    return (await this.#resources()).flatMap(({ type, id, state }) =>
      state === "LOST" || !id ? [] : [{ type, id }],
    );
  }

  async #resources(): Promise<{ type: string; id: string | null; state: string }[]> {
    const { status, body } = await this.#ask("GET", `/instances/${this.#instanceId}/resources`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.data;
  }

  async #logOf(id: string): Promise<string[]> {
    const messages: string[] = [];
    for (let cursor = ""; ;) {
      const { body } = await this.#ask("GET", `/deployments/${id}/log?limit=100${cursor}`);
      messages.push(...(body.data as { message: string }[]).map(({ message }) => message));
      if (body.nextCursor === null) return messages;
      cursor = `&cursor=${String(body.nextCursor)}`;
    }
  }

  async #ask(method: string, path: string, body?: Json): Promise<Answered> {
    const request = new Request(`https://control.test/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${OPERATOR_KEY}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const context = {
      waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined),
      passThroughOnException: () => undefined,
    } as unknown as ExecutionContext;
    const answers: Response[] = [];
    void Promise.resolve(app.fetch(request, this.#platform.env, context)).then((response) =>
      answers.push(response),
    );
    const isAnswered = () => answers.length > 0;
    await this.#time.passUntil(this.#time.nowMs + 20 * MINUTE_MS, isAnswered);
    // The first request of a kind loads modules, which takes no virtual time. What follows may take some.
    for (let tries = 0; !isAnswered() && tries < 500; tries += 1) {
      await realTime(10);
      await this.#time.passUntil(this.#time.nowMs + 10, isAnswered);
    }
    const [answer] = answers;
    if (answer === undefined) throw new Error(`${method} ${path} was never answered`);
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
  }

  /** A dead runner gets no answer; its request may have arrived. */
  async #toCloud(request: Request): Promise<Response> {
    await this.#time.wait(5 + this.#random.below(80));
    const kills = this.#killsLeft > 0 && this.#untilKill-- <= 0;
    if (!kills) return this.#cloud.fetch(request);
    this.#killsLeft -= 1;
    this.#untilKill = this.#random.below(MAX_REQUESTS);
    if (this.#random.chance(0.7)) await this.#cloud.fetch(request);
    this.#platform.crash(this.#runner);
    return new Promise(() => undefined);
  }

  get #runner(): SimulatedObject {
    return this.#platform.object("INSTANCE_RUNNER", this.#instanceId);
  }

  #sweepEachMinute(): void {
    this.#time.after(MINUTE_MS, () => {
      this.#sweepEachMinute();
      sweep(this.#platform.env, plainWorld);
    });
  }
}

/** The texts that only the cloud may have: the variables that are marked so, and what is secret in the credential. */
function secretsOf({ variables, credential }: LivedCloud): string[] {
  const marked = Object.entries(variables).filter(
    ([, value]) => typeof value === "string" && value.startsWith("canary-"),
  );
  const parts = credential.startsWith("{")
    ? Object.entries(parsed(credential)).filter(([name]) => /secret|private_?key$/i.test(name))
    : [["credential", credential]];
  return [...marked, ...parts].map(([, value]) => String(value));
}
