/** A tenant with a hostile name, and visits of an operator to the console's pages around deployments. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, clientOf, type Named } from "../../scripts/client/client.ts";
import { partOf } from "../support/depth.ts";
import { type OpenPage, phone, sharedService, takeScreenshot } from "./browser.ts";
import { type ConsoleVisits, consoleVisits, desktop, expectReadable } from "./console-visit.ts";

export const hostile = `<img src=x onerror="document.title='taken'">`;

export interface ConsoleTenant {
  visits: ConsoleVisits;
  client: Client;
  tenantId: string;
}

/** One for all tests of the suite. */
export function consoleTenant(): ConsoleTenant {
  const made = {} as ConsoleTenant;
  beforeAll(async () => {
    const service = await sharedService();
    made.visits = await consoleVisits(service);
    const operator = clientOf(service.address, service.operatorKey);
    const tenant = await operator.post<Named>("/tenants", {
      name: `Around ${hostile}`,
      slug: `around-${crypto.randomUUID().slice(0, 8)}`,
    });
    made.tenantId = tenant.id;
    const { key } = await operator.post<{ key: string }>("/api-keys", {
      name: `pipeline ${hostile}`,
      scopes: ["*"],
      tenantId: tenant.id,
    });
    made.client = clientOf(service.address, key);
  });
  afterAll(async () => {
    await made.visits?.close();
  });
  return made;
}

/** The browser's own words for an answer that was expected are no fault. */
export function expectCleanBut({ visits }: ConsoleTenant, opened: OpenPage, status: number): void {
  const errors = opened.errors.filter((error) => !error.includes(`status of ${status}`));
  visits.expectClean({ ...opened, errors });
}

/** A form that is folded in, unless the page shows it at once. */
export async function unfold(page: Page, words: string): Promise<void> {
  const folded = page.locator("details:not([open]) > summary", { hasText: words });
  if ((await folded.count()) > 0) await folded.click();
}

export function withoutValidation(form: Element): void {
  (form as HTMLFormElement).noValidate = true;
}

const screens = [
  ["phone", phone],
  ["dark desktop", { ...desktop, colorScheme: "dark" }],
  ["phone without a script", { ...phone, javaScriptEnabled: false }],
] as const;

/** Tests that the pages, which other tests have made, can be read on other screens. */
export function readableOnScreens(scene: ConsoleTenant, places: readonly string[]): void {
  it.for(partOf(screens, 3))(
    "is readable on a %s",
    { timeout: 60_000 },
    async ([name, options]) => {
      expect(places).not.toEqual([]);
      const opened = await scene.visits.open("/webhooks", options);
      const { page } = opened;
      for (const place of places) {
        const response = await page.goto(new URL(place, page.url()).href);
        expect([place, response?.status()]).toEqual([place, 200]);
        if (!name.includes("script")) await expectReadable(page);
        const [room, id, more] = new URL(page.url()).pathname.slice(1).split("/");
        const picture = ["console", room, id && "one", more, ...name.split(" ")].filter(Boolean);
        await takeScreenshot(page, picture.join("-"), { fullPage: true });
      }
      scene.visits.expectClean(opened);
    },
  );
}
