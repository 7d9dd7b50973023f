/** A client that works on one instance as a team does. The seed decides the order of its actions. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { clientOf } from "../client/client.ts";
import { type Answer, type Caller, Unanswered } from "./caller.ts";
import type { SoakInstance, SoakPlace, SoakTenant } from "./soak-tenants.ts";

const MAX_PAUSE_MS = 1_500;
const ENDS_WITHIN_MS = 90_000;
const POLL_MS = 700;
/** Everything above this size shows that a run was followed only in part, not that it does not end. */
const MAX_CANCEL_AFTER_MS = 1_500;
const open = new Set(["QUEUED", "PLANNING", "APPLYING", "CANCELING"]);

export class InstanceClient {
  readonly #place: SoakPlace;
  readonly #tenant: SoakTenant;
  readonly #instance: SoakInstance;
  readonly #until: AbortSignal;
  readonly #isOver: Promise<unknown>;
  #lastSucceeded: string | undefined;

  constructor(place: SoakPlace, tenant: SoakTenant, instance: SoakInstance, until: AbortSignal) {
    this.#place = place;
    this.#tenant = tenant;
    this.#instance = instance;
    this.#until = until;
    this.#isOver = once(until, "abort");
  }

  async work(): Promise<void> {
    const { random, book } = this.#place;
    while (!this.#until.aborted) {
      try {
        await this.#act();
      } catch (error) {
        if (!(error instanceof Unanswered)) book.wrongly(`A client failed: ${String(error)}`);
      }
      await wait(random.below(MAX_PAUSE_MS));
    }
  }

  async #act(): Promise<void> {
    const { random } = this.#place;
    const roll = random.next();
    if (roll < 0.3) await this.#changeVariables();
    if (roll < 0.6) return this.#run("deploy");
    if (roll < 0.7) return this.#run("plan");
    if (roll < 0.77) return this.#run("check-drift");
    if (roll < 0.85) return this.#run("destroy");
    if (roll < 0.92) return this.#rollBack();
    if (roll < 0.96) return this.#changeApproval();
    return this.#sendStaleVersion();
  }

  async #patch(body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.#tenant.admin.change({
      method: "PATCH",
      path: `/instances/${this.#instance.id}`,
      body,
      headers,
    });
  }

  async #changeVariables(): Promise<void> {
    const { random } = this.#place;
    const variables: Record<string, string> = { round: String(random.below(1_000)) };
    if (random.chance(0.2))
      variables["image"] =
        this.#instance.cloud === "digitalocean"
          ? random.chance(0.5)
            ? "debian-13-x64"
            : "ubuntu-24-04-x64"
          : random.chance(0.5)
            ? "debian-13"
            : "debian-14";
    const version =
      this.#instance.cloud !== "digitalocean" && random.chance(0.3)
        ? { templateVersion: 1 + random.below(2) }
        : {};
    const { status, body } = await this.#patch({ variables, ...version });
    this.#expect([200, 404, 409], status, "PATCH of an instance", body);
  }

  async #changeApproval(): Promise<void> {
    const approvalMode = this.#place.random.chance(0.5) ? "always" : "auto";
    const { status, body } = await this.#patch({ approvalMode });
    this.#expect([200, 404, 409], status, "PATCH of the approval mode", body);
  }

  async #sendStaleVersion(): Promise<void> {
    const { status, body } = await this.#patch(
      { variables: { round: "stale" } },
      { "if-match": '"stale"' },
    );
    this.#expect([412, 404], status, "PATCH with a stale version", body);
  }

  async #rollBack(): Promise<void> {
    if (this.#lastSucceeded === undefined) return;
    await this.#begin(`/deployments/${this.#lastSucceeded}/rollback`);
  }

  async #run(operation: string): Promise<void> {
    await this.#begin(`/instances/${this.#instance.id}/${operation}`, operation === "deploy");
  }

  async #begin(path: string, isDeploy = false): Promise<void> {
    const { book, random } = this.#place;
    const { status, body } = await this.#tenant.admin.change({
      method: "POST",
      path,
      body: { labels: { call: randomUUID() } },
    });
    if (status >= 300) {
      book.refusals += 1;
      this.#expect([400, 403, 404, 409], status, `POST ${path}`, body);
      return;
    }
    const id = String(body["id"]);
    book.runsStarted += 1;
    book.acknowledge({
      id,
      kind: "deployment",
      tenantId: this.#tenant.id,
      instanceId: this.#instance.id,
    });
    const following = random.chance(0.4) ? this.#follow(id) : Promise.resolve();
    if (random.chance(0.12)) {
      await wait(random.below(MAX_CANCEL_AFTER_MS));
      await this.#decide(this.#tenant.admin, id, "cancel");
    }
    const ended = await this.#untilEnded(id);
    // A plan that still waits is not approved any more, so its log may not go on.
    await Promise.race([following, this.#isOver]);
    if (ended === "SUCCEEDED" && isDeploy) this.#lastSucceeded = id;
  }

  /** Approves or discards a waiting plan. Returns the last known state. */
  async #untilEnded(id: string): Promise<string | undefined> {
    const { book, random } = this.#place;
    const until = performance.now() + ENDS_WITHIN_MS;
    while (performance.now() < until) {
      const { status, body } = await this.#tenant.viewer.get(`/deployments/${id}`);
      // A restore of D1 took it away.
      if (status === 404) return undefined;
      const state = String(body["state"]);
      if (state === "AWAITING_APPROVAL") {
        if (this.#until.aborted) return state;
        await this.#decide(this.#tenant.approver, id, random.chance(0.8) ? "approve" : "discard");
      } else if (!open.has(state)) {
        book.runsEnded += 1;
        return state;
      }
      if (this.#until.aborted) return state;
      await wait(POLL_MS);
    }
    return undefined;
  }

  async #decide(caller: Caller, id: string, what: "cancel" | "approve" | "discard"): Promise<void> {
    const { status, body } = await caller.change({
      method: "POST",
      path: `/deployments/${id}/${what}`,
    });
    this.#expect([200, 202, 404, 409], status, `The ${what} of ${id}`, body);
  }

  /** Reads the log as it is written, across kills. */
  async #follow(deploymentId: string): Promise<void> {
    const { address, book, canaries } = this.#place;
    const log = { deploymentId, seqs: [] as number[], ended: false };
    const window = book.lossWindow;
    const client = clientOf(address, this.#tenant.viewer.key);
    try {
      for await (const entry of client.followLog(deploymentId)) {
        log.seqs.push(entry.seq);
        canaries.look(`the log of ${deploymentId}`, JSON.stringify(entry));
        if (this.#until.aborted) return;
      }
      log.ended = true;
      if (book.lossWindow === window) book.logs.push(log);
    } catch (error) {
      const { status } = error as { status?: number };
      if (status === 404 && book.lossWindow !== window) return;
      if (status !== undefined && status < 500)
        book.wrongly(`The log of ${deploymentId} ended with ${String(error)}`);
    }
  }

  #expect(allowed: readonly number[], status: number, what: string, body: object): void {
    if (!allowed.includes(status))
      this.#place.book.wrongly(`${what} was answered ${status}: ${JSON.stringify(body)}`);
  }
}
