import { describe, expect, it } from "vitest";
import { noStatusPage, statusPage, statusStyle } from "./status-page.ts";
import { type StatusEvidence, tenantStatus } from "./tenant-status.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const nothing: StatusEvidence = { incidents: [], moments: [], runs: [], days: [], deliveries: [] };
const hostile = `<script>alert("1")</script>&'`;
const escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;";

describe("the status page", () => {
  const evidence: StatusEvidence = {
    ...nothing,
    incidents: [
      {
        id: "i1",
        tenantId: "platform",
        title: `T${hostile}`,
        status: "IDENTIFIED",
        impact: "PARTIAL_OUTAGE",
        components: [`C${hostile}`],
        message: `M${hostile}`,
        resolvedAtMs: null,
        version: 1,
        createdAtMs: now,
        updatedAtMs: now,
      },
    ],
    days: [{ day: "2026-11-19", finished: 4, failed: 4 }],
  };
  const html = statusPage(`N${hostile}`, tenantStatus(evidence, now));

  it("shows names, titles, messages and components as text", () => {
    for (const start of ["N", "T", "M", "C"]) expect(html).toContain(start + escaped);
    expect(html).not.toContain("<script");
  });

  it("says the status and draws a mark for each of 90 days", () => {
    expect(html).toContain("Partial outage");
    expect(html.match(/<rect /g)).toHaveLength(90);
    expect(html).toContain("2026-11-19: Major outage");
    expect(html).toContain("2026-11-20 12:00 UTC");
  });

  it("holds one style sheet, the one the policy names, and nothing the policy would refuse", () => {
    expect(html.match(/<style>([^]*?)<\/style>/)?.[1]).toBe(statusStyle);
    expect(html).not.toMatch(/ style=|<link|<img| on[a-z]+=|url\(|@import/);
    expect(html).toContain('name="viewport"');
  });

  it("says so when there is nothing to say", () => {
    const quiet = statusPage("Acme", tenantStatus(nothing, now));
    expect(quiet).toContain("No data yet");
    expect(quiet).not.toContain("Open incidents");
    expect(noStatusPage()).toContain("There is no such status page.");
  });
});
