import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { problemWith } from "./floors.ts";

const importing = (from: string, importKind = "value") => ({ source: { value: from }, importKind });

describe("the floors", () => {
  it.each([
    ["src/kernel/call/call.ts", "#kernel/access/access.ts"],
    ["src/kernel/limits/quota-counter.ts", "cloudflare:workers"],
    ["src/http/route.ts", "hono"],
    ["src/http/route.ts", "#kernel/call/call.ts"],
    ["src/schema/tenants.ts", "drizzle-orm/sqlite-core"],
    ["src/engine/plan/plan.ts", "./diff.ts"],
    ["src/engine/plan/plan.ts", "#schema/lists/deployment-states.ts"],
    ["src/importers/text/load-json.ts", "jsonc-parser"],
    ["src/importers/mappings/aws.ts", "#providers/catalogue/catalogue.ts"],
    ["src/orchestrator/run/run.ts", "#schema/deployments.ts"],
    ["src/orchestrator/program/provider-context.ts", "#providers/auth/resolve-credential.ts"],
    ["src/providers/registry.ts", "./mock/types.ts"],
    ["src/providers/mock/mock-provider.ts", "#providers/rest/rest-provider.ts"],
    ["src/providers/gcp/sign.ts", "jose"],
    ["src/areas/deployments/start-deployment.ts", "#areas/instances/public.ts"],
    ["src/areas/deployments/queue-deployment.ts", "#orchestrator/client/notify-runner.ts"],
    ["src/areas/templates/contract.ts", "zod"],
    ["src/areas/docs/page/docs-page.tsx", "hono/html"],
    ["src/areas/docs/page/docs-page.tsx", "#areas/docs/document/json-at.ts"],
    ["src/areas/status/day-marks.tsx", "hono/jsx/jsx-runtime"],
    ["src/areas/status/status-page.test.tsx", "vitest"],
    ["src/areas/instances/page-routes.tsx", "hono"],
    ["src/http/pages/minute.tsx", "hono/jsx/jsx-runtime"],
    ["src/areas/sign-in/open-session.ts", "./oidc/reason.ts"],
    ["src/areas/webhooks/delivery/send.ts", "#areas/webhooks/webhook.ts"],
    ["src/app.ts", "#areas/webhooks/routes.ts"],
    ["src/console/webhooks/webhook-page.tsx", "#areas/webhooks/contract.ts"],
    ["src/console/deployments/log-lines.tsx", "#console/shared/page-names.ts"],
    ["src/console/browser/forms/acts.ts", "#console/shared/page-names.ts"],
    ["src/console/browser/editor/theme.ts", "@codemirror/view"],
  ])("let %s import %s", (file, from) => {
    expect(problemWith(file, importing(from))).toBeUndefined();
  });

  it.each([
    ["src/platform/json.ts", "#kernel/errors.ts", "platform is independent"],
    ["src/schema/tenants.ts", "#engine/plan/steps.ts", "schema contains tables"],
    ["src/schema/tenants.ts", "zod", "schema contains tables"],
    ["src/kernel/call/call.ts", "#areas/tenants/public.ts", "kernel may import"],
    ["src/kernel/call/call.ts", "#http/route.ts", "kernel may import"],
    ["src/kernel/call/call.ts", "../errors.ts", "`../`"],
    ["src/kernel/call/call.ts", "hono", "Only routes"],
    ["src/http/lists/page.ts", "#areas/tenants/public.ts", "http may import"],
    ["src/engine/plan/plan.ts", "hono", "Only routes"],
    ["src/engine/plan/plan.ts", "drizzle-orm", "engine is pure"],
    ["src/engine/template/deep/er.ts", "cloudflare:workers", "engine is pure"],
    ["src/engine/plan/plan.ts", "#providers/provider.ts", "engine is pure"],
    ["src/engine/plan/plan.ts", "#schema/deployments.ts", "engine is pure"],
    ["src/importers/hcl/parse.ts", "#kernel/call/call.ts", "importers are pure"],
    ["src/orchestrator/run/run.ts", "#areas/deployments/public.ts", "no provider and no area"],
    [
      "src/orchestrator/program/program.ts",
      "#providers/mock/connect.ts",
      "no provider and no area",
    ],
    ["src/providers/provider.ts", "./rest/rest-type.ts", "The port imports no provider"],
    ["src/providers/registry.ts", "./mock/connect.ts", "The registry may import"],
    ["src/providers/rest/rest-provider.ts", "#providers/mock/types.ts", "but no provider"],
    ["src/providers/gcp/gcp-provider.ts", "#providers/mock/config.ts", "A provider may import"],
    ["src/providers/gcp/deep/er.ts", "#orchestrator/run/run.ts", "A provider may import"],
    ["src/providers/mock/mock-provider.ts", "#engine/plan/plan.ts", "A provider may import"],
    ["src/areas/instances/store.ts", "#areas/deployments/store.ts", "by its public.ts"],
    ["src/areas/instances/store.ts", "#areas/instances/contract.ts", "same folder"],
    ["src/areas/instances/store.ts", "#orchestrator/run/run.ts", "by its client"],
    ["src/areas/sign-in/oidc/identity.ts", "#areas/tenants/store.ts", "by its public.ts"],
    ["src/areas/instances/create-instance.ts", "hono", "Only routes"],
    ["src/areas/instances/deep/er.ts", "hono", "Only routes"],
    ["src/areas/instances/contract.ts", "drizzle-orm", "A contract contains"],
    ["src/areas/feature-flags/ofrep-contract.ts", "drizzle-orm", "A contract contains"],
    ["src/areas/instances/deep/contract.ts", "drizzle-orm", "A contract contains"],
    ["src/areas/instances/contract.tsx", "drizzle-orm", "A contract contains"],
    ["src/areas/instances/routes.ts", "drizzle-orm", "Routes handle HTTP"],
    ["src/areas/instances/page-routes.tsx", "drizzle-orm", "Routes handle HTTP"],
    ["src/areas/docs/page/docs-page.tsx", "hono", "Only routes"],
    ["src/areas/docs/page/docs-page.tsx", "hono/jsx-renderer", "by its public.ts"],
    ["src/areas/status/day-marks.tsx", "vitest", "Only tests"],
    ["src/kernel/call/page.tsx", "hono/jsx", "kernel may import"],
    ["src/console/instances/instance-page.tsx", "#console/browser/page/part.ts", "or script"],
    ["src/console/browser/forms/acts.ts", "#console/parts.tsx", "A script of a page"],
    ["src/console/browser/deployment.ts", "#areas/deployments/contract.ts", "A script of a page"],
    ["src/console/shared/page-names.ts", "#console/browser/page/part.ts", "share names"],
    ["src/areas/feature-flags/ofrep-routes.ts", "drizzle-orm", "Routes handle HTTP"],
    ["src/areas/tenants/create-tenant.ts", "#areas/webhooks/public.ts", "imports webhooks"],
    ["src/areas/tenants/store.ts", "vitest", "Only tests"],
    ["src/attic/old.ts", "zod", "No floor"],
  ])("keep %s from importing %s", (file, from, why) => {
    expect(problemWith(file, importing(from))).toContain(why);
  });

  it("let the engine import types of the port and of tables", () => {
    for (const from of ["#providers/provider.ts", "#schema/deployments.ts"])
      expect(problemWith("src/engine/plan/plan.ts", importing(from, "type"))).toBeUndefined();
  });
});

describe("the linter", () => {
  const root = mkdtempSync(join(tmpdir(), "control-lint-"));
  afterAll(() => rmSync(root, { recursive: true }));

  /** One violation of each kind, in nested and prefixed files. */
  const planted = {
    "src/platform/planted.ts": 'import { x } from "#kernel/errors.ts";',
    "src/schema/planted.ts": 'import { x } from "#areas/tenants/contract.ts";',
    "src/kernel/call/planted.ts": 'import { x } from "#http/route.ts";',
    "src/engine/template/planted.ts": 'import { x } from "drizzle-orm";',
    "src/orchestrator/run/planted.ts": 'import { x } from "#providers/mock/connect.ts";',
    "src/providers/gcp/deep/planted.ts": 'import { x } from "#providers/mock/config.ts";',
    "src/areas/tenants/planted.ts": 'import { x } from "#areas/deployments/store.ts";',
    "src/areas/triggers/planted-contract.ts": 'import { x } from "drizzle-orm";',
    "src/areas/sign-in/oidc/planted.ts": 'import { x } from "hono";',
    "src/areas/tenants/planted-page.tsx": 'import { x } from "#areas/status/store.ts";',
    "src/areas/tenants/up.ts": 'import { x } from "../deployments/store.ts";',
    "src/areas/license/zod.ts": 'import { z } from "zod";\nconst x = z;',
    "src/kernel/promise.ts": "let x: Promise<number> | undefined;",
  };

  it("reports each of thirteen planted violations", () => {
    for (const [path, source] of Object.entries(planted)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `${source}\nconsole.log(x);\n`);
    }
    writeFileSync(
      join(root, ".oxlintrc.json"),
      JSON.stringify({
        jsPlugins: [join(process.cwd(), "lint/house.ts")],
        categories: { correctness: "off" },
        rules: { "house/imports": "error", "house/kept-promises": "error", "house/zod": "error" },
      }),
    );
    const oxlint = join(process.cwd(), "node_modules/oxlint/bin/oxlint");
    const { stdout } = spawnSync(process.execPath, [oxlint, "--format", "json"], {
      cwd: root,
      encoding: "utf8",
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string }[] };
    expect(diagnostics.map(({ filename }) => filename).toSorted()).toEqual(
      Object.keys(planted).toSorted(),
    );
  });
});
