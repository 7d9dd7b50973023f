import { describe, expect, it } from "vitest";
import type { IncidentMoment } from "#areas/incidents/public.ts";
import type { Impact, Incident } from "#schema/incidents.ts";
import {
  dayOf,
  firstDayStartMs,
  healthOf,
  type StatusEvidence,
  tenantStatus,
} from "./tenant-status.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = Date.parse("2026-11-20T12:00:00Z");
const nothing: StatusEvidence = { incidents: [], moments: [], runs: [], days: [], deliveries: [] };

const incident = (impact: Impact, components: string[] = []): Incident => ({
  id: "i1",
  tenantId: "t1",
  title: "Slow",
  status: "INVESTIGATING",
  impact,
  components,
  message: "m",
  resolvedAtMs: null,
  version: 1,
  createdAtMs: now,
  updatedAtMs: now,
});
/** Newest first: `x` failed, `.` did not. */
const runs = (results: string, targetId = "t", atMs = now) =>
  results.split("").map((result) => ({ targetId, failed: result === "x", createdAtMs: atMs }));
const statusOf = (evidence: Partial<StatusEvidence>) =>
  tenantStatus({ ...nothing, ...evidence }, now);
const dayStatus = (evidence: Partial<StatusEvidence>, date: string) =>
  statusOf(evidence).days.find((day) => day.date === date)?.status;

describe("measured health", () => {
  it.for([
    [0, 0, "UNKNOWN"],
    [0, 1, "OPERATIONAL"],
    [1, 1, "DEGRADED"],
    [3, 3, "DEGRADED"],
    [1, 4, "OPERATIONAL"],
    [2, 4, "DEGRADED"],
    [3, 4, "PARTIAL_OUTAGE"],
    [4, 4, "MAJOR_OUTAGE"],
    [25, 100, "OPERATIONAL"],
    [26, 100, "DEGRADED"],
    [50, 100, "DEGRADED"],
    [51, 100, "PARTIAL_OUTAGE"],
    [99, 100, "PARTIAL_OUTAGE"],
    [100, 100, "MAJOR_OUTAGE"],
  ] as const)("of %i failures in %i is %s", ([failing, measured, impact]) => {
    expect(healthOf(failing, measured)).toBe(impact);
  });
});

describe("the status", () => {
  it("is UNKNOWN without data, although the service answers", () => {
    const status = statusOf({});
    expect(status.status).toBe("UNKNOWN");
    expect(status.components).toEqual([
      { name: "api", status: "OPERATIONAL", measured: 1, failing: 0 },
      { name: "deployments", status: "UNKNOWN", measured: 0, failing: 0 },
      { name: "targets", status: "UNKNOWN", measured: 0, failing: 0 },
      { name: "webhooks", status: "UNKNOWN", measured: 0, failing: 0 },
    ]);
  });

  it("is the worst of incidents and measured health", () => {
    expect(statusOf({ runs: runs(".") }).status).toBe("OPERATIONAL");
    expect(statusOf({ runs: runs("....xxxx") }).status).toBe("DEGRADED");
    expect(statusOf({ runs: runs("....xxxxx") }).status).toBe("PARTIAL_OUTAGE");
    expect(statusOf({ runs: runs("."), incidents: [incident("MAINTENANCE")] }).status).toBe(
      "MAINTENANCE",
    );
    const two = [incident("DEGRADED"), incident("MAJOR_OUTAGE")];
    expect(statusOf({ runs: runs("."), incidents: two }).status).toBe("MAJOR_OUTAGE");
  });

  it("counts an incident without an impact as DEGRADED, for its components and its days too", () => {
    const named = incident("UNKNOWN", ["Targets"]);
    const moment = { incidentId: "i1", status: named.status, impact: named.impact, atMs: now };
    const status = statusOf({ runs: runs("...."), incidents: [named], moments: [moment] });
    expect(status.status).toBe("DEGRADED");
    expect(status.components[2]?.status).toBe("DEGRADED");
    expect(status.days.at(-1)?.status).toBe("DEGRADED");
    expect(statusOf({ incidents: [named] }).status).toBe("DEGRADED");
    expect(status.incidents).toEqual([named]);
  });

  it("measures a target by its last deployment", () => {
    const targetsAfter = (...lists: readonly StatusEvidence["runs"][]) =>
      statusOf({ runs: lists.flat() }).components[2];
    expect(targetsAfter(runs("x...", "a"), runs(".xxx", "b"), runs("x..", "c"))).toEqual({
      name: "targets",
      status: "DEGRADED",
      measured: 3,
      failing: 2,
    });
    expect(targetsAfter(runs(".xx"))).toMatchObject({ status: "OPERATIONAL", failing: 0 });
  });

  it("ignores failures of webhook receivers", () => {
    const deliveries = [1, 2, 3, 4].map(() => ({ failed: true }));
    const status = statusOf({ runs: runs("."), deliveries });
    expect(status.components[3]?.status).toBe("MAJOR_OUTAGE");
    expect(status.status).toBe("OPERATIONAL");
  });

  it("uses the impact of an incident for the components it names", () => {
    const status = statusOf({ incidents: [incident("PARTIAL_OUTAGE", ["Webhooks", "billing"])] });
    expect(status.components.map((one) => one.status)).toEqual([
      "OPERATIONAL",
      "UNKNOWN",
      "UNKNOWN",
      "PARTIAL_OUTAGE",
    ]);
  });
});

describe("the days", () => {
  const moment = (
    hoursAgo: number,
    impact: Impact,
    status: IncidentMoment["status"] = "INVESTIGATING",
    incidentId = "i1",
  ): IncidentMoment => ({ incidentId, status, impact, atMs: now - hoursAgo * HOUR });

  it("are 90, the last one today, and UNKNOWN without data", () => {
    const { days } = statusOf({});
    expect(days).toHaveLength(90);
    expect(days[0]).toEqual({ date: "2026-08-23", status: "UNKNOWN" });
    expect(days.at(-1)).toEqual({ date: "2026-11-20", status: "UNKNOWN" });
    expect(new Set(days.map(({ date }) => date)).size).toBe(90);
    expect(dayOf(firstDayStartMs(now))).toBe("2026-08-23");
    expect(dayOf(firstDayStartMs(now) - 1)).toBe("2026-08-22");
  });

  it("show each impact for its duration", () => {
    const moments = [
      moment(24 * 3, "DEGRADED"),
      moment(24 * 2, "MAJOR_OUTAGE"),
      moment(24, "OPERATIONAL", "RESOLVED"),
    ];
    expect(
      ["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"].map((date) =>
        dayStatus({ moments }, date),
      ),
    ).toEqual(["UNKNOWN", "DEGRADED", "MAJOR_OUTAGE", "MAJOR_OUTAGE", "UNKNOWN"]);
  });

  it("show an open incident until today, also from before the first day", () => {
    const { days } = statusOf({ moments: [moment(24 * 200, "MAINTENANCE")] });
    expect(new Set(days.map(({ status }) => status))).toEqual(new Set(["MAINTENANCE"]));
  });

  it("leave out the time between a resolution and a reopening", () => {
    const moments = [
      moment(96, "DEGRADED"),
      moment(95, "OPERATIONAL", "RESOLVED"),
      moment(24, "PARTIAL_OUTAGE"),
    ];
    expect(dayStatus({ moments }, "2026-11-16")).toBe("DEGRADED");
    expect(dayStatus({ moments }, "2026-11-18")).toBe("UNKNOWN");
    expect(dayStatus({ moments }, "2026-11-20")).toBe("PARTIAL_OUTAGE");
  });

  it("combine several incidents to the worst", () => {
    const moments = [
      moment(2, "MAJOR_OUTAGE", "INVESTIGATING", "a"),
      moment(1, "DEGRADED", "INVESTIGATING", "b"),
    ];
    expect(dayStatus({ moments }, "2026-11-20")).toBe("MAJOR_OUTAGE");
  });

  it("show counted days, and count the others", () => {
    const days = [{ day: "2026-11-18", finished: 10, failed: 10 }];
    const recent = [...runs("xx.."), ...runs("....", "t", now - 2 * DAY)];
    expect(dayStatus({ days, runs: recent }, "2026-11-18")).toBe("MAJOR_OUTAGE");
    expect(dayStatus({ days, runs: recent }, "2026-11-20")).toBe("DEGRADED");
    expect(dayStatus({ days, runs: recent }, "2026-11-19")).toBe("UNKNOWN");
  });
});
