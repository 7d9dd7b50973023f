import { describe, expect, it } from "vitest";
import {
  impacts,
  type Incident,
  type IncidentStatus,
  incidentStatuses,
} from "#schema/incidents.ts";
import { impactIn, updated, worstImpact } from "./incident.ts";

const incident: Incident = {
  id: "i1",
  tenantId: "t1",
  title: "Slow",
  status: "INVESTIGATING",
  impact: "DEGRADED",
  components: [],
  message: "We look into it.",
  resolvedAtMs: null,
  version: 1,
  createdAtMs: 1,
  updatedAtMs: 1,
};

describe("an update", () => {
  const after = (from: IncidentStatus, to: IncidentStatus) =>
    updated({ ...incident, status: from }, { status: to, message: "m" }, 5).status;
  const cases = incidentStatuses.flatMap((from) => incidentStatuses.map((to) => ({ from, to })));
  const isRefused = ({ from, to }: { from: IncidentStatus; to: IncidentStatus }) =>
    from === "RESOLVED" && (to === "IDENTIFIED" || to === "MONITORING");

  it.for(cases.filter((one) => !isRefused(one)))("can change $from to $to", ({ from, to }) => {
    expect(after(from, to)).toBe(to);
  });

  it.for(cases.filter(isRefused))("cannot change $from to $to", ({ from, to }) => {
    expect(() => after(from, to)).toThrow(expect.objectContaining({ code: "invalid_state" }));
  });

  it("keeps the impact, or sets it", () => {
    const message = "m";
    expect(updated(incident, { status: "IDENTIFIED", message }, 5).impact).toBe("DEGRADED");
    const worse = updated(incident, { status: "IDENTIFIED", message, impact: "MAJOR_OUTAGE" }, 5);
    expect(worse).toEqual({
      ...incident,
      status: "IDENTIFIED",
      impact: "MAJOR_OUTAGE",
      message,
      version: 2,
      updatedAtMs: 5,
    });
  });

  it.for(impacts)("that resolves sets OPERATIONAL, even with %s", (impact) => {
    const after = updated(incident, { status: "RESOLVED", message: "m", impact }, 5);
    expect(after).toMatchObject({ impact: "OPERATIONAL", resolvedAtMs: 5 });
    expect(impactIn("RESOLVED", undefined, impact)).toBe("OPERATIONAL");
  });

  it("reopens a resolved incident, and keeps the first resolution time of one that stays resolved", () => {
    const over: Incident = { ...incident, status: "RESOLVED", resolvedAtMs: 4 };
    expect(updated(over, { status: "INVESTIGATING", message: "m" }, 5).resolvedAtMs).toBeNull();
    expect(updated(over, { status: "RESOLVED", message: "m" }, 5).resolvedAtMs).toBe(4);
  });
});

describe("the worst impact", () => {
  const order = [
    "UNKNOWN",
    "OPERATIONAL",
    "MAINTENANCE",
    "DEGRADED",
    "PARTIAL_OUTAGE",
    "MAJOR_OUTAGE",
  ] as const;

  it("knows every impact", () => {
    expect(new Set(order)).toEqual(new Set(impacts));
  });

  it.for(order.flatMap((a, i) => order.map((b, j) => ({ a, b, worst: i > j ? a : b }))))(
    "of $a and $b is $worst",
    ({ a, b, worst }) => {
      expect(worstImpact([a, b])).toBe(worst);
    },
  );

  it("of none is UNKNOWN", () => {
    expect(worstImpact([])).toBe("UNKNOWN");
  });
});
