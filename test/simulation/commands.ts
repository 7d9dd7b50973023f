/** The actions of users, and the faults, as commands that fast-check generates, shrinks and prints. */
import * as fc from "fast-check";
import type { Asked, Model, Operation } from "./model.ts";
import type { Weather } from "./platform.ts";
import { type ProgramSpec, sourceOf, type Variables } from "./programs.ts";
import type { Answered, Simulation } from "./simulation.ts";

type Run = (model: Model, real: Simulation) => Promise<void>;

class Command implements fc.AsyncCommand<Model, Simulation> {
  readonly #name: string;
  readonly #ready: (model: Readonly<Model>) => boolean;
  readonly run: Run;

  constructor(name: string, run: Run, ready: (model: Readonly<Model>) => boolean = () => true) {
    this.#name = name;
    this.run = run;
    this.#ready = ready;
  }

  check(model: Readonly<Model>): boolean {
    return this.#ready(model);
  }

  toString(): string {
    return this.#name;
  }
}

const paths = { deploy: "deploy", plan: "plan", destroy: "destroy", drift_check: "check-drift" };
const someAsked = (model: Readonly<Model>) => model.asked.length > 0;
/** Statuses with which the service may reject a change. */
const refusals: ReadonlySet<number> = new Set([409, 412]);

function isAccepted(
  real: Simulation,
  what: string,
  { status, body }: Answered,
  accepted: number,
): boolean {
  if (status === accepted) return true;
  if (!refusals.has(status))
    real.violations.push(`${what} answered ${status}: ${JSON.stringify(body)}`);
  return false;
}

function start(model: Model, real: Simulation, instance: number, operation: Operation): Run {
  const path = `/instances/${real.instanceIds[instance]}/${paths[operation as keyof typeof paths]}`;
  const { version, variables } = model.instances[instance] as Model["instances"][number];
  const frozen: Omit<Asked, "id"> = {
    instance,
    operation,
    version: operation === "destroy" ? null : version,
    variables: operation === "destroy" || operation === "drift_check" ? {} : { ...variables },
  };
  return async () => {
    const answer = await real.send("POST", path);
    if (isAccepted(real, path, answer, 202)) model.asked.push({ ...frozen, id: answer.body.id });
  };
}

function startCommand(instance: number, operations: Operation[]): Command {
  return new Command(`start(${instance}, ${operations.join(" and ")})`, async (model, real) => {
    const starts = operations.map((one) => start(model, real, instance, one)(model, real));
    await real.finish("the starts", Promise.all(starts));
    model.asked.sort((a, b) => (a.id < b.id ? -1 : 1));
  });
}

type Verdict = "cancel" | "approve" | "discard";

function verdictCommand(verdicts: Verdict[], back: number): Command {
  return new Command(
    `${verdicts.join(" and ")}(${back} ago)`,
    async (model, real) => {
      const { id } = model.recent(back) as Asked;
      const work = verdicts.map(async (verdict) => {
        const path = `/deployments/${id}/${verdict}`;
        const answer = await real.send("POST", path, undefined, { approver: true });
        isAccepted(real, path, answer, verdict === "discard" ? 200 : 202);
      });
      await real.finish("the verdicts", Promise.all(work));
    },
    someAsked,
  );
}

function rollbackCommand(back: number): Command {
  return new Command(
    `rollback(${back} ago)`,
    async (model, real) => {
      const left = model.recent(back) as Asked;
      const path = `/deployments/${left.id}/rollback`;
      const answer = await real.ask("POST", path);
      if (!isAccepted(real, path, answer, 202)) return;
      const [row] = real.d1.rows("SELECT inputs FROM deployments WHERE id = ?", [answer.body.id]);
      const inputs = JSON.parse(String(row?.["inputs"])) as {
        template: { version: number };
        variables: Partial<Variables>;
      };
      const { version } = inputs.template;
      const { variables } = inputs;
      model.asked.push({
        id: answer.body.id,
        instance: left.instance,
        operation: "rollback",
        version,
        variables,
      });
      const instance = model.instances[left.instance];
      if (instance !== undefined) Object.assign(instance, { version, variables });
    },
    someAsked,
  );
}

export function versionCommand(instance: number, program: ProgramSpec): Command {
  return new Command(`version(${instance}, ${JSON.stringify(program)})`, async (model, real) => {
    const source = sourceOf(program);
    const added = await real.ask("POST", `/templates/${real.ground.templateId}/versions`, {
      source,
    });
    if (!isAccepted(real, "a version", added, 201)) return;
    model.programs.push(program);
    const { version } = added.body as { version: number };
    if (version !== model.programs.length)
      real.violations.push(`The version ${model.programs.length} was called ${version}`);
    await patch(instance, { templateVersion: version }, model, real);
  });
}

async function patch(
  instance: number,
  body: { templateVersion?: number; variables?: Partial<Variables>; approvalMode?: string },
  model: Model,
  real: Simulation,
): Promise<void> {
  const path = `/instances/${real.instanceIds[instance]}`;
  // A conflict with a write of the runner is possible: repeat, as clients do.
  for (let times = 0; times < 20; times += 1) {
    const answer = await real.ask("PATCH", path, body);
    if (!isAccepted(real, path, answer, 200)) continue;
    const known = model.instances[instance] as Model["instances"][number];
    if (body.templateVersion !== undefined) known.version = body.templateVersion;
    known.variables = { ...known.variables, ...body.variables };
    return;
  }
  real.violations.push(`${path} was never changed`);
}

export function patchCommand(
  instance: number,
  body: { variables?: Partial<Variables>; approvalMode?: string },
): Command {
  return new Command(`patch(${instance}, ${JSON.stringify(body)})`, (model, real) =>
    patch(instance, body, model, real),
  );
}

/** A change at the cloud, outside the service. */
function outsideCommand(verb: "PATCH" | "DELETE", nth: number): Command {
  return new Command(`outside(${verb}, ${nth})`, async (model, real) => {
    const objects = real.cloud.storage.rows("SELECT name FROM sqlite_master WHERE name = 'objects'")
      .length
      ? real.cloud.storage.rows("SELECT kind, id FROM objects ORDER BY kind, name, id")
      : [];
    const object = objects[nth % Math.max(1, objects.length)];
    if (object === undefined) return;
    const { instance } = real.platform.wake(real.cloud);
    const url = `https://mock.cloud.invalid/v1/${String(object["kind"])}/${String(object["id"])}`;
    const body = verb === "PATCH" ? { body: JSON.stringify({ size: "outside", note: "x" }) } : {};
    if (verb === "DELETE") model.deletedOutside.add(String(object["id"]));
    else if (real.unrest() !== undefined) model.changedMeanwhile.add(String(object["id"]));
    const request = new Request(url, { method: verb, ...body });
    await real.finish(verb, Promise.resolve(instance["fetch"]?.(request)));
  });
}

const crashCommand = (who: "first" | "second" | "gate") =>
  new Command(`crash(${who})`, async (_, real) => {
    const object = who === "gate" ? real.gate : real.runner(who === "first" ? 0 : 1);
    real.platform.crash(object);
  });

const crashAtCommand = (instance: number, when: "before" | "after", commits: number[]) =>
  new Command(`crashAt(${instance}, ${when}, ${commits.join()})`, async (_, real) =>
    real.crashAt(instance, when, commits),
  );

const weatherCommand = (weather: Weather) =>
  new Command(`weather(${JSON.stringify(weather)})`, async (_, real) => {
    real.platform.weather = weather;
  });

const passCommand = (ms: number) => new Command(`pass(${ms})`, async (_, real) => real.pass(ms));

/** Advances the clock by a week, but only at rest: a process is not suspended for a week in the middle of a call. */
const weekCommand = () =>
  new Command("week()", async (_, real) => {
    await real.pass(300_000);
    if (real.unrest() !== undefined) return;
    real.time.nowMs += 7 * 24 * 60 * 60 * 1000;
    await real.pass(1_000);
  });

const instance = fc.nat({ max: 1 });
const back = fc.nat({ max: 3 });
const often = (most: number) => fc.constantFrom(0, 0, 0, most / 4, most);

export const programs: fc.Arbitrary<ProgramSpec> = fc.record({
  cidr: fc.constantFrom("a", "a", "a", "b"),
  engine: fc.constantFrom("x", "y"),
  a: fc.boolean(),
  b: fc.boolean(),
  db: fc.boolean(),
  keep: fc.boolean(),
  guarded: fc.boolean(),
  fromDb: fc.boolean(),
  dbFirst: fc.boolean(),
  publicKeep: fc.boolean(),
  protects: fc.boolean(),
});

const weathers: fc.Arbitrary<Weather> = fc.record({
  d1: often(0.3),
  calls: often(0.2),
  queue: often(0.6),
  alarms: often(0.2),
  cloud: often(0.5),
  readyAfterMs: fc.constantFrom(0, 0, 400, 5_000, 60_000),
});

const operations = fc.constantFrom<Operation>(
  "deploy",
  "deploy",
  "deploy",
  "plan",
  "destroy",
  "drift_check",
);

const all = {
  version: [3, fc.tuple(instance, programs).map(([one, program]) => versionCommand(one, program))],
  patch: [
    3,
    fc
      .tuple(instance, fc.constantFrom("v1", "v2"), fc.constantFrom("s", "m", "l"))
      .map(([one, image, size]) => patchCommand(one, { variables: { image, size } })),
  ],
  mode: [
    1,
    fc
      .tuple(instance, fc.constantFrom("auto", "destructive", "always"))
      .map(([one, approvalMode]) => patchCommand(one, { approvalMode })),
  ],
  start: [
    9,
    fc
      .tuple(instance, fc.array(operations, { minLength: 1, maxLength: 2 }))
      .map(([one, some]) => startCommand(one, some)),
  ],
  verdict: [
    4,
    fc
      .tuple(
        fc.constantFrom<Verdict[]>(
          ["cancel"],
          ["approve"],
          ["approve"],
          ["discard"],
          ["approve", "discard"],
          ["approve", "cancel"],
        ),
        back,
      )
      .map(([verdicts, ago]) => verdictCommand(verdicts, ago)),
  ],
  rollback: [2, back.map(rollbackCommand)],
  outside: [
    2,
    fc
      .tuple(fc.constantFrom<"PATCH" | "DELETE">("PATCH", "DELETE"), fc.nat({ max: 9 }))
      .map(([verb, nth]) => outsideCommand(verb, nth)),
  ],
  crash: [
    3,
    fc.constantFrom<"first" | "second" | "gate">("first", "second", "gate").map(crashCommand),
  ],
  crashAt: [
    4,
    fc
      .tuple(
        instance,
        fc.constantFrom<"before" | "after">("before", "after"),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
      )
      .map(([one, when, commits]) => crashAtCommand(one, when, commits)),
  ],
  weather: [3, weathers.map(weatherCommand)],
  pass: [6, fc.constantFrom(5, 30, 60, 120, 300, 1_000, 15_000, 90_000).map(passCommand)],
  week: [0.3, fc.constant(0).map(weekCommand)],
} as const;

/** Commands, generated by weight. */
export const commands = fc.commands(
  Object.values(all).flatMap(([weight, arbitrary]) =>
    Array.from({ length: Math.max(1, Math.round(weight)) }, (): fc.Arbitrary<Command> => arbitrary),
  ),
  { maxCommands: 24, size: "max" },
);
