import { describe, expect, it } from "vitest";
import { escapedText, expectEscaped, hostileText } from "#test/support/hostile-text.ts";
import { loginPage } from "./login-page.tsx";

const shown = {
  providers: [
    { label: hostileText("label"), loginUrl: `/login/${hostileText("login")}` },
    { label: "Other", loginUrl: "/login/other" },
  ],
  returnTo: { sent: hostileText("sent"), url: `/${hostileText("url")}` },
  isInvited: true,
  error: hostileText("code"),
  signedInAs: hostileText("person"),
};

describe("the sign-in page", () => {
  it("shows people and providers as text", async () => {
    const page = await loginPage(shown);
    expectEscaped(page, ["label", "login", "url", "person"]);
    expect(page).toContain(`<strong>${escapedText("person")}</strong>`);
    expect(page).toContain(`Continue with ${escapedText("label")}</a>`);
  });

  it("keeps addresses inside their attributes", async () => {
    const page = await loginPage(shown);
    expect(page).toContain(`href="/${escapedText("url")}"`);
    const query = new URLSearchParams({
      returnTo: shown.returnTo.sent,
    });
    expect(page).toContain(
      `href="/login/${escapedText("login")}?${query.toString().replaceAll("&", "&amp;")}"`,
    );
  });

  it("repeats no text of a provider", async () => {
    expect(await loginPage(shown)).not.toContain("§code§");
    expect(await loginPage({ ...shown, error: "token_invalid" })).toContain(
      "The provider&#39;s ID token is not valid.",
    );
  });
});
