import { describe, expect, it } from "vitest";
import type { Expression, Member } from "#importers/expression.ts";
import type { FileVerdict } from "#importers/import-format.ts";
import { ImportLog, type ImportWarning } from "#importers/import-log.ts";
import type { SourceModule } from "#importers/source-module.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { composeParser } from "./compose.ts";
import { detectCompose } from "./detect-compose.ts";

interface Read {
  verdicts: readonly FileVerdict[];
  modules: readonly SourceModule[];
  warnings: readonly ImportWarning[];
}

async function read(files: { [path: string]: string }): Promise<Read> {
  const log = new ImportLog();
  const all = Object.entries(files).map(([path, text]) => ({ path, text }));
  const { verdicts, modules } = parsedBy(composeParser, all, log);
  return { verdicts, modules, warnings: log.warnings() };
}

/** The setting `x` of a service, and the variables of its file. */
async function setting(
  written: string,
): Promise<{ value: Expression | undefined; variables: SourceModule["variables"] }> {
  const text = `services:\n  a:\n    x: ${JSON.stringify(written)}\n`;
  const { modules } = await read({ "compose.yaml": text });
  const [module] = modules;
  return {
    value: module?.resources[0]?.settings.members[0]?.value,
    variables: module?.variables ?? [],
  };
}

const shop = `name: shop
x-common: &common { restart: always }
services:
  web:
    image: web:\${TAG:-latest}
    depends_on:
      db: { condition: service_healthy }
    networks: [front]
    volumes:
      - data:/data:ro
      - ./local:/x
      - { type: volume, source: cache, target: /cache }
    configs: [{ source: settings }]
    environment:
      DB_PASSWORD: CANARY
      API_KEY: "pre-CANARY-\${SUFFIX}"
      URL: postgres://user:CANARY@db/x
      MODE: fast
      FROM_SHELL:
    deploy: { replicas: 3 }
  db:
    image: postgres
    secrets: [db_word]
    command: ["--password=CANARY", "--name=x"]
    environment:
      - POSTGRES_PASSWORD=CANARY
      - POSTGRES_DB=\${DB:?must be set}
      - TOKEN
  proxy:
    image: proxy
    network_mode: service:web
    links: ["db:database"]
    profiles: [debug]
volumes:
  data:
  cache: { external: true }
networks: { front: {} }
secrets:
  db_word: { file: ./word.txt }
  inline: { content: CANARY }
configs:
  settings: { file: ./settings.yml }
`;

describe("a Compose file", () => {
  it("is a module with its services and their shared objects", async () => {
    const { verdicts, modules, warnings } = await read({ "compose.yaml": shop });
    expect(warnings).toEqual([]);
    expect(verdicts).toEqual([
      { path: "compose.yaml", state: "PARSED", counts: { resource: 9, variable: 5 } },
    ]);
    expect(
      modules[0]?.resources.map(({ address, type, mode, repeated }) => [
        address,
        type,
        mode,
        repeated,
      ]),
    ).toEqual([
      ["service.web", "compose/service", "managed", true],
      ["service.db", "compose/service", "managed", false],
      ["service.proxy", "compose/service", "managed", true],
      ["volume.data", "compose/volume", "managed", false],
      ["volume.cache", "compose/volume", "data", false],
      ["network.front", "compose/network", "managed", false],
      ["secret.db_word", "compose/secret", "managed", false],
      ["secret.inline", "compose/secret", "managed", false],
      ["config.settings", "compose/config", "managed", false],
    ]);
  });

  it("leads services to their dependencies", async () => {
    const { modules } = await read({ "compose.yaml": shop });
    expect(
      modules[0]?.resources.slice(0, 3).map(({ dependsOn }) => dependsOn.map((one) => one.address)),
    ).toEqual([
      ["service.db", "volume.data", "volume.cache", "network.front", "config.settings"],
      ["secret.db_word"],
      ["service.db", "service.web"],
    ]);
    expect(modules[0]?.resources[0]?.settings.members.map(({ name }) => name)).not.toContain(
      "depends_on",
    );
  });

  it("declares the variables that it takes from its environment", async () => {
    const { modules } = await read({ "compose.yaml": shop });
    expect(
      modules[0]?.variables.map(({ name, default: given, sensitive, line }) => [
        name,
        given,
        sensitive,
        line,
      ]),
    ).toEqual([
      ["TAG", { kind: "literal", value: "latest" }, false, 5],
      ["SUFFIX", undefined, false, 16],
      ["FROM_SHELL", undefined, false, 19],
      ["DB", undefined, false, 27],
      ["TOKEN", undefined, true, 28],
    ]);
  });

  it("keeps no value under a name of a secret, but keeps the others", async () => {
    const { modules } = await read({ "compose.yaml": shop });
    expect(JSON.stringify(modules)).not.toContain("CANARY");
    const environment = (at: number): readonly Member[] => {
      const members = modules[0]?.resources[at]?.settings.members ?? [];
      const value = members.find(({ name }) => name === "environment")?.value;
      return value?.kind === "object" ? value.members : [];
    };
    expect(environment(0)).toMatchObject([
      { name: "DB_PASSWORD", value: { kind: "opaque", text: "" } },
      {
        name: "API_KEY",
        value: { kind: "text", parts: [{ kind: "opaque" }, { kind: "reference" }] },
      },
      { name: "URL", value: { kind: "opaque", text: "" } },
      { name: "MODE", value: { kind: "literal", value: "fast" } },
      { name: "FROM_SHELL", value: { target: { kind: "variable", name: "FROM_SHELL" } } },
    ]);
    expect(environment(1).map(({ name, value }) => [name, value.kind])).toEqual([
      ["POSTGRES_PASSWORD", "opaque"],
      ["POSTGRES_DB", "reference"],
      ["TOKEN", "reference"],
    ]);
    expect(JSON.stringify(modules)).toContain("--name=x");
  });

  it("has a verdict when it is empty or cannot be read", async () => {
    const { verdicts, warnings } = await read({
      "a/compose.yaml": "# nothing\n",
      "b/compose.yaml": "text",
      "c/compose.yaml": "services: [\n",
      "d/compose.yaml": "include: [x.yaml]\nservices: [a]\nvolumes:\n",
    });
    expect(verdicts.map(({ state, reason }) => [state, reason])).toEqual([
      ["SKIPPED", "empty_file"],
      ["FAILED", "not_a_compose_file"],
      ["FAILED", "invalid_yaml"],
      ["PARSED", undefined],
    ]);
    expect(warnings.slice(-2).map(({ code }) => code)).toEqual([
      "include_not_found",
      "section_not_read",
    ]);
  });
});

describe("an interpolation", () => {
  const variable = (name: string) => ({ kind: "reference", target: { kind: "variable", name } });

  it("refers to a variable with or without braces", async () => {
    expect((await setting("$A")).value).toMatchObject(variable("A"));
    expect((await setting("${A}")).value).toMatchObject(variable("A"));
    expect((await setting("x$A-${B}}")).value).toMatchObject({
      kind: "text",
      parts: [{ value: "x" }, variable("A"), { value: "-" }, variable("B"), { value: "}" }],
    });
  });

  it("reads two dollar signs as one", async () => {
    expect((await setting("$${A} costs 5$$")).value).toEqual({
      kind: "literal",
      value: "${A} costs 5$",
    });
  });

  it("may have a default, with variables of its own", async () => {
    const { value, variables } = await setting("${A-${B:-x}} ${A:-later}");
    expect(value).toMatchObject({ parts: [variable("A"), { value: " " }, variable("A")] });
    expect(variables).toMatchObject([
      { name: "B", default: { kind: "literal", value: "x" } },
      { name: "A", default: variable("B") },
    ]);
  });

  it("has no default for a secret that is shown", async () => {
    const { value, variables } = await setting(
      "${DB_PASSWORD:-CANARY} ${URL:-redis://:CANARY@x} ${TEXT:-redis://:CANARY@$HOST}",
    );
    expect(variables).toMatchObject([
      { name: "DB_PASSWORD", sensitive: true, default: { kind: "opaque", text: "" } },
      { name: "URL", sensitive: false, default: { kind: "opaque", text: "" } },
      { name: "HOST" },
      { name: "TEXT", default: { kind: "text", parts: [{ kind: "opaque" }, variable("HOST")] } },
    ]);
    expect(JSON.stringify([value, variables])).not.toContain("CANARY");
  });

  it("is required where it has an error, and opaque where another value replaces it", async () => {
    const must = await setting("${A:?needed ${B}}");
    expect(must.value).toMatchObject(variable("A"));
    expect(must.variables.map(({ name, default: given }) => [name, given])).toEqual([
      ["B", undefined],
      ["A", undefined],
    ]);
    expect((await setting("${A:+CANARY}")).value).toMatchObject({
      kind: "opaque",
      text: "${A:+…}",
      references: [variable("A")],
    });
  });

  it("without an end or with too many levels is kept as its text", async () => {
    for (const text of ["${A", "${A:-${B}", "${1}", "$ ", "${A:-".repeat(50_000)]) {
      const { value, variables } = await setting(text);
      expect(value).toMatchObject({ kind: "opaque", text: text.slice(0, 4_096) });
      expect(variables).toEqual([]);
    }
  });
});

describe("the detection", () => {
  const detects = (path: string, text: string): boolean => detectCompose({ path, text });

  it("goes by the file's name, or by services with images", () => {
    for (const name of ["compose.yaml", "a/docker-compose.yml", "docker-compose.prod.yml"])
      expect(detects(name, ""), name).toBe(true);
    expect(
      detects("stack.yml", "version: '3'\r\nservices:\r\n\r\n  # x\r\n  web:\r\n    image: a\r\n"),
    ).toBe(true);
  });

  it("rejects other files with services", () => {
    expect(detects("compose.json", "")).toBe(false);
    expect(detects("decompose.yaml", "")).toBe(false);
    expect(detects("a.yml", "services:\n  App\\A:\n    public: true\n")).toBe(false);
    expect(detects("a.yml", "services:\n  - postgres\njob:\n  image: x\n")).toBe(false);
    expect(detects("a.yml", "apiVersion: v1\nservices:\n  a:\n    image: x\n")).toBe(false);
  });
});

describe("an override file", () => {
  const base = `services:
  web:
    image: web
    command: [serve, a]
    ports: ["80:80"]
    volumes: ["data:/data", "logs:/logs"]
    depends_on: [db]
    environment: { MODE: fast, LEVEL: info }
  db: { image: postgres }
  mail: { image: mail }
volumes: { data: {}, logs: {} }
`;
  const override = `services:
  web:
    image: web:\${TAG:-dev}
    command: [serve]
    ports: ["9229:9229", "80:80"]
    volumes: ["./src:/data"]
    depends_on: { cache: {} }
    environment: ["MODE=slow", "DB_PASSWORD=CANARY"]
    deploy: { replicas: 2 }
  mail: !reset null
  cache: { image: redis }
`;

  it("is merged into the file beside it, as Compose does", async () => {
    const { verdicts, modules, warnings } = await read({
      "shop/docker-compose.override.yml": override,
      "shop/compose.yaml": base,
    });
    expect(verdicts).toEqual([
      {
        path: "shop/docker-compose.override.yml",
        state: "PARSED",
        counts: { resource: 1, variable: 1 },
      },
      { path: "shop/compose.yaml", state: "PARSED", counts: { resource: 4, variable: 0 } },
    ]);
    expect(warnings).toMatchObject([
      { code: "override_merged", file: "shop/docker-compose.override.yml" },
    ]);
    expect(warnings[0]?.message).toContain("`shop/compose.yaml`");
    expect(modules.map(({ path }) => path)).toEqual(["shop/compose.yaml"]);
    const [module] = modules;
    expect(module?.resources.map(({ address, file, line }) => [address, file, line])).toEqual([
      ["service.web", "shop/compose.yaml", 2],
      ["service.db", "shop/compose.yaml", 9],
      ["service.cache", "shop/docker-compose.override.yml", 11],
      ["volume.data", "shop/compose.yaml", 11],
      ["volume.logs", "shop/compose.yaml", 11],
    ]);
    const web = module?.resources[0];
    expect(web).toMatchObject({ repeated: true });
    expect(web?.dependsOn).toEqual([
      { address: "service.db", line: 7, file: "shop/compose.yaml" },
      { address: "volume.data", line: 6, file: "shop/compose.yaml" },
      { address: "volume.logs", line: 6, file: "shop/compose.yaml" },
      { address: "service.cache", line: 7, file: "shop/docker-compose.override.yml" },
    ]);
    const settings = Object.fromEntries(
      (web?.settings.members ?? []).map(({ name, value }) => [name, value]),
    );
    const texts = (of: Expression | undefined) =>
      of?.kind === "list" ? of.items.map((item) => item.kind === "literal" && item.value) : of;
    expect(texts(settings["command"])).toEqual(["serve"]);
    expect(texts(settings["ports"])).toEqual(["80:80", "9229:9229"]);
    expect(texts(settings["volumes"])).toEqual(["./src:/data", "logs:/logs"]);
    expect(settings["environment"]).toMatchObject({
      members: [
        { name: "MODE", value: { value: "slow" } },
        { name: "LEVEL", value: { value: "info" } },
        { name: "DB_PASSWORD", value: { kind: "opaque", text: "" } },
      ],
    });
    expect(JSON.stringify(modules)).not.toContain("CANARY");
  });

  it("has an item with variables once, and each mount point once", async () => {
    const of = (more: string) => `services:
  web:
    image: web
    ports: ["\${PORT}:80"]
    env_file: [{ path: "\${FILE}", required: false }]
    volumes:
      - ${more}:/data
      - "\${A}:\${B}"
    secrets: [word, { source: key, mode: 256 }]
`;
    const { modules } = await read({
      "compose.yaml": of("${DIR:-./data}"),
      "compose.override.yaml": `\n${of("./other")}`,
    });
    const lists = modules[0]?.resources[0]?.settings.members.flatMap(({ name, value }) =>
      value.kind === "list" ? [[name, value.items.length]] : [],
    );
    expect(lists).toEqual([
      ["ports", 1],
      ["env_file", 1],
      ["volumes", 2],
      ["secrets", 2],
    ]);
    expect(JSON.stringify(modules)).toContain("./other:/data");
  });

  it("is read on its own without a base file beside it", async () => {
    const { modules, warnings } = await read({
      "a/compose.override.yaml": override,
      "b/compose.yaml": base,
      "b/compose.prod.yaml": override,
      "c/compose.yaml": "[",
      "c/compose.override.yaml": override,
    });
    expect(modules.map(({ path }) => path)).toEqual([
      "a/compose.override.yaml",
      "b/compose.yaml",
      "b/compose.prod.yaml",
      "c/compose.override.yaml",
    ]);
    expect(warnings.filter(({ code }) => code === "override_merged")).toEqual([]);
  });
});

it("lists the parts of a file for which a draft has nothing, and drops none", async () => {
  const { modules } = await read({
    "compose.yaml": `version: "3"
name: shop
x-common: {}
include:
  - { path: parts/compose.yaml, project_directory: ., env_file: shop.env }
services:
  web: { image: web, credential_spec: { config: account } }
configs: { account: { file: a.json } }
jobs: {}
`,
    "parts/compose.yaml": "services: { db: { image: db } }\nsevrices: { web: {} }\n",
  });
  expect(
    modules[0]?.leftOut?.map(({ address, file, line, path }) => [address, file, line, path]),
  ).toEqual([
    ["sevrices", "parts/compose.yaml", 2, null],
    ["name", "compose.yaml", 2, null],
    ["jobs", "compose.yaml", 9, null],
    ["include", "compose.yaml", 5, "project_directory"],
    ["include", "compose.yaml", 5, "env_file"],
  ]);
  const web = modules[0]?.resources.find(({ name }) => name === "web");
  expect(web?.dependsOn).toMatchObject([{ address: "config.account", line: 7 }]);
});

describe("a project of several documents", () => {
  interface Listed {
    objects: readonly string[];
    edges: readonly string[];
    warnings: readonly (readonly [code: string, file: string | null, line: number | null])[];
  }

  async function listed(files: { [path: string]: string }): Promise<Listed[]> {
    const { modules, warnings } = await read(files);
    return modules.map(({ resources }) => ({
      objects: resources.map(({ address, file }) => `${address} ${file}`),
      edges: resources.flatMap(({ address, dependsOn }) =>
        dependsOn.map((one) => `${address} ${one.address} ${one.file}:${one.line}`),
      ),
      warnings: warnings.map(({ code, file, line }) => [code, file, line]),
    }));
  }

  it("has the services that it includes, directly or through others", async () => {
    const [first, second] = await listed({
      "compose.yaml":
        "include:\n  - db/compose.yaml\n  - { path: [./mail/a.yaml, mail/b.yaml], env_file: x }\n  - oci://x/y\nservices: { web: { image: a, depends_on: [db, mail] } }\n",
      "db/compose.yaml": "include: [../logs/compose.yaml]\nservices: { db: { image: a } }\n",
      "logs/compose.yaml":
        "include: [../db/compose.yaml]\nservices: { logs: { image: a, environment: { A: CANARY } } }\n",
      "mail/a.yaml": "services: { mail: { image: a } }\n",
      "mail/b.yaml": "services: { mail: { image: b, networks: [out] } }\nnetworks: { out: {} }\n",
    });
    expect(second).toBeUndefined();
    expect(first?.objects).toEqual([
      "service.logs logs/compose.yaml",
      "service.db db/compose.yaml",
      "service.mail mail/a.yaml",
      "service.web compose.yaml",
      "network.out mail/b.yaml",
    ]);
    expect(first?.edges).toEqual([
      "service.mail network.out mail/b.yaml:1",
      "service.web service.db compose.yaml:5",
      "service.web service.mail compose.yaml:5",
    ]);
    expect(first?.warnings).toEqual([["include_not_found", "compose.yaml", 4]]);
  });

  it("may be files that only include each other", async () => {
    const found = await listed({
      "a.yaml": "include: [b.yaml]\nservices: { a: { image: x } }\n",
      "b.yaml": "include: [a.yaml]\nservices: { b: { image: x } }\n",
    });
    expect(found.map(({ objects }) => objects)).toEqual([["service.b b.yaml", "service.a a.yaml"]]);
  });

  it("takes what a service extends, in the same file and in another", async () => {
    const { modules, warnings } = await read({
      "compose.yaml":
        "services:\n  base: { image: a, volumes: [data:/d], deploy: { replicas: 2 } }\n  web: { extends: base, image: b }\n  api: { extends: { file: common/c.yaml, service: api } }\n  no: { extends: { file: gone.yaml, service: api } }\n  self: { extends: self }\nvolumes: { data: {} }\nnetworks: { out: {} }\n",
      "common/c.yaml":
        "services:\n  api: { extends: { service: most }, networks: [out] }\n  most: { image: c, environment: { A: CANARY } }\n",
    });
    const [module, common] = modules;
    expect(common?.path).toBe("common/c.yaml");
    const settings = (at: number) =>
      Object.fromEntries(
        (module?.resources[at]?.settings.members ?? []).map(({ name, value }) => [name, value]),
      );
    expect(module?.resources[1]).toMatchObject({
      address: "service.web",
      line: 3,
      repeated: true,
      dependsOn: [
        { address: "volume.data", line: 2 },
        { address: "service.base", line: 3 },
      ],
    });
    expect(settings(1)["image"]).toMatchObject({ value: "b" });
    expect(settings(2)).toMatchObject({ networks: { kind: "object" } });
    expect(module?.resources[2]?.dependsOn).toMatchObject([
      { address: "network.out", file: "common/c.yaml" },
    ]);
    expect(warnings.map(({ code, line }) => [code, line])).toEqual([
      ["extends_not_found", 5],
      ["extends_in_circle", 6],
    ]);
  });

  it("reads every document of a file, and resets and replaces at any depth", async () => {
    const { modules } = await read({
      "compose.yaml": `services:
  web: { image: a, networks: { in: {}, out: {} }, environment: { A: "1", B: "2" }, volumes: [data:/d] }
  gone: { image: a }
networks: { in: {}, out: {} }
volumes: { data: {} }
---
services:
  web: { networks: { in: !reset null }, environment: !override { C: "3" }, volumes: !reset [] }
  gone: !reset null
volumes: !reset {}
`,
    });
    const [module] = modules;
    expect(module?.resources.map(({ address }) => address)).toEqual([
      "service.web",
      "network.in",
      "network.out",
    ]);
    expect(module?.resources[0]?.dependsOn.map(({ address }) => address)).toEqual(["network.out"]);
    const environment = module?.resources[0]?.settings.members.find(
      ({ name }) => name === "environment",
    )?.value;
    expect(environment).toMatchObject({ members: [{ name: "C", value: { value: "3" } }] });
  });

  it("does not follow circles and floods of extended services", async () => {
    const documents = Array.from(
      { length: 12 },
      () => "services: { a: { extends: b }, b: { extends: a } }\n",
    );
    const { modules } = await read({ "compose.yaml": documents.join("---\n") });
    expect(modules[0]?.resources).toHaveLength(2);
  });
});

describe("what a Compose file has", () => {
  it("resolves anchors and merge keys of its x- members", async () => {
    const { modules } = await read({
      "compose.yaml":
        "x-env: &env\n  API_TOKEN: CANARY\n  HOST: ${DB_HOST:-db}\nx-base: &base { restart: always, depends_on: &deps [db] }\nservices:\n  web: { <<: *base, image: a, environment: *env }\n  api: { image: a, depends_on: *deps, environment: { <<: *env, A: b } }\n  db: { image: a }\n",
    });
    const [module] = modules;
    expect(module?.variables).toMatchObject([{ name: "DB_HOST", line: 3 }]);
    expect(
      module?.resources.map(({ dependsOn }) => dependsOn.map(({ address }) => address)),
    ).toEqual([["service.db"], ["service.db"], []]);
    expect(JSON.stringify(modules)).not.toContain("CANARY");
    expect(JSON.stringify(modules)).toContain("API_TOKEN");
  });

  it("leads to secrets of builds, models, and services as contexts, and not to bound folders", async () => {
    const { modules } = await read({
      "compose.yaml": `services:
  web:
    build: { context: ., secrets: [word], additional_contexts: { base: "service:base" } }
    models: { llm: { endpoint_var: A } }
    volumes: [{ type: bind, source: data, target: /d }]
    deploy: { mode: global }
  base: { image: a }
  api: { image: a, build: { additional_contexts: ["x=service:base"] } }
secrets: { word: { environment: WORD } }
models: { llm: { model: ai/x } }
volumes: { data: {} }
`,
    });
    const [module] = modules;
    expect(module?.resources.map(({ address, repeated }) => [address, repeated])).toEqual([
      ["service.web", true],
      ["service.base", false],
      ["service.api", false],
      ["volume.data", false],
      ["secret.word", false],
      ["model.llm", false],
    ]);
    expect(
      module?.resources.map(({ dependsOn }) => dependsOn.map(({ address }) => address)).slice(0, 3),
    ).toEqual([["model.llm", "secret.word", "service.base"], [], ["service.base"]]);
    expect(module?.variables).toMatchObject([{ name: "WORD", sensitive: true }]);
  });

  it("keeps nothing of files of variables, and names services of the first version", async () => {
    const { verdicts, modules, warnings } = await read({
      ".env": "PASSWORD=CANARY\n",
      "db.env": "PASSWORD=CANARY\n",
      "docker-compose.yml": "web:\n  image: a\n",
    });
    expect(verdicts.map(({ state, reason }) => reason ?? state)).toEqual([
      "environment_file",
      "environment_file",
      "PARSED",
    ]);
    expect(warnings.at(-1)).toMatchObject({ code: "no_services", line: 1 });
    expect(JSON.stringify([modules, warnings])).not.toContain("CANARY");
  });
});

describe("the forms of a setting", () => {
  const settingsOf = async (files: { [path: string]: string }) => {
    const { modules } = await read(files);
    const [service] = modules[0]?.resources ?? [];
    const variables = modules[0]?.variables.map(({ name }) => name);
    return {
      settings: Object.fromEntries(
        (service?.settings.members ?? []).map(({ name, value }) => [name, plain(value)]),
      ),
      variables,
      waitsFor: service?.dependsOn.map(({ address }) => address),
    };
  };
  const plain = (of: Expression): unknown => {
    if (of.kind === "literal") return of.value;
    if (of.kind === "list") return of.items.map(plain);
    if (of.kind === "reference" && "name" in of.target) return `$${of.target.name}`;
    if (of.kind === "text") return of.parts.map(plain).join("");
    return of.kind === "object"
      ? Object.fromEntries(of.members.map(({ name, value }) => [name, plain(value)]))
      : of.kind;
  };
  const web = (text: string) => `services:\n  web:\n${text.replaceAll(/^/gm, "    ")}\n`;

  it("are merged, whichever of two each file has", async () => {
    const { settings, variables } = await settingsOf({
      "compose.yaml": web(
        "labels: ['a=${A}', 'b=1']\nextra_hosts: ['db:10.0.0.1']\nenv_file: a.env\nnetworks: [one]\nbuild:\n  labels: { c: 1 }\ndeploy:\n  labels: ['d=1']",
      ),
      "compose.override.yaml": web(
        "labels: { b: 2, c: 3 }\nextra_hosts: { api: 10.0.0.2 }\nenv_file:\n  - { path: b.env, required: false }\nnetworks: { two: { ipv4_address: 10.0.0.3 } }\nbuild:\n  labels: ['e=2']\ndeploy:\n  labels: { f: 2 }",
      ),
    });
    expect(settings).toEqual({
      labels: { a: "$A", b: 2, c: 3 },
      extra_hosts: { db: "10.0.0.1", api: "10.0.0.2" },
      env_file: ["a.env", { path: "b.env", required: false }],
      networks: { one: null, two: { ipv4_address: "10.0.0.3" } },
      build: { labels: { c: 1, e: "2" } },
      deploy: { labels: { d: "1", f: 2 } },
    });
    expect(variables).toEqual(["A"]);
  });

  it("keep a label whose name has a variable", async () => {
    const { settings, variables } = await settingsOf({
      "compose.yaml": web("labels: ['app.${NAME}.rule=Host(`${DOMAIN}`)']"),
    });
    expect(settings).toEqual({ labels: ["app.$NAME.rule=Host(`$DOMAIN`)"] });
    expect(variables).toEqual(["NAME", "DOMAIN"]);
  });

  it.each(["[VERSION, NPM_TOKEN]", "{ VERSION: , NPM_TOKEN: }"])(
    "take build arguments without a value from the environment: %s",
    async (args) => {
      const { settings, variables } = await settingsOf({
        "compose.yaml": web(`build:\n  context: .\n  args: ${args}`),
      });
      expect(settings).toEqual({
        build: { context: ".", args: { VERSION: "$VERSION", NPM_TOKEN: "$NPM_TOKEN" } },
      });
      expect(variables).toEqual(["VERSION", "NPM_TOKEN"]);
    },
  );

  it("hide secrets in labels and arguments", async () => {
    const { modules } = await read({
      "compose.yaml": web(
        "labels: ['db_password=CANARY']\nbuild:\n  args: ['API_TOKEN=CANARY']\n  labels: { secret: CANARY }",
      ),
    });
    expect(JSON.stringify(modules)).not.toContain("CANARY");
  });

  it("list the variables of the project's name and of its includes", async () => {
    const { variables } = await settingsOf({
      "compose.yaml": `name: shop-\${STAGE}\ninclude:\n  - \${DIR:-a}/compose.yaml\n${web("image: a")}`,
    });
    expect(variables).toEqual(["STAGE", "DIR"]);
  });

  it.each([
    ["image: a", ["network.default"]],
    ["networks: [default]", ["network.default"]],
    ["networks: [other]", ["network.other"]],
    ["network_mode: host", []],
  ])("put a service into the default network unless it names another: %s", async (text, waits) => {
    const { waitsFor } = await settingsOf({
      "compose.yaml": `${web(text)}networks:\n  default: { driver: bridge }\n  other: {}\n`,
    });
    expect(waitsFor).toEqual(waits);
  });
});
