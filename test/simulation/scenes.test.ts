/** Runs that once broke the service or the simulation, written out: a seed means another run after each change here. */
import { expect, it, vi } from "vitest";
import {
  hookCommand,
  outsideCommand,
  patchCommand,
  verdictCommand,
  versionCommand,
} from "./commands.ts";
import { rememberCommand, restoreCommand } from "./fault-commands.ts";
import { plainWorld, type World } from "./kinds.ts";
import type { Model, Operation } from "./model.ts";
import { abandonCommand } from "./operator-commands.ts";
import { firstProgram, type ProgramSpec } from "./programs.ts";
import { webAddresses } from "./repeats.ts";
import { play } from "./run.ts";
import type { Simulation } from "./simulation.ts";
import { startCommand } from "./start-command.ts";
import { cloudObjects, storedResources } from "./stored.ts";
import { cancelStuckCommand, regionCommand } from "./target-commands.ts";
import { fine } from "./weather.ts";

vi.setConfig({ testTimeout: 60_000 });

const MINUTE_MS = 60_000;

type Act = (model: Model, real: Simulation) => Promise<void>;

async function expectScene(act: Act, world: Partial<World> = {}): Promise<void> {
  const quiet = (["log", "warn", "error"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => undefined),
  );
  try {
    expect(await play({ seed: 2, world: { ...plainWorld, ...world } }, act)).not.toBe("");
  } finally {
    for (const one of quiet) one.mockRestore();
  }
}

const deployed: Act = async (model, real) => {
  await startCommand(0, ["deploy"]).run(model, real);
  await real.rest();
};

it("repeats a destroy that failed after a delete that took effect and was never answered", () =>
  expectScene(async (model, real) => {
    await deployed(model, real);
    real.network.script.push(
      { method: "DELETE", kind: "servers", fault: "silentAfter" },
      { method: "DELETE", kind: "databases", fault: "refused" },
    );
    await startCommand(0, ["destroy"]).run(model, real);
    await real.rest();
  }));

it.for<[Operation, boolean]>([
  ["deploy", false],
  ["deploy", true],
  ["destroy", true],
])(
  "ends a %s that is canceled while the cloud finishes nothing (operations: %s)",
  ([operation, operations]) =>
    expectScene(
      async (model, real) => {
        if (operation === "destroy") await deployed(model, real);
        await cancelStuckCommand(0, operation, 10_000).run(model, real);
        const [row] = real.d1.rows("SELECT state FROM deployments ORDER BY id DESC LIMIT 1");
        expect(row?.["state"]).toBe("CANCELED");
        await real.rest();
      },
      { operations },
    ),
);

it("deploys again after a lost create whose object turns out to have failed", () =>
  expectScene(
    async (model, real) => {
      real.network.script.push({ method: "POST", kind: "networks", fault: "fails" });
      await cancelStuckCommand(0, "deploy", 10_000).run(model, real);
      expect(storedResources(real, 0).map(({ state }) => state)).toContain("lost");
      await real.rest();
    },
    { operations: true },
  ));

it("deploys again after a lost create whose object somebody has deleted", () =>
  expectScene(
    async (model, real) => {
      await cancelStuckCommand(0, "deploy", 10_000).run(model, real);
      await outsideCommand("DELETE", 6).run(model, real);
    },
    { operations: true },
  ));

it("lets no deployment begin that waits for approval or a slot while its region is taken away", () =>
  expectScene(
    async (model, real) => {
      await startCommand(0, ["deploy"]).run(model, real);
      await real.rest();
      await regionCommand("local-2").run(model, real);
      await verdictCommand(["approve"], 0).run(model, real);
      await real.rest();
      const [row] = real.d1.rows("SELECT state, error ->> '$.code' AS code FROM deployments");
      expect(row).toEqual({ state: "FAILED", code: "region_not_allowed" });
      expect(cloudObjects(real)).toEqual([]);
    },
    { approves: true },
  ));

it("corrects what was changed at the cloud while alarms were lost", () =>
  expectScene(async (model, real) => {
    await deployed(model, real);
    await startCommand(0, ["drift_check"]).run(model, real);
    real.platform.weather = { ...fine, alarms: 0.5 };
    for (const nth of [0, 3, 5]) await outsideCommand("PATCH", nth).run(model, real);
    await startCommand(0, ["deploy"]).run(model, real);
    await real.pass(MINUTE_MS);
  }));

it("creates again what was deleted at the cloud before its update", () =>
  expectScene(async (model, real) => {
    await deployed(model, real);
    await patchCommand(0, { variables: { size: "l" } }).run(model, real);
    for (const nth of [0, 1, 2]) await outsideCommand("DELETE", nth).run(model, real);
    await startCommand(0, ["deploy"]).run(model, real);
    await real.rest();
  }));

it("keeps what was changed at the cloud while it was being created", () =>
  expectScene(async (model, real) => {
    real.platform.weather = { ...fine, readyAfterMs: 60_000 };
    await startCommand(0, ["deploy"]).run(model, real);
    await real.pass(2_000);
    for (const nth of [0, 1, 2, 3]) await outsideCommand("PATCH", nth).run(model, real);
    await real.pass(MINUTE_MS);
  }));

it("lets a slot lapse that could not be released", () =>
  expectScene(async (model, real) => {
    await startCommand(0, ["deploy"]).run(model, real);
    await real.time.passUntil(real.time.nowMs + MINUTE_MS, () => phaseOf(real) === "applying");
    real.platform.weather = { ...fine, calls: 1 };
    await startCommand(1, ["deploy"]).run(model, real);
    await real.pass(5 * MINUTE_MS);
  }));

it("ends a run that was canceled before its first projection, when its alarm was lost", () =>
  expectScene(async (model, real) => {
    real.platform.weather = { ...fine, alarms: 1 };
    await startCommand(0, ["deploy"]).run(model, real);
    await real.pass(1_000);
    real.platform.weather = { ...fine, alarms: 1, calls: 1 };
    await verdictCommand(["cancel"], 0).run(model, real);
    // The sweep looks for canceled deployments for ten minutes.
    real.platform.d1AwayUntilMs = real.time.nowMs + 11 * MINUTE_MS;
    await real.pass(11 * MINUTE_MS);
  }));

it("looks for the object of a create whose token was forgotten", () =>
  expectScene(
    async (model, real) => {
      real.network.script.push({ method: "POST", kind: "networks", fault: "droppedAfter" });
      await startCommand(0, ["deploy"]).run(model, real);
      await real.time.passUntil(
        real.time.nowMs + MINUTE_MS,
        () => real.network.script.length === 0,
      );
      real.platform.weather = { ...fine, alarms: 1 };
      real.platform.crash(real.runner(0));
      real.platform.d1AwayUntilMs = real.time.nowMs + 10 * MINUTE_MS;
      await real.pass(10 * MINUTE_MS);
    },
    { cloud: "forgets" },
  ));

it("ends a run whose sealing key is gone, and deploys when it is back", () =>
  expectScene(async (model, real) => {
    await deployed(model, real);
    await patchCommand(0, { variables: { size: "l" } }).run(model, real);
    await startCommand(0, ["deploy"]).run(model, real);
    await real.time.passUntil(real.time.nowMs + MINUTE_MS, () => phaseOf(real) === "applying");
    real.setKeyMissing(true);
  }));

it("deletes the object of a lost create that could not be decrypted when its run ended", () =>
  expectScene(async (model, real) => {
    real.network.script.push({ method: "POST", kind: "databases", fault: "silentAfter" });
    await startCommand(0, ["deploy"]).run(model, real);
    await real.time.passUntil(real.time.nowMs + MINUTE_MS, () => real.network.script.length === 0);
    real.setKeyMissing(true);
    await real.restAsItIs();
  }));

it("follows an output that changes after its reader was deployed", () =>
  expectScene(
    async (model, real) => {
      await deployed(model, real);
      await startCommand(1, ["deploy"]).run(model, real);
      await real.rest();
      await versionCommand(0, { ...firstProgram, cidr: "b" }).run(model, real);
      await startCommand(0, ["deploy"]).run(model, real);
      await real.rest();
    },
    { bound: true, listens: true },
  ));

it("keeps its servers when the template gives them other names", () =>
  expectScene(async (model, real) => {
    await deployed(model, real);
    const servers = () => cloudObjects(real).filter(({ kind }) => kind === "servers");
    const before = servers();
    await versionCommand(0, { ...firstProgram, names: "renamed" }).run(model, real);
    await startCommand(0, ["deploy"]).run(model, real);
    await real.rest();
    expect(servers()).toEqual(before);
    expect(storedResources(real, 0).map(({ name }) => name)).toContain("app");
  }));

it("keeps the object that a template moves into a loop, into a component and back", () =>
  expectScene(async (model, real) => {
    const records = () => cloudObjects(real).filter(({ kind }) => kind === "records");
    const ids = new Set<string>();
    const zones: ProgramSpec["zones"][] = [["x", "y"], ["y", "x"], ["y", "z"], []];
    for (const [at, web] of (["plain", "loop", "component", "plain"] as const).entries()) {
      const program = { ...firstProgram, web, monitor: true, zones: zones[at] ?? [] };
      await versionCommand(0, program).run(model, real);
      await patchCommand(0, { variables: { size: at % 2 === 0 ? "l" : "s" } }).run(model, real);
      real.crashPoints.plan(real.runner(0), "after", [2 + at, 3]);
      await deployed(model, real);
      for (const { id } of records()) ids.add(id);
      expect(records()).toHaveLength(1);
      expect(storedResources(real, 0).map(({ name }) => name)).toContain(webAddresses[web]);
    }
    expect(ids.size).toBe(1);
  }));

it("succeeds with an output that fails after apply, and leaves the outputs stale", () =>
  expectScene(async (model, real) => {
    await versionCommand(0, { ...firstProgram, failingOutput: true }).run(model, real);
    await deployed(model, real);
    const [row] = real.d1.rows(
      "SELECT state, outputs_error AS error FROM deployments WHERE id = ?",
      [model.recent(0)?.id ?? ""],
    );
    expect(row?.["state"]).toBe("SUCCEEDED");
    expect(row?.["error"]).toContain("path_not_found");
  }));

it("does not deploy a reader again for an output that a failed deployment left as it was", () =>
  expectScene(
    async (model, real) => {
      await deployed(model, real);
      await startCommand(1, ["deploy"]).run(model, real);
      await real.rest();
      await startCommand(0, ["deploy"]).run(model, real);
      await real.rest();
      await patchCommand(0, { variables: { image: "v2" } }).run(model, real);
      real.network.script.push({ method: "POST", kind: "servers", fault: "refused" });
      await startCommand(0, ["deploy"]).run(model, real);
      await real.rest();
    },
    { bound: true },
  ));

function phaseOf(real: Simulation): unknown {
  const runner = real.runner(0);
  return runner.life === undefined
    ? undefined
    : runner.storage.rows("SELECT phase FROM runs ORDER BY deployment_id DESC LIMIT 1")[0]?.[
        "phase"
      ];
}

it("deploys again by a trigger that the restored database shows as due", () =>
  expectScene(
    async (model, real) => {
      await deployed(model, real);
      await hookCommand("one").run(model, real);
      await rememberCommand().run(model, real);
      await real.pass(2 * MINUTE_MS);
      await real.rest();
      await restoreCommand().run(model, real);
      await real.pass(2 * MINUTE_MS);
      await real.rest();
      const hooked = real.d1.rows(
        "SELECT state FROM deployments WHERE trigger = 'inbound_webhook'",
      );
      expect(hooked.map(({ state }) => state)).toEqual(["NO_CHANGES", "NO_CHANGES"]);
    },
    { bound: true },
  ));

it("shows the plan of a run that was abandoned after the database went back before it", () =>
  expectScene(async (model, real) => {
    await startCommand(1, ["deploy"]).run(model, real);
    await rememberCommand().run(model, real);
    await real.rest();
    await restoreCommand().run(model, real);
    await abandonCommand(0).run(model, real);
  }));

it("creates again what was deleted at the cloud after a create that nobody saw answered", () =>
  expectScene(async (model, real) => {
    real.network.script.push({ method: "POST", kind: "networks", fault: "silentAfter" });
    await startCommand(0, ["deploy"]).run(model, real);
    await real.pass(100);
    await abandonCommand(0).run(model, real);
    await real.rest();
    const net = storedResources(real, 0).find(({ name }) => name === "net");
    expect(net?.state).toBe("lost");
    const made = cloudObjects(real).findIndex(({ kind }) => kind === "networks");
    expect(made).not.toBe(-1);
    await outsideCommand("DELETE", made).run(model, real);
    expect(cloudObjects(real).some(({ kind }) => kind === "networks")).toBe(false);
  }));

it("tells that drift is over when the deploy that corrected it failed elsewhere", () =>
  expectScene(async (model, real) => {
    await deployed(model, real);
    // The first of the buckets, by name: `guarded`.
    await outsideCommand("PATCH", 0).run(model, real);
    await startCommand(0, ["drift_check"]).run(model, real);
    await real.rest();
    await versionCommand(0, { ...firstProgram, engine: "y" }).run(model, real);
    real.network.script.push({ method: "POST", kind: "databases", fault: "refused" });
    await startCommand(0, ["deploy"]).run(model, real);
    await real.rest();
    const [row] = real.d1.rows("SELECT drift FROM instances WHERE id = ?", [real.instanceIds[0]]);
    expect(row?.["drift"]).toBe("UNKNOWN");
  }));

it("leaves an instance degraded whose destroy was canceled on the way", () =>
  expectScene(async (model, real) => {
    await deployed(model, real);
    real.network.script.push({ method: "DELETE", kind: "databases", fault: "silentAfter" });
    await startCommand(0, ["destroy"]).run(model, real);
    await real.time.passUntil(real.time.nowMs + MINUTE_MS, () => real.network.script.length === 0);
    await verdictCommand(["cancel"], 0).run(model, real);
    await real.rest();
    const [row] = real.d1.rows("SELECT state FROM deployments WHERE operation = 'destroy'");
    expect(row?.["state"]).toBe("CANCELED");
  }));

it("keeps the length of the chain while its reader waits for an approval", () =>
  expectScene(
    async (model, real) => {
      await deployed(model, real);
      await startCommand(1, ["deploy"]).run(model, real);
      await real.rest();
      await patchCommand(1, { approvalMode: "always", variables: { image: "v2" } }).run(
        model,
        real,
      );
      await startCommand(1, ["deploy"]).run(model, real);
      await real.rest();
      await versionCommand(0, { ...firstProgram, cidr: "b" }).run(model, real);
      await startCommand(0, ["deploy"]).run(model, real);
      await real.rest();
      await verdictCommand(["discard"], 1).run(model, real);
      await real.pass(2 * MINUTE_MS);
      await real.rest();
      const [row] = real.d1.rows(
        "SELECT inputs ->> '$.hops' AS hops FROM deployments WHERE trigger = 'upstream_output' ORDER BY id DESC LIMIT 1",
      );
      expect(row?.["hops"]).toBe(1);
    },
    { bound: true },
  ));

it.for([4, 9, 11])(
  "ends the claims of what a run deleted before it died, after its commit %s, and was abandoned",
  (commit) =>
    expectScene(async (model, real) => {
      await deployed(model, real);
      real.crashPoints.plan(real.runner(0), "after", [commit]);
      await startCommand(0, ["destroy"]).run(model, real);
      await real.pass(1000);
      await abandonCommand(0).run(model, real);
      await real.rest();
    }),
);
