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
    ["src/http/router.ts", "hono"],
    ["src/http/router.ts", "#kernel/call/call.ts"],
    ["src/schema/tenants.ts", "drizzle-orm/sqlite-core"],
    ["src/engine/plan/plan.ts", "./diff.ts"],
    ["src/engine/plan/plan.ts", "#schema/deployment-states.ts"],
    ["src/importers/hcl/parse.ts", "hcl2-parser"],
    ["src/importers/mappings/aws.ts", "#providers/catalogue/catalogue.ts"],
    ["src/orchestrator/run/run.ts", "#schema/deployments.ts"],
    ["src/orchestrator/program/provider-context.ts", "#providers/auth/resolve-credential.ts"],
    ["src/providers/registry.ts", "./mock/types.ts"],
    ["src/providers/mock/mock-provider.ts", "#providers/rest/rest-provider.ts"],
    ["src/providers/gcp/sign.ts", "jose"],
    ["src/areas/instances/start-deployment.ts", "#areas/deployments/public.ts"],
    ["src/areas/instances/start-deployment.ts", "#orchestrator/client/ring.ts"],
    ["src/areas/templates/contract.ts", "zod"],
    ["src/areas/docs/page.tsx", "hono/jsx"],
    ["src/areas/sign-in/open-session.ts", "./oidc/reason.ts"],
    ["src/areas/webhooks/delivery/send.ts", "#areas/webhooks/webhook.ts"],
    ["src/app.ts", "#areas/webhooks/routes.ts"],
  ])("let %s import %s", (file, from) => {
    expect(problemWith(file, importing(from))).toBeUndefined();
  });

  it.each([
    ["src/platform/json.ts", "#kernel/errors.ts", "platform would fit any Worker"],
    ["src/schema/tenants.ts", "#engine/plan/steps.ts", "schema is tables"],
    ["src/schema/tenants.ts", "zod", "schema is tables"],
    ["src/kernel/call/call.ts", "#areas/tenants/public.ts", "The kernel knows"],
    ["src/kernel/call/call.ts", "#http/router.ts", "The kernel knows"],
    ["src/kernel/call/call.ts", "../errors.ts", "`../`"],
    ["src/kernel/call/call.ts", "hono", "Routes alone"],
    ["src/http/page.ts", "#areas/tenants/public.ts", "http knows"],
    ["src/engine/plan/plan.ts", "hono", "Routes alone"],
    ["src/engine/plan/plan.ts", "drizzle-orm", "engine is pure"],
    ["src/engine/template/deep/er.ts", "cloudflare:workers", "engine is pure"],
    ["src/engine/plan/plan.ts", "#providers/provider.ts", "engine is pure"],
    ["src/engine/plan/plan.ts", "#schema/deployments.ts", "engine is pure"],
    ["src/importers/hcl/parse.ts", "#kernel/call/call.ts", "importers are pure"],
    ["src/orchestrator/run/run.ts", "#areas/deployments/public.ts", "no cloud and no area"],
    ["src/orchestrator/program/program.ts", "#providers/mock/connect.ts", "no cloud and no area"],
    ["src/providers/provider.ts", "./rest/rest-type.ts", "The port knows no cloud"],
    ["src/providers/registry.ts", "./mock/connect.ts", "The registry knows"],
    ["src/providers/rest/rest-provider.ts", "#providers/mock/types.ts", "and no cloud"],
    ["src/providers/gcp/gcp-provider.ts", "#providers/mock/config.ts", "A cloud knows"],
    ["src/providers/gcp/deep/er.ts", "#orchestrator/run/run.ts", "A cloud knows"],
    ["src/providers/mock/mock-provider.ts", "#engine/plan/plan.ts", "A cloud knows"],
    ["src/areas/instances/store.ts", "#areas/deployments/store.ts", "by its public.ts"],
    ["src/areas/instances/store.ts", "#areas/instances/contract.ts", "A neighbour"],
    ["src/areas/instances/store.ts", "#orchestrator/run/run.ts", "by its client"],
    ["src/areas/sign-in/oidc/identity.ts", "#areas/tenants/store.ts", "by its public.ts"],
    ["src/areas/instances/create-instance.ts", "hono", "Routes alone"],
    ["src/areas/instances/deep/er.ts", "hono", "Routes alone"],
    ["src/areas/instances/contract.ts", "drizzle-orm", "A contract is zod"],
    ["src/areas/feature-flags/ofrep-contract.ts", "drizzle-orm", "A contract is zod"],
    ["src/areas/instances/deep/contract.ts", "drizzle-orm", "A contract is zod"],
    ["src/areas/instances/routes.ts", "drizzle-orm", "Routes speak HTTP"],
    ["src/areas/feature-flags/ofrep-routes.ts", "drizzle-orm", "Routes speak HTTP"],
    ["src/areas/tenants/create-tenant.ts", "#areas/webhooks/public.ts", "Nobody imports webhooks"],
    ["src/areas/tenants/store.ts", "vitest", "For tests"],
    ["src/attic/old.ts", "zod", "There is no floor"],
  ])("keep %s from importing %s", (file, from, why) => {
    expect(problemWith(file, importing(from))).toContain(why);
  });

  it("let the engine name types of the port and of tables", () => {
    for (const from of ["#providers/provider.ts", "#schema/deployments.ts"])
      expect(problemWith("src/engine/plan/plan.ts", importing(from, "type"))).toBeUndefined();
  });
});

describe("the linter", () => {
  const root = mkdtempSync(join(tmpdir(), "control-lint-"));
  afterAll(() => rmSync(root, { recursive: true }));

  /** One of each kind of violation, in files as deep and named as they come. */
  const planted = {
    "src/platform/planted.ts": 'import { x } from "#kernel/errors.ts";',
    "src/schema/planted.ts": 'import { x } from "#areas/tenants/contract.ts";',
    "src/kernel/call/planted.ts": 'import { x } from "#http/router.ts";',
    "src/engine/template/planted.ts": 'import { x } from "drizzle-orm";',
    "src/orchestrator/run/planted.ts": 'import { x } from "#providers/mock/connect.ts";',
    "src/providers/gcp/deep/planted.ts": 'import { x } from "#providers/mock/config.ts";',
    "src/areas/tenants/planted.ts": 'import { x } from "#areas/deployments/store.ts";',
    "src/areas/triggers/planted-contract.ts": 'import { x } from "drizzle-orm";',
    "src/areas/sign-in/oidc/planted.ts": 'import { x } from "hono";',
    "src/areas/tenants/up.ts": 'import { x } from "../deployments/store.ts";',
    "src/areas/license/zod.ts": 'import { z } from "zod";\nconst x = z;',
    "src/kernel/promise.ts": "let x: Promise<number> | undefined;",
  };

  it("refuses each of twelve planted violations", () => {
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
