/**
 * The simulated platform: Durable Objects that start, die and restart, the calls between them, alarms, D1 and queues.
 * Every operation takes some virtual time, so that operations interleave. `Weather` sets how often operations fail; a
 * failed one may have taken effect. A dead object never continues: its storage throws and its calls have no effect.
 */
import type { Bindings } from "#kernel/bindings.ts";
import { withClock } from "./clocks.ts";
import { Queues } from "./queues.ts";
import type { Random } from "./random.ts";
import {
  type Asker,
  type Life,
  type Methods,
  type ObjectKind,
  SimulatedObject,
} from "./simulated-object.ts";
import { d1Over, type Route, Sqlite, sqlStorageOver } from "./sqlite.ts";
import type { VirtualTime } from "./virtual-time.ts";
import { fine, type Weather } from "./weather.ts";

export type Classes = Record<ObjectKind, new (ctx: never, env: never) => object>;

const forEver = new Promise<never>(() => undefined);

export interface CloudCall {
  targetId: string;
  request: Request;
  asker: SimulatedObject | undefined;
  /** Delivers the request to the cloud. */
  arrive: (request: Request) => Promise<Response>;
}

export class Platform {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly objects = new Map<string, SimulatedObject>();
  /** The bindings of the Workers. */
  env: Bindings;
  readonly queues: Queues;
  readonly #classes: Classes;
  readonly #d1: Sqlite;
  #settings: Partial<Bindings>;
  weather: Weather = fine;
  /** Until then D1 answers nothing. */
  d1AwayUntilMs = 0;
  /** The clock of a new object. */
  offsetMs: (kind: ObjectKind) => number = () => 0;
  /** How the network to the cloud handles a call. */
  cloudNetwork: (call: CloudCall) => Promise<Response> = ({ request, arrive }) => arrive(request);
  /** Called after each call (`method`, `args`) and each alarm of an object. */
  afterTurn: (object: SimulatedObject, method?: string, args?: readonly unknown[]) => void = () =>
    undefined;
  /** Called after each transaction of an object, and with none after each operation of D1. */
  afterCommit: (object?: SimulatedObject) => void = () => undefined;
  /** Called when an object starts a life. */
  born: (object: SimulatedObject, instance: object) => void = () => undefined;

  constructor(parts: {
    time: VirtualTime;
    random: Random;
    classes: Classes;
    d1: Sqlite;
    settings: Partial<Bindings>;
  }) {
    this.time = parts.time;
    this.random = parts.random;
    this.#classes = parts.classes;
    this.#d1 = parts.d1;
    this.#settings = parts.settings;
    this.queues = new Queues({ ...parts, failing: () => this.weather.queue });
    this.env = this.#envOf({ alive: true });
  }

  /** Puts these settings into force, as a release does: every object starts again. */
  release(settings: Partial<Bindings>): void {
    this.#settings = { ...this.#settings, ...settings };
    this.env = this.#envOf({ alive: true });
    for (const object of this.objects.values()) this.crash(object);
  }

  object(kind: ObjectKind, name: string): SimulatedObject {
    const key = `${kind} ${name}`;
    let object = this.objects.get(key);
    if (object === undefined) {
      object = new SimulatedObject(kind, name, new Sqlite(() => this.random), this.offsetMs(kind));
      this.objects.set(key, object);
    }
    return object;
  }

  /** Kills the object: it loses its memory and its pending work. */
  crash(object: SimulatedObject): void {
    const { life } = object;
    if (life === undefined) return;
    object.life = undefined;
    life.alive = false;
    for (const reject of life.waiting) reject();
    if (!object.alarmRuns) return;
    object.alarmRuns = false;
    // An alarm during which its object died may run again, or may be lost.
    if (object.alarmAtMs === null) {
      if (this.random.chance(0.5)) this.#setAlarm(object, this.#nowOf(object) + 2_000);
      else object.alarmLost = true;
    } else this.#setAlarm(object, object.alarmAtMs);
  }

  close(): void {
    for (const object of this.objects.values()) object.storage.close();
  }

  /** The current life of the object; starts one if there is none. */
  wake(object: SimulatedObject): Life {
    if (object.life !== undefined) return object.life;
    const life: Life = {
      alive: true,
      instance: {},
      ready: Promise.resolve(),
      waiting: new Set(),
    };
    object.life = life;
    object.alarmLost = false;
    const context = this.#contextOf(object, life);
    life.instance = withClock(
      object,
      () =>
        new this.#classes[object.kind](
          context as never,
          this.#envOf(life, object) as never,
        ) as Methods,
    );
    this.born(object, life.instance);
    return life;
  }

  #contextOf(object: SimulatedObject, life: Life) {
    const requireAlive = () => {
      if (!life.alive) throw new Error("The object is dead: it cannot read or write");
    };
    const ifAlive = <T>(work: () => T): Promise<T> =>
      life.alive ? Promise.resolve(work()) : forEver;
    return {
      id: { name: object.name, toString: () => object.name },
      waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined),
      blockConcurrencyWhile: (work: () => Promise<unknown>) => {
        const done = work();
        life.ready = Promise.all([life.ready, done]);
        return done;
      },
      abort: () => this.crash(object),
      storage: {
        sql: sqlStorageOver(object.storage, requireAlive),
        transactionSync: <T>(work: () => T): T => {
          requireAlive();
          const result = object.storage.atomically(work);
          this.afterCommit(object);
          return result;
        },
        sync: async () => {
          await this.time.wait(this.#moment(2));
          return ifAlive(() => undefined);
        },
        getAlarm: () => ifAlive(() => object.alarmAtMs),
        setAlarm: (atMs: number | Date) => ifAlive(() => this.#setAlarm(object, Number(atMs))),
        deleteAlarm: () => ifAlive(() => void (object.alarmAtMs = null)),
      },
    };
  }

  #setAlarm(object: SimulatedObject, atMs: number): void {
    object.alarmAtMs = atMs;
    object.alarmLost = false;
    if (object.alarmRuns) return;
    this.time.after(atMs - this.#nowOf(object), () => void this.#runAlarm(object, atMs));
  }

  #nowOf(object: SimulatedObject): number {
    return this.time.nowMs + object.offsetMs;
  }

  async #runAlarm(object: SimulatedObject, atMs: number): Promise<void> {
    if (object.alarmAtMs !== atMs || object.alarmRuns) return;
    object.alarmAtMs = null;
    if (this.random.chance(this.weather.alarms)) {
      object.alarmLost = true;
      return;
    }
    const life = this.wake(object);
    object.alarmRuns = true;
    let failed = false;
    try {
      await life.ready;
      await withClock(object, () => life.instance["alarm"]?.());
    } catch {
      failed = true;
    }
    if (!life.alive) return;
    object.alarmRuns = false;
    if (object.alarmAtMs !== null) this.#setAlarm(object, object.alarmAtMs);
    else if (failed) this.#setAlarm(object, this.#nowOf(object) + 2_000);
    this.afterTurn(object);
  }

  #moment(most = 12): number {
    return this.random.below(most);
  }

  #envOf(asker: Asker, from?: SimulatedObject): Bindings {
    const namespace = (kind: ObjectKind) => ({
      idFromName: (name: string) => name,
      get: (name: string) => this.#stub(asker, from, kind, name),
    });
    const queue = (name: string) => ({
      send: (body: unknown) => this.#send(asker, name, [{ body }]),
      sendBatch: (messages: { body: unknown; delaySeconds?: number }[]) =>
        this.#send(asker, name, messages),
    });
    return {
      ...this.#settings,
      DB: d1Over(this.#d1, this.#route(asker)),
      INSTANCE_RUNNER: namespace("INSTANCE_RUNNER"),
      TARGET_GATE: namespace("TARGET_GATE"),
      MOCK_CLOUD: namespace("MOCK_CLOUD"),
      QUOTA_COUNTER: namespace("QUOTA_COUNTER"),
      DEPLOYMENTS_QUEUE: queue("control-deployments"),
      TRIGGERS_QUEUE: queue("control-triggers"),
      WEBHOOKS_QUEUE: queue("control-webhooks"),
      WEBHOOKS_SLOW_QUEUE: queue("control-webhooks-slow"),
    } as unknown as Bindings;
  }

  /** Delays every operation of D1; a failing one may have taken effect. */
  #route(asker: Asker): Route {
    return (work) => {
      if (!asker.alive) return forEver;
      return new Promise((resolve, reject) => {
        this.time.after(this.#moment(), () => {
          const away = this.time.nowMs < this.d1AwayUntilMs;
          const fails = away || this.random.chance(this.weather.d1);
          const tookEffect = !fails || (!away && this.random.chance(0.5));
          let answer = () => reject(new Error("D1_ERROR: Network connection lost."));
          if (tookEffect)
            try {
              const result = work();
              this.afterCommit();
              if (!fails) answer = () => resolve(result);
            } catch (error) {
              if (!fails) answer = () => reject(error);
            }
          this.time.after(this.#moment(), () => {
            if (asker.alive) answer();
          });
        });
      });
    };
  }

  #stub(asker: Asker, from: SimulatedObject | undefined, kind: ObjectKind, name: string): unknown {
    const object = () => this.object(kind, name);
    const arrive = (request: Request): Promise<Response> =>
      this.#call(asker, object(), "fetch", [request]) as Promise<Response>;
    return new Proxy(
      {},
      {
        get: (_, method) => {
          // A stub must not look like a promise.
          if (typeof method !== "string" || method === "then") return undefined;
          if (method === "fetch")
            return (request: Request) =>
              asker.alive
                ? this.cloudNetwork({ targetId: name, request, asker: from, arrive }).then(
                    (answer) => (asker.alive ? answer : forEver),
                  )
                : forEver;
          return (...args: unknown[]) => {
            if (!asker.alive) return forEver;
            if (!this.random.chance(this.weather.calls))
              return this.#call(asker, object(), method, structuredClone(args));
            const lost = new Error("Network connection lost.");
            const work = this.random.chance(0.5)
              ? this.#call(asker, object(), method, structuredClone(args)).catch(() => undefined)
              : this.time.wait(this.#moment());
            return work.then(() => {
              throw lost;
            });
          };
        },
      },
    );
  }

  #call(asker: Asker, object: SimulatedObject, method: string, args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const respond = (answer: () => void) =>
        void this.time.after(this.#moment(4), () => {
          if (asker.alive) answer();
        });
      this.time.after(this.#moment(6), () => {
        const life = this.wake(object);
        const died = () =>
          respond(() => reject(new Error("Durable Object reset: it died before it answered.")));
        life.waiting.add(died);
        const ended = (answer: () => void) => {
          if (!life.waiting.delete(died) || !life.alive) return;
          this.afterTurn(object, method, args);
          respond(answer);
        };
        const answered = async (): Promise<void> => {
          try {
            await life.ready;
            const result = await withClock(object, () => life.instance[method]?.(...args));
            const copy = result instanceof Response ? result : structuredClone(result);
            ended(() => resolve(copy));
          } catch (error) {
            ended(() => reject(error));
          }
        };
        void answered();
      });
    });
  }

  async #send(
    asker: Asker,
    queue: string,
    messages: readonly { body: unknown; delaySeconds?: number }[],
  ): Promise<void> {
    if (!asker.alive) return forEver;
    await this.queues.send(queue, messages);
    if (!asker.alive) return forEver;
    return undefined;
  }
}
