import { describe, expect, it } from "vitest";
import { escapedText, expectEscaped, hostileText } from "#test/support/hostile-text.ts";
import { accountPage } from "./account-page.tsx";
import type { Account } from "./read-account.ts";

const session = (id: string) =>
  ({
    id: hostileText(`${id} session`),
    provider: "one",
    userAgent: hostileText("agent"),
    createdAtMs: 0,
    lastSeenAtMs: 60_000,
  }) as Account["session"];

const account: Account = {
  user: {
    id: "u",
    name: hostileText("person"),
    email: hostileText("address"),
    issuer: hostileText("issuer"),
    subject: hostileText("subject"),
  } as Account["user"],
  operator: true,
  tenants: [
    {
      tenantId: hostileText("id"),
      slug: "t",
      name: hostileText("tenant"),
      role: "CustomerOwner",
    },
  ],
  session: session("this"),
  sessions: [session("this"), session("other")],
  invitations: [
    {
      id: hostileText("invitation"),
      tenantId: "t",
      tenantName: hostileText("inviter"),
      tenantSlug: "inviter",
      role: "CustomerOwner",
      via: "invitation",
      expiresAtMs: 0,
      createdAtMs: 0,
      byToken: 1,
    },
  ],
  keys: [
    {
      id: "k",
      tenantName: hostileText("key tenant"),
      name: hostileText("key"),
      prefix: "cpk_x",
      scopes: JSON.stringify(["templates:read"]),
      expiresAtMs: null,
      lastUsedAtMs: 60_000,
    },
  ],
  token: hostileText("token"),
};

describe("the account page", () => {
  it("shows names, addresses, tenants, providers and browsers as text", async () => {
    const page = await accountPage(account, new Map([["one", hostileText("provider")]]));
    expectEscaped(
      page,
      [
        "person",
        "address",
        "issuer",
        "subject",
        "id",
        "tenant",
        "provider",
        "agent",
        "inviter",
        "key tenant",
        "key",
      ],
      ['<script src="/assets/account.js" type="module">'],
    );
    expect(page).toContain(`<title>${escapedText("person")} · Control API</title>`);
    expect(page).toContain(`<h1>${escapedText("person")}</h1>`);
  });

  it("keeps values and labels inside their attributes", async () => {
    const page = await accountPage(account, new Map());
    expect(page).toContain(
      `<option value="${escapedText("id")}">${escapedText("tenant")}</option>`,
    );
    expect(page).toContain(`data-path="/auth/sessions/${escapedText("other session")}"`);
    expect(page).toContain(
      `data-path="/auth/invitations/${escapedText("invitation")}/accept" data-then="reload"`,
    );
    expect(page).toContain("may templates:read; last used <time");
    expect(page).toContain(
      `aria-label="End the session of ${escapedText("agent")}, since 1970-01-01 00:00 UTC"`,
    );
  });
});
