import { describe, expect, it } from "vitest";
import * as z from "zod";
import { eventPayloads } from "#areas/docs/event-payloads.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { type EventType, eventTypes } from "#schema/lists/event-kinds.ts";
import { type EventFacts, noFacts } from "./event-facts.ts";
import { formatBody } from "./format-body.ts";

const PAGE = "https://control.example.com/deployments/d1";
const HOSTILE =
  "<!channel> <@U123> <https://evil.example|Approve> [Approve](https://evil.example) *b* _i_ `c` <at>all</at> & \u202e\n> x\ud800";
const facts: EventFacts = {
  name: "shop",
  tenantName: null,
  requested: { trigger: "manual", requestedBy: { kind: "member", id: "u1", name: "Ana" } },
  summary: { create: 2, update: 0, replace: 1, delete: 0, unchanged: 4 },
};

/** A value that the schema allows; every free text is `text`. */
function sample(schema: JsonMap, text: string, defs: JsonMap): Json {
  const { $ref, type, anyOf, properties, items, format, pattern } = schema;
  const inner = (one: Json | undefined) => sample(isJsonMap(one) ? one : {}, text, defs);
  if (typeof $ref === "string") return inner(defs[$ref.slice("#/$defs/".length)]);
  if (Array.isArray(schema["enum"])) return schema["enum"][0] ?? null;
  if (schema["const"] !== undefined) return schema["const"];
  if (Array.isArray(anyOf)) return inner(anyOf[0]);
  if (format === "uri") return PAGE;
  if (format === "date-time") return "2026-01-02T03:04:05.678Z";
  if (format === "uuid" || pattern !== undefined) return "01890000-0000-7000-8000-000000000000";
  if (type === "string") return text;
  if (type === "integer" || type === "number") return 3;
  if (type === "boolean") return true;
  if (type === "array") return Array.from({ length: 12 }, () => inner(items));
  return Object.fromEntries(
    Object.entries(isJsonMap(properties) ? properties : {}).map(([name, one]) => [
      name,
      inner(one),
    ]),
  );
}

/** The states in the payloads of events. */
const states: Readonly<Record<string, string>> = {
  started: "PLANNING",
  planned: "PLANNING",
  approval_required: "AWAITING_APPROVAL",
  approved: "APPLYING",
};

function payloadOf(type: EventType, text = "abc"): string {
  const schema = z.toJSONSchema(eventPayloads[type] as z.ZodObject, { io: "input" }) as JsonMap;
  const payload = sample(schema, text, isJsonMap(schema["$defs"]) ? schema["$defs"] : {}) as {
    data: JsonMap;
  };
  const verb = type.slice(type.indexOf(".") + 1);
  if (type.startsWith("deployment.")) payload.data["state"] = states[verb] ?? verb.toUpperCase();
  return JSON.stringify(payload);
}

/** Every text in the value, with its member's name and its object. */
function textsIn(
  value: Json,
  name = "",
  owner: JsonMap = {},
): { name: string; owner: JsonMap; text: string }[] {
  if (typeof value === "string") return [{ name, owner, text: value }];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, name, owner));
  return isJsonMap(value)
    ? Object.entries(value).flatMap(([key, one]) => textsIn(one, key, value))
    : [];
}

interface SlackMessage {
  text: string;
  blocks: {
    type: string;
    text?: { type: string; text: string };
    elements?: { type: string; text: string }[];
  }[];
}
interface TeamsMessage {
  attachments: {
    content: {
      body: { type: string; inlines: { type: string; text: string }[] }[];
      actions?: { type: string; url: string }[];
    };
  }[];
}

const slack = (payload: string, of: EventFacts): SlackMessage =>
  JSON.parse(formatBody("slack", payload, of));
const teams = (payload: string, of: EventFacts): TeamsMessage =>
  JSON.parse(formatBody("teams", payload, of));
/** The visible text of the card, line by line. */
const readTeams = (message: TeamsMessage) =>
  message.attachments[0]?.content.body.map(({ inlines }) => inlines[0]?.text);

describe("a chat message", () => {
  it("describes each kind of event in one sentence", () => {
    const headlines = Object.fromEntries(
      eventTypes.map((type) => [type, slack(payloadOf(type), facts).text]),
    );
    expect(headlines).toMatchInlineSnapshot(`
      {
        "api_key.created": "API key shop was created.",
        "api_key.revoked": "API key shop was revoked.",
        "api_key.rotated": "API key shop was rotated.",
        "deployment.applying": "Deploy of shop is being applied.",
        "deployment.approval_required": "Deploy of shop waits for approval.",
        "deployment.approved": "Deploy of shop was approved.",
        "deployment.canceled": "Deploy of shop was canceled.",
        "deployment.canceling": "Deploy of shop is being canceled.",
        "deployment.discarded": "Deploy of shop was discarded.",
        "deployment.expired": "Deploy of shop expired: nobody approved its plan in time.",
        "deployment.failed": "Deploy of shop failed.",
        "deployment.no_changes": "Deploy of shop found nothing to change.",
        "deployment.planned": "Deploy of shop is planned.",
        "deployment.queued": "Deploy of shop waits to start.",
        "deployment.started": "Deploy of shop is being planned.",
        "deployment.succeeded": "Deploy of shop succeeded.",
        "deployment.superseded": "Deploy of shop was superseded by another deployment.",
        "feature_flag.deleted": "Feature flag abc was deleted.",
        "feature_flag.updated": "Feature flag abc was changed.",
        "import.completed": "An import is complete.",
        "import.created": "An import was created.",
        "import.failed": "An import failed.",
        "incident.created": "Incident shop was opened.",
        "incident.resolved": "Incident shop was resolved.",
        "incident.updated": "Incident shop was updated.",
        "instance.created": "Instance shop was created.",
        "instance.deleted": "Instance shop was deleted.",
        "instance.destroyed": "Instance shop was destroyed.",
        "instance.drift_detected": "Instance shop has drifted.",
        "instance.drift_resolved": "Instance shop no longer drifts.",
        "instance.expiring": "Instance shop expires soon.",
        "instance.outputs_changed": "Instance shop has new outputs.",
        "instance.updated": "Instance shop was changed.",
        "license.expired": "The license has expired.",
        "license.expiring": "The license expires soon.",
        "license.limit_reached": "The limit abc is reached: all of it is used.",
        "listing.installed": "Listing shop was installed.",
        "listing.published": "Listing shop was published.",
        "listing.rejected": "Listing shop was rejected.",
        "listing.submitted": "Listing shop was submitted for review.",
        "listing.unlisted": "Listing shop was unlisted.",
        "listing.updated": "Listing shop was changed.",
        "member.added": "shop is a member now.",
        "member.removed": "shop is no longer a member.",
        "member.role_changed": "shop has another role.",
        "message.dead_lettered": "A message of the queue abc was given up.",
        "profile.deleted": "Profile shop was deleted.",
        "profile.updated": "Profile shop was changed.",
        "status.changed": "The status is operational.",
        "target.created": "Target shop was created.",
        "target.deleted": "Target shop was deleted.",
        "target.updated": "Target shop was changed.",
        "target.verification_failed": "Target shop could not be verified.",
        "target.verified": "Target shop was verified: its credential works.",
        "template.created": "Template shop was created.",
        "template.deleted": "Template shop was deleted.",
        "template.version_created": "Version 3 of template shop was created.",
        "template.version_deprecated": "Version 3 of template shop was deprecated.",
        "tenant.created": "Tenant shop was created.",
        "tenant.deleted": "Tenant shop was deleted.",
        "tenant.updated": "Tenant shop was changed.",
        "webhook.disabled": "Webhook shop was disabled.",
        "webhook.failing": "Webhook shop fails.",
        "webhook.secret_rotated": "Webhook shop has a new signing secret.",
        "webhook.test": "Webhook shop works: this is a test.",
      }
    `);
    expect(new Set(Object.values(headlines)).size).toBe(eventTypes.length);
  });

  it("keeps Slack's limits and shows a tenant's texts as texts, for each kind of event", () => {
    for (const type of eventTypes)
      for (const text of [HOSTILE, HOSTILE.repeat(60), "&".repeat(5000)]) {
        const message = slack(payloadOf(type, text), { ...facts, name: text, tenantName: text });
        expect(message.text, type).not.toBe("");
        const { blocks } = message;
        expect(blocks.map((block) => block.type)).toEqual([
          "header",
          ...blocks.slice(1, -1).map(() => "section"),
          "context",
        ]);
        expect(blocks.length).toBeLessThanOrEqual(50);
        expect(blocks[0]?.text?.text.length).toBeLessThanOrEqual(150);
        const objects = blocks.flatMap((block) => [block.text ?? [], block.elements ?? []].flat());
        for (const object of objects) {
          expect(object.text.length).toBeGreaterThan(0);
          expect(object.text.length).toBeLessThanOrEqual(3000);
          if (object.type === "mrkdwn")
            expect(object.text).toMatch(
              /^<https:\/\/control\.example\.com\/deployments\/d1\|Open the (deployment|instance)>$/,
            );
        }
        for (const { owner, text: shown } of textsIn(message as unknown as Json))
          if (owner["type"] !== "mrkdwn") expectNoMarkup(shown);
      }
  });

  it("keeps Teams' limit and shows a tenant's texts as texts, for each kind of event", () => {
    for (const type of eventTypes)
      for (const text of [HOSTILE, HOSTILE.repeat(60), "\u20ac".repeat(5000), '"'.repeat(5000)]) {
        const of = { ...facts, name: text, tenantName: text };
        const body = formatBody("teams", payloadOf(type, text), of);
        expect(new TextEncoder().encode(body).byteLength, type).toBeLessThan(28 * 1024);
        const [card] = (JSON.parse(body) as TeamsMessage).attachments;
        for (const { type: block, inlines } of card?.content.body ?? []) {
          // A RichTextBlock is the only element without Markdown.
          expect([block, ...inlines.map((run) => run.type)]).toEqual(["RichTextBlock", "TextRun"]);
          expect(inlines[0]?.text).not.toBe("");
        }
        for (const action of card?.content.actions ?? [])
          expect(action).toMatchObject({ type: "Action.OpenUrl", url: PAGE });
        const shown = readTeams(JSON.parse(body));
        for (const { name, text: one } of textsIn(JSON.parse(body) as Json))
          if (one.includes("evil.example"))
            expect([name, shown]).toEqual(["text", expect.arrayContaining([one])]);
      }
  });

  const failed = JSON.stringify({
    type: "deployment.failed",
    timestamp: "2026-01-02T03:04:05.678Z",
    data: {
      operation: "deploy",
      state: "FAILED",
      pageUrl: PAGE,
      error: {
        code: "quota",
        message: "No <more> networks.\nAsk & wait.",
        resource: "net",
        fault: "provider",
      },
    },
  });

  it("tells Slack of a failure: what, why, what to do, the plan, who asked, and where to look", () => {
    const plain = (text: string) => ({ type: "plain_text", text, emoji: false });
    expect(slack(failed, { ...facts, tenantName: "Acme" })).toEqual({
      text: "Deploy of shop failed.",
      mrkdwn: false,
      blocks: [
        { type: "header", text: plain("Deploy of shop failed.") },
        { type: "section", text: plain("net: No &lt;more&gt; networks. Ask &amp; wait. (quota)") },
        { type: "section", text: plain("The cloud failed: deploy again later.") },
        { type: "section", text: plain("Plan: 2 to create, 1 to replace.") },
        { type: "section", text: plain("Requested by Ana.") },
        {
          type: "section",
          text: { type: "mrkdwn", text: `<${PAGE}|Open the deployment>`, verbatim: true },
        },
        {
          type: "context",
          elements: [plain("deployment.failed \u00b7 2026-01-02 03:04 UTC \u00b7 tenant Acme")],
        },
      ],
    });
  });

  it("tells Teams the same, in one Adaptive Card", () => {
    const message = teams(failed, facts);
    expect(readTeams(message)).toEqual([
      "Deploy of shop failed.",
      "net: No <more> networks. Ask & wait. (quota)",
      "The cloud failed: deploy again later.",
      "Plan: 2 to create, 1 to replace.",
      "Requested by Ana.",
      "deployment.failed \u00b7 2026-01-02 03:04 UTC",
    ]);
    expect(message).toMatchObject({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            type: "AdaptiveCard",
            actions: [{ type: "Action.OpenUrl", title: "Open the deployment", url: PAGE }],
          },
        },
      ],
    });
  });

  it("is made of an event that lacks everything, and of one of a later version", () => {
    for (const type of [...eventTypes, "moon.risen", "constructor", ""])
      for (const data of [
        {},
        { error: 5, changed: {}, state: "DREAMING", pageUrl: "javascript:alert(1)" },
      ]) {
        const payload = JSON.stringify({ type, data });
        const message = slack(payload, noFacts);
        expect(message.text, type).toMatch(/^[A-Z].*\.$/);
        expect(JSON.stringify([message, teams(payload, noFacts)])).not.toMatch(
          /undefined|null,"type|\[object|javascript/,
        );
      }
    expect(slack("not JSON", noFacts).text).toBe("Event .");
  });

  it("has no empty line and nothing that turns a line around", () => {
    const turning = "\u061c\u200e\u200f\u202a\u202e\u2066\u2069\u2028\n";
    const payload = JSON.stringify({
      type: "deployment.failed",
      data: { operation: "deploy", state: "FAILED", error: { message: turning } },
    });
    const named = { ...noFacts, name: `a${turning}b`, tenantName: turning };
    for (const body of [slack(payload, named), teams(payload, named)]) {
      const texts = textsIn(body as unknown as Json).map(({ text }) => text);
      expect(texts).toContain("Deploy of a b failed.");
      for (const text of texts) expect(text).toMatch(/^[^\p{Bidi_Control}\n\u2028]+$/u);
    }
  });

  it("leaves the payload of `standard` as it is, byte for byte", () => {
    expect(formatBody("standard", ' {"a" : 1}', facts)).toBe(' {"a" : 1}');
  });
});

/** Slack reads `<…>` as a mention or a link, and `&` as the start of an entity. */
function expectNoMarkup(text: string): void {
  expect(text).not.toMatch(/[<>\n\u202e]/);
  expect(text.replace(/&(?:amp|lt|gt);/g, "")).not.toContain("&");
}
