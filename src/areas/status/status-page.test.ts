import { describe, expect, it } from "vitest";
import { escapedText, expectEscaped, hostileText } from "#test/support/hostile-text.ts";
import { noStatusPage } from "./no-status-page.tsx";
import { statusPage } from "./status-page.tsx";
import { statusStyle } from "./status-style.ts";
import { type StatusEvidence, tenantStatus } from "./tenant-status.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const nothing: StatusEvidence = { incidents: [], moments: [], runs: [], days: [], deliveries: [] };

describe("the status page", async () => {
  const evidence: StatusEvidence = {
    ...nothing,
    incidents: [
      {
        id: "i1",
        tenantId: "platform",
        title: hostileText("title"),
        status: "IDENTIFIED",
        impact: "PARTIAL_OUTAGE",
        components: [hostileText("component")],
        message: hostileText("message"),
        resolvedAtMs: null,
        version: 1,
        createdAtMs: now,
        updatedAtMs: now,
      },
    ],
    days: [{ day: "2026-11-19", finished: 4, failed: 4 }],
  };
  const html = await statusPage(hostileText("tenant"), tenantStatus(evidence, now));

  it("shows names, titles, messages and components as text", () => {
    expectEscaped(html, ["tenant", "title", "component", "message"]);
    expect(html).toContain(`<title>${escapedText("tenant")}: Partial outage</title>`);
  });

  it("says the status and draws a mark for each of 90 days", () => {
    expect(html).toContain("Partial outage");
    expect(html.match(/<rect /g)).toHaveLength(90);
    expect(html).toContain("<title>2026-11-19: Major outage</title>");
    expect(html).toContain("2026-11-20 12:00 UTC");
  });

  it("holds the style sheet that the policy names and the colours, and nothing the policy would refuse", () => {
    expect(html.match(/<style>([^]*?)<\/style>/)?.[1]).toBe(statusStyle);
    expect(html.match(/<link rel="(?!icon")[^>]*>/g)).toEqual([
      '<link rel="stylesheet" href="/assets/palette.css" />',
    ]);
    expect(html).not.toMatch(/ style=|<img| on[a-z]+=|url\(|@import/);
    expect(html).toContain('name="viewport"');
  });

  it("says that there are no data, and no such page", async () => {
    const quiet = await statusPage("Acme", tenantStatus(nothing, now));
    expect(quiet).toContain("No data yet");
    expect(quiet).not.toContain("Open incidents");
    expect(await noStatusPage()).toContain("There is no such status page.");
  });
});
