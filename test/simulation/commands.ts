/** The actions of users, as commands. */
import * as fc from "fast-check";
import { secrets } from "./canaries.ts";
import { Command, isAccepted, type Weighted } from "./command.ts";
import { faultCommands } from "./fault-commands.ts";
import type { Kind } from "./kinds.ts";
import type { Asked, Model, Operation } from "./model.ts";
import { operatorCommands } from "./operator-commands.ts";
import { type ProgramSpec, sourceOf, type Variables } from "./programs.ts";
import { readAsked, rereadInstance } from "./rows.ts";
import type { Simulation } from "./simulation.ts";
import { startCommand } from "./start-command.ts";
import { cloudObjects, storedResources } from "./stored.ts";
import { targetCommands } from "./target-commands.ts";

const someAsked = (model: Readonly<Model>) => model.asked.length > 0;
type Verdict = "cancel" | "approve" | "discard";

export function verdictCommand(verdicts: Verdict[], back: number): Command {
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
      const { id } = answer.body as { id: string };
      model.asks(await readAsked(model, real, id));
      await rereadInstance(model, real, left.instance);
    },
    someAsked,
  );
}

export function versionCommand(instance: number, program: ProgramSpec): Command {
  return new Command(`version(${instance}, ${JSON.stringify(program)})`, async (model, real) => {
    const source = sourceOf(program);
    const added = await real.ask("POST", `/templates/${real.place.templateId}/versions`, {
      source,
    });
    if (!isAccepted(real, "a version", added, 201)) return;
    model.programs.push(program);
    const { version } = added.body as { version: number };
    if (version !== model.programs.length)
      real.watches.report(`The version ${model.programs.length} was called ${version}`);
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
  if (!real.keyIsMissing) real.watches.report(`${path} was never changed`);
}

export function patchCommand(
  instance: number,
  body: { variables?: Partial<Variables>; approvalMode?: string },
): Command {
  return new Command(`patch(${instance}, ${JSON.stringify(body)})`, (model, real) =>
    patch(instance, body, model, real),
  );
}

/** A run was canceled before the object was ready, or never learned of it: how it is read first is how it was made. */
function isUnfinished(real: Simulation, id: string): boolean {
  const token = cloudObjects(real).find((one) => one.id === id)?.token;
  return [...real.instanceIds.keys()].some((instance) =>
    storedResources(real, instance).some(
      (one) =>
        (one.id === id && (one.state === "unready" || one.state === "deleting")) ||
        (one.state === "lost" && one.token === token),
    ),
  );
}

/** A change at the cloud, outside the service. */
export function outsideCommand(verb: "PATCH" | "DELETE", nth: number): Command {
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
    else if (real.unrest() !== undefined || isUnfinished(real, String(object["id"])))
      model.changedMeanwhile.add(String(object["id"]));
    const request = new Request(url, { method: verb, ...body });
    await real.finish(verb, Promise.resolve(instance["fetch"]?.(request)));
  });
}

/** Reads a deployment's log, which starts the runner if it is dead. */
const logCommand = (back: number) =>
  new Command(
    `log(${back} ago)`,
    async (model, real) => {
      const path = `/deployments/${model.recent(back)?.id}/log`;
      isAccepted(real, path, await real.ask("GET", path), 200);
    },
    someAsked,
  );

/** A call of the hook that deploys the first instance. Its sender does not repeat it. */
export const hookCommand = (id: string) =>
  new Command(
    `hook(${id})`,
    async (model, real) => {
      model.hookCalls += 1;
      const path = (real.place.hook ?? "").replace("/api/v1", "");
      await real.ask("POST", path, { id }, { bare: true });
    },
    ({ world }) => world.bound,
  );

const instance = fc.nat({ max: 1 });
const back = fc.nat({ max: 3 });

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
  names: fc.constantFrom("plain", "plain", "renamed", "swapped"),
  database: fc.constantFrom("db", "store"),
  failingOutput: fc.constantFrom(false, false, false, false, true),
  zones: fc.constantFrom([], ["x"], ["z"], ["y", "x"], ["x", "y"]),
  monitor: fc.boolean(),
  web: fc.constantFrom("none", "plain", "loop", "component"),
});

const operations = fc.constantFrom<Operation>(
  "deploy",
  "deploy",
  "deploy",
  "plan",
  "destroy",
  "drift_check",
);

const actions: Weighted = {
  version: [3, fc.tuple(instance, programs).map(([one, program]) => versionCommand(one, program))],
  patch: [
    3,
    fc
      .tuple(
        instance,
        fc.constantFrom("v1", "v2"),
        fc.constantFrom("s", "m", "l"),
        fc.constantFrom(...secrets),
      )
      .map(([one, image, size, password]) =>
        patchCommand(one, { variables: { image, size, password } }),
      ),
  ],
  mode: [
    3,
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
    5,
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
  log: [1, back.map(logCommand)],
  hook: [1, fc.constantFrom("one", "two").map(hookCommand)],
};

/** Commands of the kind, generated by weight. */
export function commandsOf(kind: Kind): fc.Arbitrary<Iterable<fc.AsyncCommand<Model, Simulation>>> {
  return fc.commands(
    Object.values({
      ...actions,
      ...operatorCommands,
      ...targetCommands,
      ...faultCommands(kind),
    }).flatMap(([weight, arbitrary]) =>
      Array.from({ length: weight }, (): fc.Arbitrary<Command> => arbitrary),
    ),
    { maxCommands: 24, size: "max" },
  );
}
