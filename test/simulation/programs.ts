/** The generated programs and their expected objects, computed without the engine. */
import {
  outputsOfRepeats,
  type Repeats,
  webAddresses,
  writtenOutRepeats,
  writtenRepeats,
} from "./repeats.ts";

export interface ProgramSpec extends Repeats {
  cidr: "a" | "b";
  /** Immutable at the provider. */
  engine: "x" | "y";
  a: boolean;
  b: boolean;
  db: boolean;
  keep: boolean;
  guarded: boolean;
  /** `b` uses an output of `db`: whether it is replaced is known only after apply. */
  fromDb: boolean;
  dbFirst: boolean;
  publicKeep: boolean;
  protects: boolean;
  /** What the servers are called in the template; aliases say what they were. */
  names: "plain" | "renamed" | "swapped";
  /** What the database is called; nothing says what it was. */
  database: "db" | "store";
  /** An output that cannot be computed once `b` is there. */
  failingOutput: boolean;
}

export const firstProgram: ProgramSpec = {
  cidr: "a",
  engine: "x",
  a: true,
  b: true,
  db: true,
  keep: true,
  guarded: true,
  fromDb: false,
  dbFirst: false,
  publicKeep: false,
  protects: false,
  names: "plain",
  database: "db",
  failingOutput: false,
  zones: [],
  monitor: false,
  web: "plain",
};

export interface Variables {
  image: string;
  size: string;
  password: string;
  /** Of a bound instance: an output of the other one. */
  upstream: string;
}

export const defaults: Variables = { image: "v0", size: "s", password: "", upstream: "none" };

interface Declared {
  type: string;
  properties: Record<string, unknown>;
  options?: Record<string, unknown>;
}

/** A reference to the id of another resource's object. */
export interface IdOf {
  idOf: string;
}

const kinds: Readonly<Record<string, string>> = {
  Network: "networks",
  Server: "servers",
  Database: "databases",
  Bucket: "buckets",
  Record: "records",
};

/** The resources that may have each other's objects. */
const shared: readonly (readonly string[])[] = [["a", "b", "app"], Object.values(webAddresses)];

/** One name for all resources that may have had each other's objects. */
export function sharedName(resource: string): string {
  return shared.find((names) => names.includes(resource))?.join() ?? resource;
}

const serverNames: Readonly<
  Record<ProgramSpec["names"], Record<"a" | "b", { name: string; aliases: string[] }>>
> = {
  plain: { a: { name: "a", aliases: [] }, b: { name: "b", aliases: [] } },
  renamed: { a: { name: "app", aliases: ["a"] }, b: { name: "b", aliases: [] } },
  swapped: { a: { name: "b", aliases: ["a"] }, b: { name: "a", aliases: ["b"] } },
};

function declared(spec: ProgramSpec): Record<string, Declared> {
  const fromDb = spec.fromDb && spec.db;
  const { a, b } = serverNames[spec.names];
  return {
    net: { type: "Network", properties: { name: "net", cidr: spec.cidr } },
    ...(spec.a && {
      [a.name]: {
        type: "Server",
        properties: { name: "a", image: "${image}", network: { idOf: "net" } },
        options: { aliases: a.aliases },
      },
    }),
    ...(spec.db && {
      [spec.database]: {
        type: "Database",
        properties: {
          name: "db",
          engine: spec.engine,
          network: { idOf: "net" },
          password: "${password}",
        },
        options: { deleteBeforeReplace: spec.dbFirst },
      },
    }),
    ...(spec.b && {
      [b.name]: {
        type: "Server",
        properties: {
          name: "b",
          image: fromDb ? { idOf: spec.database } : "still",
          size: "${size}",
        },
        options: { dependsOn: spec.a ? [a.name] : [], aliases: b.aliases },
      },
    }),
    ...(spec.keep && {
      keep: {
        type: "Bucket",
        properties: { name: "keep", public: spec.publicKeep },
        options: { retainOnDelete: true, replaceOnChanges: ["public"] },
      },
    }),
    ...(spec.guarded && {
      guarded: {
        type: "Bucket",
        properties: {
          name: "guarded",
          public: false,
          size: "${size}",
          upstream: "${upstream}",
        },
        options: { protect: spec.protects },
      },
    }),
  };
}

function isIdOf(value: unknown): value is IdOf {
  return typeof value === "object" && value !== null && "idOf" in value;
}

/** The template's source. JSON is YAML. */
export function sourceOf(spec: ProgramSpec): string {
  const written = (properties: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [
        name,
        isIdOf(value) ? `\${${value.idOf}.id}` : value,
      ]),
    );
  const resources = Object.fromEntries(
    Object.entries(declared(spec)).map(([name, { type, properties, options }]) => [
      name,
      { type: `mock:${type}`, properties: written(properties), ...(options && { options }) },
    ]),
  );
  return JSON.stringify({
    name: "simulated",
    runtime: "yaml",
    config: {
      image: { type: "string", default: defaults.image },
      size: { type: "string", default: defaults.size },
      password: { type: "string", secret: true },
      upstream: { type: "string", default: defaults.upstream },
    },
    resources: { ...resources, ...writtenRepeats(spec) },
    outputs: {
      net: "${net.id}",
      size: "${size}",
      mark: "${size}/${net.id}",
      login: "user:${password}",
      ...outputsOfRepeats(spec),
      // The status of a server is a text: the cloud's answer alone shows it.
      ...(spec.failingOutput &&
        spec.b && { late: `\${${serverNames[spec.names].b.name}.status.code}` }),
    },
  });
}

export interface ExpectedObject {
  kind: string;
  properties: Record<string, unknown>;
}

/** The expected objects, by resource. */
export function expectedObjects(
  spec: ProgramSpec,
  variables: Variables,
): Record<string, ExpectedObject> {
  const given = new Map(
    Object.entries(variables).map(([name, value]) => [`\${${name}}`, value as unknown]),
  );
  const all = { ...declared(spec), ...writtenOutRepeats(spec, variables.size) };
  return Object.fromEntries(
    Object.entries(all).map(([name, { type, properties }]) => [
      name,
      {
        kind: kinds[type] ?? type,
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, value]) => [
            key,
            given.get(String(value)) ?? value,
          ]),
        ),
      },
    ]),
  );
}

/** The expected properties with actual ids; a missing id becomes "not there". */
export function withIds(
  properties: Record<string, unknown>,
  idOf: (resource: string) => string | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [
      key,
      isIdOf(value) ? (idOf(value.idOf) ?? "not there") : value,
    ]),
  );
}
