/**
 * The service with one instance of an example, in virtual time: a run takes as long as its work, whatever it waits for.
 * Requests to clouds go to a fake. The runner can be killed before and after the effect of each of them.
 */
import { setTimeout as realTime } from "node:timers/promises";
import { app } from "#app.ts";
import type { Bindings } from "#kernel/bindings.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import { sessions } from "#providers/rest/requests/session.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { plainWorld } from "../kinds.ts";
import { Platform } from "../platform.ts";
import { Random } from "../random.ts";
import { classes, OPERATOR_KEY, settings } from "../service.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import { migratedSqlite, type Sqlite } from "../sqlite.ts";
import { VirtualTime } from "../virtual-time.ts";
import { consume, sweep } from "../workers.ts";
import type { LivedCloud } from "./lived-clouds.ts";

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 5, 1);
/** The longest run. */
const RUN_MS = 12 * 60 * MINUTE_MS;
/** A kill follows at most so many requests after the one before it. */
const MAX_REQUESTS = 12;

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
  #instanceId = "";
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
    const targetId = await make("/cloud/targets", {
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
      targetId,
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

  /** The operation until it has ended, killed so often. */
  async run(operation: "deploy" | "destroy", kills = 0): Promise<Ended> {
    const began = this.#time.nowMs;
    const { status, body } = await this.#ask("POST", `/instances/${this.#instanceId}/${operation}`);
    if (status !== 202) throw new Error(JSON.stringify(body));
    this.#killsLeft = kills;
    this.#untilKill = this.#random.below(MAX_REQUESTS);
    const id = body.id as string;
    const isOver = (): boolean =>
      this.#d1.rows(
        "SELECT id FROM deployments WHERE id = ? AND state NOT IN ('QUEUED', 'PLANNING', 'APPLYING', 'CANCELING')",
        [id],
      ).length > 0;
    await this.#time.passUntil(began + RUN_MS, isOver);
    this.#killsLeft = 0;
    const { body: ended } = await this.#ask("GET", `/deployments/${id}`);
    return {
      id,
      state: ended.state as string,
      error: ended.error as JsonMap | null,
      log: await this.#logOf(id),
      minutes: Math.round((this.#time.nowMs - began) / MINUTE_MS),
    };
  }

  /** The ids of what the instance has. */
  async known(): Promise<string[]> {
    const { status, body } = await this.#ask("GET", `/instances/${this.#instanceId}/resources`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    const resources = body.data as { id: string | null; state: string }[];
    return resources.flatMap(({ id, state }) => (state === "LOST" || !id ? [] : [id]));
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
    // The first request of a kind loads modules, which takes no virtual time.
    for (let tries = 0; !isAnswered() && tries < 500; tries += 1) {
      await realTime(10);
      await this.#time.passUntil(this.#time.nowMs);
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
