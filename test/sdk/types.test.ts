/** A client's author has nothing but the document: what a generator makes of it must carry a whole program. */
import { execFile, execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { loadSource } from "../../scripts/reference/load-source.ts";
import { builtAssets } from "../support/built-assets.ts";
import { partOf } from "../support/depth.ts";
import { realAnswers } from "./real-answers.ts";
import { writeOrval, writeSwaggerClient } from "./write-clients.ts";
import { writeModels } from "./write-models.ts";
import { writeSdk } from "./write-sdk.ts";
import { writeTypes } from "./write-types.ts";

const root = path.resolve(import.meta.dirname, "../..");
const typesFile = path.join(root, "dist/sdk/api.ts");
const run = promisify(execFile);

interface App {
  app: { request: (path: string, init: object, env: object) => Promise<Response> };
}

/** What the compiler has to say, line by line; empty: nothing. */
async function mistakesIn(project: string): Promise<string[]> {
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [compiler, "-p", project, "--pretty", "false"], {
    cwd: import.meta.dirname,
  }).catch((error: { stdout: string }) => error);
  return stdout.split("\n").filter((line) => /error TS\d+/.test(line));
}

interface Document {
  components: { schemas: Record<string, object> };
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  operationId: string;
  parameters?: { required?: boolean }[];
  security?: object[];
  responses: Record<string, Answer>;
}

interface Answer {
  content?: { "application/json"?: { schema: { $ref?: string }; example: unknown } };
}

async function theDocument(): Promise<Document> {
  const { app } = await loadSource<App>("src/app.ts");
  const bindings = {
    RATE_LIMITS: "off",
    WEBHOOK_ALLOW_INSECURE: "on",
    DB: {},
    ASSETS: builtAssets,
  };
  const answer = await app.request("/api/v1/openapi.json", {}, bindings);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Document;
}

/** Each takes seconds: an ordinary run takes one of them. */
const generators = partOf(
  ["openapi-typescript", "hey-api", "quicktype", "orval", "swagger-typescript-api"] as const,
  5,
);

describe.runIf(generators.includes("openapi-typescript"))("the types of the document", () => {
  beforeAll(async () => {
    await writeTypes(await theDocument(), typesFile);
  }, 60_000);

  it("carry a program that does the main job", { timeout: 60_000 }, async () => {
    expect(await mistakesIn("tsconfig.json")).toEqual([]);
  });

  it("let no mistake pass", { timeout: 60_000 }, async () => {
    const lines = (
      await readFile(path.join(import.meta.dirname, "wrong-program.ts"), "utf8")
    ).split("\n");
    const wrong = lines.flatMap((line, at) => (line.includes("// wrong") ? [at + 1] : []));
    const found = (await mistakesIn("tsconfig.wrong.json")).map((line) =>
      Number(/^wrong-program\.ts\((\d+),/.exec(line)?.[1]),
    );
    expect([...new Set(found)]).toEqual(wrong);
  });
});

describe.runIf(generators.includes("hey-api"))("the functions that hey-api makes of it", () => {
  it("carry a program, and let no mistake pass", { timeout: 120_000 }, async () => {
    await writeSdk(await theDocument(), path.join(root, "dist/sdk/hey-api"));
    expect(await mistakesIn("tsconfig.sdk.json")).toEqual([]);
  });
});

interface ZodSchema {
  safeParse: (value: unknown) => { success: boolean; error?: { message: string } };
}

describe.runIf(generators.includes("orval"))("what orval makes of it", () => {
  beforeAll(async () => {
    const document = await theDocument();
    for (const client of ["fetch", "zod"] as const)
      await writeOrval(document, client, path.join(root, `dist/sdk/orval-${client}`));
  }, 120_000);

  it("carries a program, and lets no mistake pass", { timeout: 120_000 }, async () => {
    expect(await mistakesIn("tsconfig.orval.json")).toEqual([]);
  });

  it("takes every example and the service's own answers", { timeout: 180_000 }, async () => {
    const { paths } = await theDocument();
    const schemas = (await import(path.join(root, "dist/sdk/orval-zod/api.ts"))) as Record<
      string,
      ZodSchema
    >;
    const refused: unknown[] = [];
    const parse = (operationId: string, status: string, body: unknown) => {
      const name = operationId.replace(/^./, (letter) => letter.toUpperCase());
      const schema = schemas[`${name}Response`] ?? schemas[`${name}${status}Response`];
      const read = schema?.safeParse(body);
      if (read === undefined) refused.push([operationId, "there is no schema"]);
      else if (!read.success) refused.push([operationId, read.error?.message, body]);
    };
    const reads: { operationId: string; path: string }[] = [];
    for (const [at, item] of Object.entries(paths))
      for (const [method, { operationId, responses, parameters = [], security }] of Object.entries(
        item,
      ))
        for (const [status, { content }] of Object.entries(responses)) {
          const media = content?.["application/json"];
          if (media === undefined || status >= "300") continue;
          parse(operationId, status, media.example);
          const isPlain = method === "get" && !at.includes("{") && !at.includes("/auth/");
          if (isPlain && security?.length !== 0 && parameters.every((one) => one.required !== true))
            reads.push({ operationId, path: at });
        }
    const answers = await realAnswers(reads);
    expect(answers.length).toBeGreaterThan(25);
    for (const [operationId, body] of answers) parse(operationId, "200", body);
    expect(refused).toEqual([]);
  });
});

describe.runIf(generators.includes("swagger-typescript-api"))(
  "the class that swagger-typescript-api makes of it",
  () => {
    it("carries a program, and lets no mistake pass", { timeout: 240_000 }, async () => {
      const directory = path.join(root, "dist/sdk/swagger-typescript-api");
      await writeSwaggerClient(await theDocument(), directory);
      expect(await mistakesIn("tsconfig.swagger.json")).toEqual([]);
    });
  },
);

/** Absent: no Python 3 here. */
const python = ["python3", "python"].find((command) => {
  try {
    return execFileSync(command, ["--version"], { encoding: "utf8" }).startsWith("Python 3");
  } catch {
    return false;
  }
});

if (python === undefined)
  console.warn("What quicktype makes of the document is not run: there is no Python 3.");
const takesPython = python !== undefined && generators.includes("quicktype");

describe.runIf(takesPython)("the Python classes that quicktype makes of it", () => {
  it("read every kind of answer and write it back", { timeout: 60_000 }, async () => {
    const document = await theDocument();
    const answers = answersIn(document);
    expect(answers.length).toBeGreaterThan(30);
    const directory = path.join(root, "dist/sdk/python");
    const names = [...answers.map(([name]) => name), "Deployment", "Problem"];
    await writeModels(document, [...new Set(names)], path.join(directory, "models.py"));
    const deployment = answers.find(([name]) => name === "Deployment")?.[1];
    const done = { ...(deployment as object), operation: "deploy", state: "SUCCEEDED" };
    const output = execFileSync(
      python ?? "",
      ["-B", "read_answers.py", directory, JSON.stringify(done)],
      { cwd: import.meta.dirname, encoding: "utf8", input: JSON.stringify(answers) },
    );
    const { instanceId } = deployment as { instanceId: string };
    expect(output.trim().split("\n")).toEqual([
      ...answers.map(([name]) => name),
      `deploy of ${instanceId} succeeded`,
      "what is no deployment is refused",
    ]);
  });
});

/** The example of each schema that an endpoint answers with. */
function answersIn({ paths }: Document): [name: string, example: unknown][] {
  const found = new Map<string, unknown>();
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item)))
    for (const [status, { content }] of Object.entries(operation.responses)) {
      const media = content?.["application/json"];
      const name = media?.schema.$ref?.split("/").at(-1);
      if (name !== undefined && status < "300") found.set(name, media?.example);
    }
  return [...found];
}
