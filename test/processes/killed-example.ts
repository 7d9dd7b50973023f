/** An example at a fake cloud, by a service with state of its own that is killed with -9 in the middle of its runs. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Client, Deployment, Named, Resource } from "../../scripts/client/client.ts";
import { setUpTenant, type Tenant } from "../../scripts/client/tenant-setup.ts";
import { type ServedCloud, serveFakeCloud } from "../../scripts/clouds/serve-fake-cloud.ts";
import { projectRoot } from "../../scripts/files/project-root.ts";
import { type Receiver, startReceiver } from "../../scripts/receiver/receiver.ts";
import { Random } from "../simulation/random.ts";
import { testSeed } from "../support/depth.ts";
import { localService } from "./local-service.ts";
import { pause } from "./pause.ts";
import {
  cleanUp,
  killTree,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from "./service-process.ts";
import { untilEnded } from "./until-ended.ts";

const LATENCY_MS = 30;
/** A create whose request may still be on its way is looked for during a minute. */
const ENDS_WITHIN_MS = 240_000;
/** A kill follows at most so many changes after the one before it. */
const MAX_CHANGES = 3;
/** Runs that end `cannot_tell` about a lost object are deployed again, at most so often. */
const MAX_RUNS = 6;

interface KilledCloud {
  provider: string;
  region: string;
  fetch: (request: Request) => Promise<Response>;
  /** Its hosts by their names, each served below a path; absent: it has one. */
  hosts?: Readonly<Record<string, unknown>> | undefined;
  /** Has `changed` called after each change, before it is answered. */
  watch: (changed: () => void) => void;
  /**
   * Removes, as a person would, what has none of these ids: where nothing proves whose an object is, a kill in its
   * create ends the run with `cannot_tell`. Absent: no run may end so.
   */
  removeOthers?: (known: ReadonlySet<string>) => void;
  /** What the environment of the next start has that the one before had not. */
  beforeRestart?: (environment: Record<string, string>) => void | Promise<void>;
}

export class KilledExample {
  readonly #cloud: KilledCloud;
  readonly #directory: string;
  readonly #served: ServedCloud;
  readonly #random = new Random(testSeed);
  readonly environment: Record<string, string>;
  readonly receiver: Receiver;
  #service: ServiceProcess | undefined;
  #tenant: Tenant | undefined;
  #ended = "";
  instanceId = "";

  private constructor(
    cloud: KilledCloud,
    place: { directory: string; served: ServedCloud; receiver: Receiver },
    environment: Record<string, string>,
  ) {
    this.#cloud = cloud;
    this.#directory = place.directory;
    this.#served = place.served;
    this.receiver = place.receiver;
    this.environment = environment;
  }

  /** With a tenant, and with `variables` in the environment of each start. */
  static async start(
    cloud: KilledCloud,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<KilledExample> {
    const directory = await temporaryDirectory();
    const receiver = await startReceiver();
    const served = await serveFakeCloud(cloud.fetch, { latencyMs: LATENCY_MS });
    const { url } = served;
    const endpoints =
      cloud.hosts === undefined
        ? url
        : Object.fromEntries(Object.keys(cloud.hosts).map((host) => [host, `${url}/${host}`]));
    const environment = await localService(directory, { [cloud.provider]: endpoints });
    const place = { directory, served, receiver };
    const example = new KilledExample(cloud, place, { ...environment, ...variables });
    const service = await startService(example.environment);
    example.#service = service;
    example.#tenant = await setUpTenant(service.address, service.operatorKey, receiver);
    return example;
  }

  async close(): Promise<void> {
    await cleanUp(this.#directory);
    await this.receiver.close();
    await this.#served.close();
  }

  get client(): Client {
    return this.tenant.client;
  }

  get tenant(): Tenant {
    if (this.#tenant === undefined) throw new Error("The service has not been started.");
    return this.#tenant;
  }

  get address(): string {
    return this.#running().address;
  }

  /** What the service has printed, by all its processes. */
  printed(): string {
    return this.#ended + this.#running().output();
  }

  #running(): ServiceProcess {
    if (this.#service === undefined) throw new Error("The service has not been started.");
    return this.#service;
  }

  async #restart(): Promise<void> {
    const service = this.#running();
    await killTree(service.pid);
    await service.exited;
    this.#ended += service.output();
    await this.#cloud.beforeRestart?.(this.environment);
    this.#service = await startService(this.environment);
  }

  /** The credential as a secret of the service, which takes another start. Returns the reference to it. */
  async storeCredential(credential: string): Promise<string> {
    const owner = this.tenant.tenantId.replaceAll("-", "").toUpperCase();
    const name = `TARGET_${owner}_${this.#cloud.provider.toUpperCase()}`;
    this.environment[name] = credential;
    await this.#restart();
    return `env://${name}`;
  }

  async addTarget<Target extends Named>(signIn: {
    credentialRef?: string;
    config: object;
  }): Promise<Target> {
    const { provider, region } = this.#cloud;
    return this.client.post<Target>("/cloud/targets", {
      provider,
      name: "shop",
      environment: "sandbox",
      ...signIn,
      allowedRegions: [region],
      defaultRegion: region,
    });
  }

  /** An instance of `examples/<example>.yaml`. */
  async instantiate(
    example: string,
    targetId: string,
    variables: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const source = await readFile(path.join(projectRoot, `examples/${example}.yaml`), "utf8");
    const template = await this.client.post<Named>("/templates", { name: example, source });
    const instance = await this.client.post<Named>("/instances", {
      name: "shop",
      templateId: template.id,
      targetId,
      variables,
    });
    this.instanceId = instance.id;
  }

  async setVariables(variables: Readonly<Record<string, unknown>>): Promise<void> {
    await this.client.patch(`/instances/${this.instanceId}`, { variables });
  }

  /** The operation, killed so often in its first run, until it succeeds. */
  async toSuccess(operation: "deploy" | "destroy", kills: number): Promise<Deployment> {
    const { removeOthers } = this.#cloud;
    const told: string[] = [];
    for (let run = 1; run <= (removeOthers === undefined ? 1 : MAX_RUNS); run += 1) {
      const path = `/instances/${this.instanceId}/${operation}`;
      const { id } = await this.client.post<Deployment>(path);
      const ended = await this.#withKills(run === 1 ? kills : 0, this.#untilEnded(id));
      if (ended.state === "SUCCEEDED") return ended;
      told.push(JSON.stringify(ended.error));
      if (ended.error?.code !== "cannot_tell") break;
      removeOthers?.(await this.#known());
    }
    throw new Error(`The runs do not succeed: ${told.join("\n")}`);
  }

  async #untilEnded(id: string): Promise<Deployment> {
    const until = performance.now() + ENDS_WITHIN_MS;
    for (;;) {
      try {
        return await untilEnded(this.client, id, until - performance.now());
      } catch (error) {
        // The service is killed, and starts again.
        if (!(error instanceof TypeError) || performance.now() > until) throw error;
      }
      await pause(200);
    }
  }

  /** Kills the service after some of the run's changes, each time before the cloud has answered. */
  async #withKills(kills: number, run: Promise<Deployment>): Promise<Deployment> {
    const seen = { end: false };
    const over = run.finally(() => {
      seen.end = true;
    });
    for (let kill = 0; kill < kills && !seen.end; kill += 1) {
      const moment = Promise.withResolvers<void>();
      let left = 1 + this.#random.below(MAX_CHANGES);
      this.#cloud.watch(() => {
        left -= 1;
        if (left === 0) moment.resolve();
      });
      await Promise.race([moment.promise, over]);
      if (!seen.end) await this.#restart();
    }
    this.#cloud.watch(() => {});
    return over;
  }

  /** The ids of what the instance has. */
  async #known(): Promise<Set<string>> {
    const { data } = await this.client.get<{ data: (Resource & { state: string })[] }>(
      `/instances/${this.instanceId}/resources`,
    );
    return new Set(data.flatMap(({ id, state }) => (state === "LOST" ? [] : [id])));
  }

  /** All that the service tells of the instance and its deployments, as one text. */
  async told(): Promise<string> {
    const { client, instanceId } = this;
    const { data } = await client.get<{ data: Named[] }>(`/deployments?instanceId=${instanceId}`);
    const told = await Promise.all([
      client.get(`/instances/${instanceId}`),
      client.get(`/instances/${instanceId}/resources`),
      ...data.flatMap(({ id }) => [
        client.get(`/deployments/${id}`),
        client.get(`/deployments/${id}/log`),
      ]),
    ]);
    return JSON.stringify(told);
  }
}
