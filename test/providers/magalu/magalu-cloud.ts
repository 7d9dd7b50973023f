import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import { type Description, readDescription } from "#test/support/fake-cloud/description.ts";
import {
  BUCKET_KEYS,
  FakeBuckets,
  type FakeBucketsOptions,
  isForBuckets,
} from "#test/support/fake-cloud/fake-buckets.ts";
import { FakeCloud, type FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import { type Violation, validatingProxy } from "#test/support/fake-cloud/validating-proxy.ts";
import { magaluDocument, SSH_KEYS } from "./description.ts";
import { magaluRules } from "./rules.ts";

export const API_KEY = "key-canary-0123456789";
/** With the key pair of object storage. */
export const CREDENTIAL = { apiKey: API_KEY, keyPair: { ...BUCKET_KEYS } };
export const REGION = "br-se1";

const kept = new Set(Object.keys((magaluDocument["paths"] ?? {}) as JsonMap));

/** The paths of the other 21 types alone. */
export function magaluDescription(document: JsonMap): Description {
  return readDescription(document, (path) => kept.has(path));
}

/** Some describe a time as one of several texts, of which a fake cloud would show none. */
function withTimes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withTimes);
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]): [string, Json] => [
      key,
      isJsonMap(inner) && /^(created_at|updated_at)$/.test(key)
        ? { type: "string", format: "date-time" }
        : withTimes(inner),
    ]),
  );
}

/**
 * The descriptions of the seven services as one, with ours of SSH keys, by the names of their files and of their paths. What they say of errors
 * differs from service to service, and most lack what is answered for an object that is not there: it is left out.
 */
export function magaluServices(documents: Readonly<Record<string, JsonMap>>): JsonMap {
  const paths: JsonMap = {};
  const components: JsonMap = {};
  for (const [service, given] of Object.entries(documents)) {
    const text = JSON.stringify(withTimes(given))
      .replaceAll('"#/components/', `"#/components/${service}/`)
      // The vendor requires a property that does not exist.
      .replaceAll('"required":["volume_size"]', '"required":["volume"]')
      // Its own example of a time of day has no time zone, which the format requires.
      .replaceAll('"format":"time"', '"format":"text"');
    const document = JSON.parse(text) as JsonMap;
    components[service] = document["components"] ?? {};
    for (const [path, item] of Object.entries((document["paths"] ?? {}) as JsonMap)) {
      for (const operation of Object.values(isJsonMap(item) ? item : {}))
        if (isJsonMap(operation) && isJsonMap(operation["responses"]))
          operation["responses"] = {
            ...Object.fromEntries(
              Object.entries(operation["responses"]).filter(([status]) => status.startsWith("2")),
            ),
            default: { description: "", content: { "application/json": { schema: {} } } },
          };
      paths[`/{region}/${service}${path}`] = item;
    }
  }
  for (const [path, item] of Object.entries((magaluDocument["paths"] ?? {}) as JsonMap))
    if (path.startsWith(SSH_KEYS)) paths[path] = item;
  return { openapi: "3.0.0", paths, components };
}

export interface MagaluCloud {
  fake: FakeCloud;
  /** Object storage, which has no description. */
  buckets: FakeBuckets;
  violations: Violation[];
  /** Through the validating proxy, for those with the key. */
  fetch: (request: Request) => Promise<Response>;
  context: (more?: Partial<ProviderContext>) => ProviderContext;
}

/** What a read shows in full if `expand` asks for it, and else by its id alone. */
const expanded: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  instances: { machine_type: "machine-types", image: "image" },
  volumes: { type: "volume_type" },
};

async function asAsked(request: Request, answer: Response): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const [, kind = ""] = /\/(instances|volumes)\/[^/]+$/.exec(pathname) ?? [];
  const inFull = Object.hasOwn(expanded, kind) ? expanded[kind] : undefined;
  if (inFull === undefined || request.method !== "GET" || !answer.ok) return answer;
  const shown = (await answer.json()) as JsonMap;
  for (const [name, word] of Object.entries(inFull)) {
    const value = shown[name];
    if (isJsonMap(value) && !searchParams.getAll("expand").includes(word))
      shown[name] = { id: value["id"] ?? null };
  }
  return Response.json(shown, { status: answer.status, headers: answer.headers });
}

/** An empty Magalu behind its description. */
export function magaluCloud(
  description: Description,
  options: FakeOptions & FakeBucketsOptions = {},
): MagaluCloud {
  const fake = new FakeCloud(description, magaluRules, options);
  const proxy = validatingProxy(description, async (request) =>
    asAsked(request, await fake.fetch(request)),
  );
  const buckets = new FakeBuckets(options);
  const fetch = async (request: Request): Promise<Response> => {
    if (isForBuckets(request)) return buckets.fetch(request);
    return request.headers.get("x-api-key") === API_KEY
      ? proxy.fetch(request)
      : Response.json({ slug: "unauthorized", message: "Unauthorized" }, { status: 401 });
  };
  return {
    fake,
    buckets,
    violations: proxy.violations,
    fetch,
    context: (more = {}) => ({
      targetId: "target-1",
      region: REGION,
      config: {},
      credential: CREDENTIAL,
      fetch,
      now: options.now ?? (() => Date.now()),
      ...more,
    }),
  };
}
